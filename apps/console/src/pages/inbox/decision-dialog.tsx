import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { decide, inboxQuery, type Verdict } from '../../api/queries.ts'
import type { Approval } from '../../api/types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

export type PlannedDecision = {
  readonly verdict: Verdict
  readonly approvals: readonly Approval[]
}

type DecisionDialogProps = PlannedDecision & {
  readonly onClose: () => void
  /** Called with a sentence that says what was decided. */
  readonly onDecided: (result: string) => void
}

/** Asks for a reason and decides. Several requests can only be denied. */
export function DecisionDialog(props: DecisionDialogProps): ReactNode {
  const { verdict, approvals, onClose, onDecided } = props
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const decision = useMutation({
    mutationFn: () => decideAll(props, reason.trim()),
    onSuccess: (result) => onDecided(result),
    onSettled: () => client.invalidateQueries({ queryKey: inboxQuery.queryKey }),
  })
  const [first] = approvals
  const name = verdict === 'approve' ? 'Approve once' : denyName(approvals.length)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    decision.mutate()
  }
  const submitByKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) decision.mutate()
  }
  return (
    <Dialog title={name} onClose={onClose}>
      <form onSubmit={submit} onKeyDown={submitByKey}>
        {approvals.length === 1 && first !== undefined ? (
          <p>
            <UntrustedText form="spelled">{first.asks}</UntrustedText>
          </p>
        ) : null}
        {decision.error === null ? null : (
          <p className="note bad" role="alert">
            <UntrustedText>{decision.error.message}</UntrustedText>
          </p>
        )}
        <label htmlFor="reason">Reason (optional; the caller reads it)</label>
        <textarea
          id="reason"
          rows={3}
          maxLength={4_000}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <div className="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className={verdict} disabled={decision.isPending}>
            {name}
          </button>
        </div>
        <p className="quiet">Ctrl + Enter confirms, Escape cancels.</p>
      </form>
    </Dialog>
  )
}

export function denyName(count: number): string {
  return count === 1 ? 'Deny' : `Deny ${count} requests`
}

/** One after the other: a request that cannot be decided must not hide what became of the rest. */
async function decideAll({ approvals, verdict }: PlannedDecision, reason: string): Promise<string> {
  const failures: string[] = []
  for (const approval of approvals)
    await decide(approval, verdict, reason).catch((error: Error) => failures.push(error.message))
  const decided = approvals.length - failures.length
  if (failures.length > 0)
    throw new Error(
      `${decided} of ${approvals.length} were decided. Not decided: ${[...new Set(failures)].join(' ')}`,
    )
  const word = verdict === 'approve' ? 'Approved' : 'Denied'
  return decided === 1 ? `${word}: ${approvals[0]?.asks ?? ''}` : `${word} ${decided} requests.`
}
