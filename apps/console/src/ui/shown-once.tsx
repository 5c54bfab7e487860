import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

/** A secret that the server has just made. */
export function ShownOnce({ secret }: { readonly secret: string }): ReactNode {
  return (
    <div className="note good" role="status">
      <p>This is the only time that it is shown.</p>
      <div className="sample">
        <pre>{secret}</pre>
        <CopyButton text={secret} />
      </div>
    </div>
  )
}
