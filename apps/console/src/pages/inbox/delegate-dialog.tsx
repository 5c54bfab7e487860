import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { delegate, inboxQuery } from '../../api/queries.ts'
import type { Approval } from '../../api/types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/query-state.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

type DelegateDialogProps = {
  readonly approval: Approval
  readonly onClose: () => void
  /** Called with a sentence that says to whom it was delegated. */
  readonly onDelegated: (result: string) => void
}

/** Asks another person to decide. The server refuses those who may not decide it. */
export function DelegateDialog({ approval, onClose, onDelegated }: DelegateDialogProps): ReactNode {
  const client = useQueryClient()
  const [to, setTo] = useState('')
  const delegation = useMutation({
    mutationFn: () => delegate(approval, to.trim()),
    onSuccess: () => onDelegated(`Delegated to ${to.trim()}: ${approval.asks}`),
    onSettled: () => client.invalidateQueries({ queryKey: inboxQuery.queryKey }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    delegation.mutate()
  }
  return (
    <Dialog title="Delegate" onClose={onClose}>
      <form onSubmit={submit}>
        <p>
          <UntrustedText form="spelled">{approval.asks}</UntrustedText>
        </p>
        {delegation.error === null ? null : <Failure error={delegation.error} />}
        <label htmlFor="delegate">Person who is to decide</label>
        <input
          id="delegate"
          required
          maxLength={256}
          autoComplete="off"
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
        <p className="quiet">
          The person must be allowed to decide it, and finds it in the inbox. You may still decide
          it yourself. The audit records the delegation.
        </p>
        <div className="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={delegation.isPending}>
            Delegate
          </button>
        </div>
      </form>
    </Dialog>
  )
}
