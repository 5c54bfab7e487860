import type { ReactNode } from 'react'
import { Sessions } from '../people/sessions.tsx'
import { Notifications } from './notifications.tsx'

/** What everyone sets for themselves: how they are notified, and where they are signed in. */
export function AccountPage(): ReactNode {
  return (
    <>
      <h1>Your account</h1>
      <Notifications />
      <Sessions />
    </>
  )
}
