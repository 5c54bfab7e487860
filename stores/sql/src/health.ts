import type { Dialect } from './portable.ts'
import { defineStep, type Sql } from './step.ts'

/** What waits, runs and grows, as counted at a time. */
export type HealthSample = {
  readonly at: number
  readonly queued: number
  readonly parked: number
  readonly running: number
  /** Claims whose lease is over: their process died, and no other has taken them over yet. */
  readonly expired: number
  readonly unknown: number
  /** Audit records without a place in the tree, and how long the oldest waits. */
  readonly unsequenced: number
  readonly lag_ms: number
  /** Of the whole database; 0 where it is not shown. */
  readonly store_bytes: number
}

const NAMES = [
  'queued',
  'parked',
  'running',
  'expired',
  'unknown',
  'unsequenced',
  'lag_ms',
  'store_bytes',
] as const
type Counts = Record<(typeof NAMES)[number], number>

// The size belongs to all tenants, and is stored under a name that none has.
const EVERYONE = ''

export const SAMPLE_MS: number = 5 * 60_000

// Each is a look into a small index.
const COUNTS = {
  queued: "select tenant, count(*) as n from calls where state = 'queued' group by tenant",
  parked: "select tenant, count(*) as n from calls where state = 'parked' group by tenant",
  running: `select tenant, count(*) as n from calls
    where lease_until is not null and state in ('claimed', 'effect_started') group by tenant`,
  expired:
    'select tenant, count(*) as n from calls where lease_until <= (select {now}) group by tenant',
  unknown: "select tenant, count(*) as n from calls where state = 'unknown' group by tenant",
  unsequenced:
    'select tenant, count(*) as n from audit_records where position is null group by tenant',
  // Of the oldest record that has no place in its tree, or that no head was signed over.
  lag_ms: `select tenant, cast((select {now}) - min(created_at) as bigint) as n from (
    select tenant, created_at from audit_records where position is null
    union all select trees.tenant, records.created_at from audit_trees trees
      join audit_records records on records.tenant = trees.tenant and records.position = trees.head_size
      where trees.head_size < trees.size
    union all select trees.tenant, segments.dated_at from audit_trees trees
      join audit_segments segments on segments.tenant = trees.tenant and segments.first_position > trees.head_size - 64
        and segments.first_position <= trees.head_size and segments.first_position + segments.count > trees.head_size
      where trees.head_size < trees.size) late group by tenant`,
} as const satisfies Partial<Record<keyof Counts, string>>

const SIZES: Readonly<Record<Dialect, string>> = {
  sqlite: 'select page_count * page_size as n from pragma_page_count(), pragma_page_size()',
  postgres: 'select pg_database_size(current_database()) as n',
}

const INSERT = `insert into health_samples (tenant, at, ${NAMES.join(', ')})
  values (?, ?, ${NAMES.map(() => '?').join(', ')}) on conflict do nothing`

/** Counts for every tenant that has something to count. Of several nodes, the first one is kept. */
export const takeSample = defineStep(
  'health.sample',
  { mode: 'lazy', statements: 'many' },
  async (sql: Sql, { dialect }: { readonly dialect: Dialect }): Promise<void> => {
    const now = Number((await sql.get('select {now} as now'))?.now)
    const tenants = new Map<string, Partial<Counts>>()
    for (const [name, text] of Object.entries(COUNTS))
      for (const { tenant, n } of await sql.all(text)) {
        const known = tenants.get(String(tenant)) ?? {}
        tenants.set(String(tenant), { ...known, [name]: Math.max(0, Number(n)) })
      }
    tenants.set(EVERYONE, { store_bytes: Number((await sql.get(SIZES[dialect]))?.n ?? 0) })
    const at = Math.floor(now / SAMPLE_MS) * SAMPLE_MS
    for (const [tenant, counts] of tenants)
      await sql.run(INSERT, tenant, at, ...NAMES.map((name) => counts[name] ?? 0))
  },
)

export type SampleFilter = {
  readonly tenant: string
  readonly since: number
  /** Of this time, the highest counts are taken. */
  readonly stepMs: number
  /** Whether the size of the whole database is shown. */
  readonly withSize: boolean
}

/** The samples since a time, the oldest first. A time without one had nothing to count. */
export const readSamples = defineStep(
  'health.samples',
  { mode: 'read', statements: 'one' },
  async (
    sql: Sql,
    { tenant, since, stepMs, withSize }: SampleFilter,
  ): Promise<readonly HealthSample[]> => {
    const rows = await sql.all(
      `select cast((at - cast(? as bigint)) / cast(? as bigint) as bigint) as step, ${NAMES.map((name) => `max(${name}) as ${name}`).join(', ')}
        from health_samples where tenant in (?, ?) and at >= ? group by step order by step`,
      ...[since, stepMs, tenant, withSize ? EVERYONE : tenant, since],
    )
    return rows.map((row) => ({
      ...(Object.fromEntries(NAMES.map((name) => [name, Number(row[name])])) as Counts),
      at: since + Number(row.step) * stepMs,
    }))
  },
)
