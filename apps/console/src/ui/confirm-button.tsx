import { type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { UntrustedText } from './untrusted-text.tsx'

type ConfirmButtonProps = {
  /** What it does, as in "Remove petstore". */
  readonly name: string
  /** What follows from it. */
  readonly question: string
  readonly onConfirm: () => void
}

/** A button whose action is asked about first. */
export function ConfirmButton({ name, question, onConfirm }: ConfirmButtonProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const confirm = (): void => {
    setOpen(false)
    onConfirm()
  }
  return (
    <>
      <button type="button" className="deny" onClick={() => setOpen(true)}>
        <UntrustedText>{`${name} …`}</UntrustedText>
      </button>
      {isOpen ? (
        <Dialog title={<UntrustedText>{`${name}?`}</UntrustedText>} onClose={() => setOpen(false)}>
          <p>{question}</p>
          <div className="buttons">
            <button type="button" className="deny" onClick={confirm}>
              <UntrustedText>{name}</UntrustedText>
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}
