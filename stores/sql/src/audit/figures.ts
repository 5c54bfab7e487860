import type { Row, SqlValue } from '@surehand/core/internal'
import type { AuditRecord, CallFigures, FiguresFilter, FiguresFound } from '@surehand/core/ports'
import { addFigures, figuresOf } from '@surehand/core/worker-entry'
import { defineStep, type Sql } from '../step.ts'
import { inChunks } from './in-chunks.ts'

const COLUMNS = 'tool, at, calls, failures, unknown, counts'
const PLACES = '(?, ?, ?, ?, ?, ?, ?)'
const REPLACE = `on conflict (tenant, tool, at) do update set calls = excluded.calls, failures = excluded.failures,
  unknown = excluded.unknown, counts = excluded.counts`

/**
 * Adds records to the stored figures, in the transaction that gives them their positions: each
 * record is counted once. The caller has locked the tenant's tree.
 */
export async function countRecords(
  sql: Sql,
  tenant: string,
  records: readonly object[],
): Promise<void> {
  // erased: records, or rows that were written from them
  const added = figuresOf(records as unknown as readonly AuditRecord[])
  if (added.length === 0) return
  const times = added.map(({ at }) => at)
  const stored = await sql.all(
    `select ${COLUMNS} from call_figures where tenant = ? and at >= ? and at <= ?`,
    tenant,
    Math.min(...times),
    Math.max(...times),
  )
  const known = new Map(stored.map(figuresIn).map((slot) => [nameOf(slot), slot]))
  const sums = added.map((slot) => {
    const before = known.get(nameOf(slot))
    return before === undefined ? slot : addFigures(before, slot)
  })
  for (const chunk of inChunks(sums))
    await sql.run(
      `insert into call_figures (tenant, ${COLUMNS}) values ${chunk.map(() => PLACES).join(', ')} ${REPLACE}`,
      ...chunk.flatMap((slot) => valuesOf(tenant, slot)),
    )
}

function nameOf({ tool, at }: CallFigures): string {
  return `${at} ${tool}`
}

function valuesOf(
  tenant: string,
  { tool, at, calls, failures, unknown, ...counts }: CallFigures,
): SqlValue[] {
  return [tenant, tool, at, calls, failures, unknown, JSON.stringify(counts)]
}

function figuresIn({ counts, ...row }: Row): CallFigures {
  const numbers = {
    at: Number(row.at),
    calls: Number(row.calls),
    failures: Number(row.failures),
    unknown: Number(row.unknown),
  }
  // erased: the row was written by `valuesOf`
  return { tool: String(row.tool), ...numbers, ...JSON.parse(String(counts)) } as CallFigures
}

// Records wait for a position for a fraction of a second; many wait only where no server runs.
const MOST_UNCOUNTED = 5_000
const UNCOUNTED = `select phase, tool_name, tool_version, outcome, code, duration_ms, created_at from audit_records
  where tenant = ? and position is null order by number desc limit ?`

/** The figures of a tool, or of all, with the records that are not counted yet. */
export const readFigures = defineStep(
  'audit.figures',
  { mode: 'read', statements: 'many' },
  async (sql: Sql, { tenant, tool, since }: FiguresFilter): Promise<FiguresFound> => {
    const stored = await sql.all(
      `select ${COLUMNS} from call_figures where tenant = ? and tool = ? and at >= ? order by at`,
      tenant,
      tool,
      since,
    )
    const waiting = await sql.all(UNCOUNTED, tenant, MOST_UNCOUNTED + 1)
    // erased: the rows were written from records
    const recent = figuresOf(waiting.slice(0, MOST_UNCOUNTED) as unknown as readonly AuditRecord[])
    const slots = new Map(stored.map(figuresIn).map((slot) => [slot.at, slot]))
    for (const slot of recent) {
      if (slot.tool !== tool || slot.at < since) continue
      const known = slots.get(slot.at)
      slots.set(slot.at, known === undefined ? slot : addFigures(known, slot))
    }
    return { slots: [...slots.values()], complete: waiting.length <= MOST_UNCOUNTED }
  },
)
