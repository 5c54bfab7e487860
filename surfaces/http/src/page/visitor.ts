import type { Caller } from '@surehand/core'
import type { Session, Sessions } from '@surehand/identity'
import { edgeError } from '../edge-error.ts'
import type { Surface } from '../options.ts'
import type { WireContext } from '../wire.ts'
import { page } from './page.ts'
import { signInPage } from './sign-in-page.ts'

/** Somebody signed in at a page. */
export type Visitor = { readonly caller: Caller; readonly session: Session }
export type Pages = { readonly surface: Surface; readonly sessions: Sessions }

/** Where everything that waits is listed. */
export const HOME = '/approvals'

export async function visitorOf(
  context: WireContext,
  { surface, sessions }: Pages,
): Promise<Visitor | undefined> {
  const session = sessions.read(context.req.header('cookie'))
  const caller = session === undefined ? undefined : await surface.identity.ofSession(session)
  return session === undefined || caller === undefined || caller.actor === 'ai_agent'
    ? undefined
    : { caller, session }
}

export function askToSignIn(context: WireContext, trouble?: string): Response {
  return page(signInPage(nextOf(context.req.path), trouble), { title: 'Sign in', status: 401 })
}

// a path of this house only: `//evil.example` and `/\evil.example` are other houses to a browser
export function nextOf(path: string | undefined): string {
  return path !== undefined &&
    /^\/(?:approvals|questions|calls|credentials)\/[\w.-]{1,100}$/.test(path)
    ? path
    : HOME
}

/** Refuses a form that was made for another session, or for something else than what this page showed. */
export function refuseUnsealed(
  form: URLSearchParams,
  { session }: Visitor,
  purpose: string,
  { sessions }: Pages,
): void {
  if (!sessions.isSealed(session, purpose, form.get('seal') ?? ''))
    throw edgeError(
      'foreign_origin',
      'This form does not belong to your session: open the question again, and answer there.',
    )
}
