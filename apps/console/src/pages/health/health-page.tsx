import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { figuresOverTimeQuery } from '../../api/administration-queries.ts'
import type { Figures } from '../../api/types.ts'
import { QueryState } from '../../ui/query-state.tsx'
import { Time } from '../../ui/time.tsx'
import { Chart, type ChartLine } from './chart.tsx'

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
              <dt>{state.replaceAll('_', ' ')}</dt>
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
        <p className="note warn">There were more answers than are looked at: the newest are.</p>
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
      <Numbers points={points} />
    </>
  )
}

/** The same as the charts, for those who do not see them. */
function Numbers({ points }: Pick<Figures, 'points'>): ReactNode {
  const filled = points.filter(({ calls }) => calls > 0)
  return (
    <details>
      <summary>The numbers</summary>
      <div className="wide">
        <table>
          <thead>
            <tr>
              {['From', 'Answers', 'Errors', 'Unknown', 'p50 ms', 'p95 ms'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {filled.map(({ at, calls, failures, unknown, p50_ms, p95_ms }) => (
              <tr key={at}>
                <td>{new Date(at).toLocaleString('en-GB')}</td>
                <td>{calls}</td>
                <td>{failures}</td>
                <td>{unknown}</td>
                <td>{Math.round(p50_ms ?? 0)}</td>
                <td>{Math.round(p95_ms ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
