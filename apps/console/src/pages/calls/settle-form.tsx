import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { callQuery, callRecordsQuery, type Finding, settleUnknown } from '../../api/queries.ts'

/** Settles a call whose outcome is unknown, with what a person has found out. */
export function SettleForm({ callId }: { readonly callId: string }): ReactNode {
  const client = useQueryClient()
  const [found, setFound] = useState<Finding['found']>('not_done')
  const settle = useMutation({
    mutationFn: (form: FormData) => settleUnknown(callId, readFinding(found, form)),
    onSuccess: async () => {
      await client.invalidateQueries(callQuery(callId))
      await client.invalidateQueries(callRecordsQuery(callId))
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    settle.mutate(new FormData(event.currentTarget))
  }
  return (
    <form className="card" onSubmit={submit}>
      <h3>Settle it</h3>
      <p>
        Look at the system that the tool writes to, and say what you found. It is recorded with your
        name and cannot be changed later.
      </p>
      {settle.error === null ? null : (
        <p className="note bad" role="alert">
          {settle.error.message}
        </p>
      )}
      <fieldset>
        <legend>Did it happen?</legend>
        <label className="choice">
          <input
            type="radio"
            name="found"
            checked={found === 'not_done'}
            onChange={() => setFound('not_done')}
          />
          No: the key becomes free, and the call may be made again
        </label>
        <label className="choice">
          <input
            type="radio"
            name="found"
            checked={found === 'done'}
            onChange={() => setFound('done')}
          />
          Yes: a repeat returns the answer below
        </label>
      </fieldset>
      <label htmlFor="evidence">How do you know?</label>
      <textarea id="evidence" name="text" rows={3} required maxLength={4_000} />
      {found === 'done' ? (
        <>
          <label htmlFor="output">Its answer, as JSON</label>
          <textarea id="output" name="output" rows={4} required className="code" />
        </>
      ) : null}
      <div className="buttons">
        <button type="submit" className="primary" disabled={settle.isPending}>
          Settle this call
        </button>
      </div>
    </form>
  )
}

function readFinding(found: Finding['found'], form: FormData): Finding {
  const text = String(form.get('text') ?? '')
  if (found === 'not_done') return { found, text }
  try {
    return { found, text, output: JSON.parse(String(form.get('output') ?? '')) }
  } catch {
    throw new Error('The answer is not JSON. Correct it, and settle the call again.')
  }
}
