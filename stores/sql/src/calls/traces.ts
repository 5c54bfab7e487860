import type { Row } from '@surehand/core/internal'
import type { CallTrace, TraceStore } from '@surehand/core/ports'
import { inChunks } from '../audit/in-chunks.ts'
import { storableText } from '../audit/record-row.ts'
import type { Database } from '../database.ts'
import { defineStep, type Sql } from '../step.ts'

const COLUMNS =
  'call_id, tenant, principal, tool_name, key, input, outcome, started_at, duration_ms, parts'
const PLACES = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {now})'

export const appendTraces = defineStep(
  'traces.append',
  { mode: 'lazy', statements: 'many' },
  async (sql: Sql, traces: readonly TraceValues[]): Promise<void> => {
    for (const chunk of inChunks(traces)) {
      const text = `insert into call_traces (${COLUMNS}, written_at) values ${chunk.map(() => PLACES).join(', ')}`
      await sql.run(text, ...chunk.flat())
    }
  },
)

// A trace has some forty small objects: as texts they reach the writer's thread sooner.
type TraceValues = readonly (string | number)[]

/**
 * The values of a row, in the order of its columns. A name that PostgreSQL does not accept would lose
 * the whole batch.
 */
export function traceValues(trace: CallTrace): TraceValues {
  const { stages, attempts, requests } = trace
  return [
    storableText(trace.call_id),
    storableText(trace.tenant),
    storableText(trace.principal),
    storableText(trace.tool_name),
    storableText(trace.key),
    storableText(trace.input),
    trace.outcome,
    trace.started_at,
    trace.duration_ms,
    // JSON.stringify writes what is not storable as escapes.
    JSON.stringify({ stages, attempts, requests }),
  ]
}

export const listTraces = defineStep(
  'traces.list',
  { mode: 'read', statements: 'one' },
  async (
    sql: Sql,
    { tenant, callId }: { readonly tenant: string; readonly callId: string },
  ): Promise<readonly CallTrace[]> => {
    const text = `select ${COLUMNS} from call_traces where call_id = ? and tenant = ? order by number`
    return (await sql.all(text, callId, tenant)).map(traceOf)
  },
)

function traceOf({ parts, ...row }: Row): CallTrace {
  // erased: the row was written by `appendTraces`
  return { ...row, ...JSON.parse(String(parts)) } as CallTrace
}

/** Deletes what was stored of these calls. */
export async function forgetTraces(sql: Sql, callIds: readonly string[]): Promise<void> {
  for (const chunk of inChunks(callIds))
    await sql.run(
      `delete from call_traces where call_id in (${chunk.map(() => '?').join(', ')})`,
      ...chunk,
    )
}

export type SqlTraces = TraceStore & { readonly flush: () => Promise<void> }

const FLUSH_MS = 200
// What a database that takes nothing may hold back; newer traces are dropped.
const MOST_WAITING = 2_000

/** Traces in the database, written in batches behind the answers. */
export function sqlTraces(
  database: Pick<Database, 'step'>,
  onTrouble: (error: unknown) => void,
): SqlTraces {
  let waiting: CallTrace[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting.map(traceValues)
    waiting = []
    // A batch that cannot be written is dropped: nothing depends on it.
    if (batch.length > 0)
      writing = writing.then(() => database.step(appendTraces, batch).catch(onTrouble))
    return writing
  }

  return {
    append(trace) {
      if (waiting.length >= MOST_WAITING) return
      waiting.push(trace)
      timer ??= setTimeout(() => void flush(), FLUSH_MS)
    },
    async list(tenant, callId) {
      await flush()
      return database.step(listTraces, { tenant, callId })
    },
    flush,
  }
}
