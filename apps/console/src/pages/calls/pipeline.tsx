import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callTraceQuery } from '../../api/queries.ts'
import type { CallTrace } from '../../api/types.ts'
import { QueryState } from '../../ui/query-state.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'
import { Again } from './again.tsx'
import { OutcomeTag } from './outcome-tag.tsx'

/** How a call went through the pipeline: its stages, attempts and provider requests with times. */
export function Pipeline({ callId }: { readonly callId: string }): ReactNode {
  const trace = useQuery(callTraceQuery(callId))
  return (
    <section>
      <h2>Pipeline</h2>
      <QueryState
        query={trace}
        loading="Loading the times"
        empty={({ passes }) =>
          passes.length === 0 ? (
            <p>
              No times are stored of this call. They are stored for seven days, and of at most 100
              calls in a second.
            </p>
          ) : undefined
        }
      >
        {({ passes }) => (
          <>
            {passes.map((pass, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: passes are only ever added at the end
              <Pass key={index} pass={pass} number={passes.length > 1 ? index + 1 : undefined} />
            ))}
            <Input passes={passes} />
          </>
        )}
      </QueryState>
    </section>
  )
}

type PassProps = { readonly pass: CallTrace; readonly number: number | undefined }

function Pass({ pass, number }: PassProps): ReactNode {
  const { outcome, started_at, duration_ms, stages, attempts, requests } = pass
  const total = Math.max(duration_ms, ...stages.map(({ at_ms, duration_ms: ms }) => at_ms + ms))
  const title = number === undefined ? 'Stages' : `Pass ${number}`
  const rows: readonly Bar[] = [
    ...stages.map(({ stage, ...times }) => ({ name: stage, ...times })),
    ...attempts.map(({ code, reason, ...times }, index) => ({
      name: `attempt ${index + 1}`,
      outcome: code === '' ? 'succeeded' : code,
      reason,
      ...times,
    })),
    ...requests.map(({ port, method, code, ...times }) => ({
      name: `${port}.${method}`,
      outcome: code === '' ? 'answered' : code,
      ...times,
    })),
  ]
  return (
    <>
      <h3>
        {title}: {milliseconds(duration_ms)} <OutcomeTag outcome={outcome} />
      </h3>
      <p className="quiet">
        Began <DateTime at={started_at} />
      </p>
      <div className="wide">
        <table className="bars" aria-label={title}>
          <thead>
            <tr>
              {['What', 'When', 'Took', 'How it ended'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a pass never change
              <BarRow key={index} bar={row} total={total} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

type Bar = {
  readonly name: string
  readonly at_ms: number
  readonly duration_ms: number
  readonly outcome: string
  readonly reason?: string
}

function BarRow({ bar, total }: { readonly bar: Bar; readonly total: number }): ReactNode {
  const { name, at_ms, duration_ms, outcome, reason = '' } = bar
  const share = (ms: number): string => `${Math.min(100, (ms / Math.max(total, 0.01)) * 100)}%`
  const isBad = outcome === 'refused' || outcome.startsWith('TOOL_')
  return (
    <tr>
      <th scope="row">
        <UntrustedText>{name}</UntrustedText>
      </th>
      <td className="bar">
        <div
          className={isBad ? 'bad' : ''}
          role="img"
          aria-label={`begins after ${milliseconds(at_ms)}`}
          style={{ marginLeft: share(at_ms), width: share(duration_ms) }}
        />
      </td>
      <td>{milliseconds(duration_ms)}</td>
      <td>
        <UntrustedText>{`${outcome} ${reason}`}</UntrustedText>
      </td>
    </tr>
  )
}

function milliseconds(ms: number): string {
  return ms >= 10_000 ? `${Math.round(ms / 100) / 10} s` : `${Number(ms.toPrecision(3))} ms`
}

function Input({ passes }: { readonly passes: readonly CallTrace[] }): ReactNode {
  const pass = passes.findLast(({ input }) => input !== '')
  if (pass === undefined)
    return <p className="note">Its input is not stored: it was refused, or is too long.</p>
  return (
    <>
      <h3>Input</h3>
      <ValueView value={JSON.parse(pass.input) as unknown} />
      <Again pass={pass} />
    </>
  )
}
