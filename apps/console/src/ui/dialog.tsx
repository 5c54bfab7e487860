import { type ReactNode, useEffect, useId, useRef } from 'react'

type DialogProps = {
  readonly title: ReactNode
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A modal dialog of the browser: it holds the focus, and Escape closes it. */
export function Dialog({ title, children, onClose }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}
