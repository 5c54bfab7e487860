import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { figuresOverTimeQuery } from '../../api/administration-queries.ts'
import type { Figures } from '../../api/types.ts'
import { QueryState } from '../../ui/query-state.tsx'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { Chart, type ChartLine, type Tone } from './chart.tsx'

const SPANS = [1, 6, 24, 168, 720] as const

/** How the calls of the tenant go: how many, how long, how many fail, and what is left open. */
export function HealthPage(): ReactNode {
  const { hours = 24 } = useSearch({ from: '/health' })
  const navigate = useNavigate({ from: '/health' })
  const figures = useQuery(figuresOverTimeQuery(hours))
  return (
    <>
      <h1>Health</h1>
      <form className="filters">
        <label>
          The last
          <select
            value={hours}
            onChange={({ target }) => void navigate({ search: { hours: Number(target.value) } })}
          >
            {SPANS.map((span) => (
              <option key={span} value={span}>
                {span <= 24 ? `${span} ${span === 1 ? 'hour' : 'hours'}` : `${span / 24} days`}
              </option>
            ))}
          </select>
        </label>
      </form>
      <QueryState query={figures} loading="Loading the figures">
        {(found) => (
          <>
            <Now figures={found} />
            <Charts figures={found} />
            <Samples figures={found} />
          </>
        )}
      </QueryState>
    </>
  )
}

function Now({ figures }: { readonly figures: Figures }): ReactNode {
  const { open, oldest_queued_at, complete } = figures
  const unknown = open.unknown ?? 0
  return (
    <section>
      <h2>Now</h2>
      {Object.keys(open).length === 0 ? (
        <p>No call is queued, running or unknown.</p>
      ) : (
        <dl className="figures">
          {Object.entries(open).map(([state, count]) => (
            <div key={state}>
              <dt>
                <UntrustedText>{state.replaceAll('_', ' ')}</UntrustedText>
              </dt>
              <dd>{count.toLocaleString()}</dd>
            </div>
          ))}
        </dl>
      )}
      {oldest_queued_at === null ? null : (
        <p>
          The longest waiting one was queued <Time at={oldest_queued_at} />.
        </p>
      )}
      {unknown === 0 ? null : (
        <p className="note bad">
          {unknown} {unknown === 1 ? 'call has' : 'calls have'} an unknown outcome, and{' '}
          <Link to="/calls" search={{ outcome: 'unknown' }}>
            must be settled by a person
          </Link>
          .
        </p>
      )}
      {complete ? null : (
        <p className="note warn">
          Many answers are not counted yet: the charts are behind until the audit has caught up.
        </p>
      )}
    </section>
  )
}

function Charts({ figures: { points } }: { readonly figures: Figures }): ReactNode {
  if (points.every(({ calls }) => calls === 0))
    return <p className="state">No call was answered in this time.</p>
  const times = points.map(({ at }) => at / 1_000)
  const lineOf = (
    name: string,
    tone: ChartLine['tone'],
    pick: (point: Figures['points'][number]) => number | null,
  ): ChartLine => ({ name, tone, values: points.map(pick) })
  return (
    <>
      <Chart
        title="Answers and errors"
        times={times}
        lines={[
          lineOf('answers', 'good', ({ calls }) => calls),
          lineOf('errors', 'bad', ({ failures }) => failures),
          lineOf('unknown', 'warn', ({ unknown }) => unknown),
        ]}
      />
      <Chart
        title="Duration in milliseconds"
        times={times}
        lines={[
          lineOf('p50', 'good', ({ p50_ms }) => p50_ms),
          lineOf('p95', 'warn', ({ p95_ms }) => p95_ms),
        ]}
      />
      <Numbers
        title="The numbers"
        names={['Answers', 'Errors', 'Unknown', 'p50 ms', 'p95 ms']}
        rows={points
          .filter(({ calls }) => calls > 0)
          .map(({ at, calls, failures, unknown, p50_ms, p95_ms }) => [
            ...([at, calls, failures, unknown] as const),
            ...[p50_ms, p95_ms].map((ms) => Math.round(ms ?? 0)),
          ])}
      />
    </>
  )
}

type Sample = Figures['samples'][number]
type SampledLine = readonly [string, Tone, (sample: Sample) => number | null]

const SAMPLED: readonly (readonly [string, readonly SampledLine[]])[] = [
  [
    'Queued, waiting and running',
    [
      ['queued', 'warn', ({ queued }) => queued],
      ['waiting in a run', 'good', ({ parked }) => parked],
      ['running', 'ink', ({ running }) => running],
    ],
  ],
  [
    'Expired leases and unknown outcomes',
    [
      ['expired leases', 'warn', ({ expired }) => expired],
      ['unknown', 'bad', ({ unknown }) => unknown],
    ],
  ],
  ['Audit records without a place', [['records', 'warn', ({ unsequenced }) => unsequenced]]],
  ['Lag of the sequencer in milliseconds', [['lag', 'warn', ({ lag_ms }) => lag_ms]]],
  [
    'Size of the store in megabytes',
    [['megabytes', 'good', ({ store_bytes }) => toMegabytes(store_bytes)]],
  ],
]

// Only the home tenant is told the size.
function toMegabytes(bytes: number): number | null {
  return bytes === 0 ? null : Math.round(bytes / 10_000) / 100
}

/** What waited and ran, as it was counted every five minutes. */
function Samples({ figures: { points, samples } }: { readonly figures: Figures }): ReactNode {
  if (samples.length === 0)
    return (
      <p className="state">Nothing was counted in this time. The server counts every 5 minutes.</p>
    )
  const sampleAt = new Map(samples.map((sample) => [sample.at, sample]))
  const shown = SAMPLED.filter(([, lines]) =>
    lines.some(([, , pick]) => samples.some((sample) => pick(sample) !== null)),
  )
  const allLines = shown.flatMap(([, lines]) => lines)
  return (
    <>
      {shown.map(([title, lines]) => (
        <Chart
          key={title}
          title={title}
          times={points.map(({ at }) => at / 1_000)}
          lines={lines.map(([name, tone, pick]) => ({
            name,
            tone,
            values: points.map(({ at }) => {
              const sample = sampleAt.get(at)
              return sample === undefined ? null : pick(sample)
            }),
          }))}
        />
      ))}
      <Numbers
        title="The counts"
        names={allLines.map(([name]) => name)}
        rows={samples.map((sample) => [sample.at, ...allLines.map(([, , pick]) => pick(sample))])}
      />
    </>
  )
}

type NumbersProps = {
  readonly title: string
  readonly names: readonly string[]
  /** The time, and then a number for each name. */
  readonly rows: readonly (readonly [number, ...(number | null)[]])[]
}

/** The same as the charts, for those who do not see them. */
function Numbers({ title, names, rows }: NumbersProps): ReactNode {
  return (
    <details>
      <summary>{title}</summary>
      <div className="wide">
        <table>
          <thead>
            <tr>
              {['From', ...names].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([at, ...numbers]) => (
              <tr key={at}>
                <td>{new Date(at).toLocaleString('en-GB')}</td>
                {numbers.map((number, index) => (
                  <td key={names[index]}>{number ?? ''}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
