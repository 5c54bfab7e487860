import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { askWhatIf, type Change } from '../../api/administration-queries.ts'
import type { WhatIf } from '../../api/types.ts'
import { Failure } from '../../ui/query-state.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

const WORDS: Readonly<Record<string, { readonly one: string; readonly tone: string }>> = {
  refused: { one: 'would have been refused', tone: 'bad' },
  limited: { one: 'would have been over a limit', tone: 'bad' },
  timed_out: { one: 'would have been cut off', tone: 'bad' },
  asked: { one: 'would have waited for an approval', tone: 'warn' },
  not_asked: { one: 'would have run without an approval', tone: 'warn' },
  allowed: { one: 'would have been let through', tone: 'warn' },
  unknown: { one: 'cannot be judged', tone: '' },
  unchanged: { one: 'would have gone as they went', tone: 'good' },
}

/** Replays a change over the calls of the last days, before it is made. */
export function WhatIfPanel({ change }: { readonly change: Change }): ReactNode {
  const [days, setDays] = useState(7)
  const ask = useMutation({ mutationFn: () => askWhatIf(change, days) })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    ask.mutate()
  }
  return (
    <section>
      <h3>What if it had been so?</h3>
      <form className="filters" onSubmit={submit}>
        <label>
          Days to look back
          <input
            type="number"
            min={1}
            max={90}
            required
            value={days}
            onChange={({ target }) => setDays(target.valueAsNumber)}
          />
        </label>
        <div className="buttons">
          <button type="submit" disabled={ask.isPending}>
            Replay the calls
          </button>
        </div>
      </form>
      <div role="status">
        {ask.isPending ? <p>Replaying …</p> : null}
        {ask.data === undefined || ask.isPending ? null : <Report report={ask.data} />}
      </div>
      {ask.error === null ? null : <Failure error={ask.error} />}
    </section>
  )
}

function Report({ report }: { readonly report: WhatIf }): ReactNode {
  const { calls, days, since, complete, verdicts, groups, examples } = report
  if (calls === 0) return <p>No call was made in the last {days} days.</p>
  return (
    <div className="card">
      <p>
        {calls.toLocaleString()} {calls === 1 ? 'call' : 'calls'}
        {since === undefined ? null : (
          <>
            {' '}
            since <DateTime at={since} />
          </>
        )}
        :
      </p>
      <ul>
        {Object.keys(WORDS).map((verdict) => {
          const count = verdicts[verdict as keyof typeof verdicts]
          return count === undefined ? null : (
            <li key={verdict}>
              <span className={`tag ${WORDS[verdict]?.tone}`}>{count.toLocaleString()}</span>
              {WORDS[verdict]?.one}
            </li>
          )
        })}
      </ul>
      {complete ? null : (
        <p className="note warn">There were more calls than are looked at: the newest are.</p>
      )}
      {groups.length === 0 ? null : <Groups groups={groups} />}
      {examples.length === 0 ? null : <Examples examples={examples} />}
    </div>
  )
}

function Groups({ groups }: Pick<WhatIf, 'groups'>): ReactNode {
  return (
    <ul>
      {groups.map(({ verdict, reason, tool, principal, actor, calls }) => (
        <li key={JSON.stringify([verdict, reason, tool, principal, actor])}>
          <span className={`tag ${WORDS[verdict]?.tone}`}>{calls.toLocaleString()}</span>
          <UntrustedText>{principal === '' ? '(erased)' : principal}</UntrustedText>
          {actor === 'ai_agent' ? ' through an agent, ' : ', '}
          <code>
            <UntrustedText>{tool}</UntrustedText>
          </code>
          : <UntrustedText>{reason}</UntrustedText>
        </li>
      ))}
    </ul>
  )
}

function Examples({ examples }: Pick<WhatIf, 'examples'>): ReactNode {
  return (
    <details>
      <summary>Some of these calls</summary>
      <ul>
        {examples.map(({ call_id, tool, principal, at, verdict }) => (
          <li key={call_id}>
            <Link to="/calls/$id" params={{ id: call_id }}>
              <UntrustedText>{tool}</UntrustedText>
            </Link>{' '}
            by <UntrustedText>{principal === '' ? '(erased)' : principal}</UntrustedText>,{' '}
            <DateTime at={at} />: {WORDS[verdict]?.one}
          </li>
        ))}
      </ul>
    </details>
  )
}
