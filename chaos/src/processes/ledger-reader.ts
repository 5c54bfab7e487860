import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { StoreLocation } from '../node/messages.ts'

/** Reads the database directly, without any code of the stores. */
export type LedgerReader = {
  /** Calls that have not ended, are not unknown, and do not wait for a person. */
  readonly unsettled: () => Promise<readonly { readonly key: string; readonly state: string }[]>
  readonly stateOf: (key: string) => Promise<string | undefined>
  /** The rows of the pack's own table. */
  readonly entries: () => Promise<readonly { readonly item: string; readonly number: number }[]>
  /** Keys of unknown calls whose records show that every announced effect was released again. */
  readonly neverSent: () => Promise<ReadonlySet<string>>
  /** The number of steps of all runs. */
  readonly steps: () => Promise<number>
  /** Unfinished steps of runs that have ended. */
  readonly orphans: () => Promise<readonly { readonly key: string; readonly state: string }[]>
  readonly isPinned: (id: string) => Promise<boolean>
  /** The number of succeeded calls without a record of their success. */
  readonly unrecorded: () => Promise<number>
}

type Query = (text: string, value?: string) => Promise<readonly Record<string, unknown>[]>

const UNSETTLED =
  "select key, state from calls where state in ('queued', 'parked', 'claimed', 'effect_started')"
const ORPHANS = `select steps.key, steps.state from calls steps join calls runs on runs.call_id = steps.parent_id
  where steps.state in ('waiting', 'queued', 'parked', 'claimed', 'effect_started', 'unknown')
    and runs.state in ('succeeded', 'failed', 'cancelled', 'released')`
const UNRECORDED = `select count(*) as number from calls where state = 'succeeded' and not exists (
  select 1 from audit_records where audit_records.call_id = calls.call_id and phase in ('outcome', 'decision') and success = 1)`

// An effect is known not to have happened only if the last announcement was followed by an outcome
// without effect. A process that died after an announcement may have sent it.
const NEVER_SENT = `select key from calls where state = 'unknown' and not exists (
  select 1 from audit_records intents where intents.call_id = calls.call_id and intents.phase = 'intent' and intents.number > coalesce((
    select max(number) from audit_records outcomes where outcomes.call_id = calls.call_id and outcomes.phase = 'outcome'
      and outcomes.source = 'executed' and outcomes.code in ('TOOL_RATE_LIMIT_EXCEEDED', 'TOOL_NETWORK_ERROR')), 0))`

export function createLedgerReader(location: StoreLocation): LedgerReader {
  const query =
    location.kind === 'sqlite' ? sqliteQuery(location.file) : postgresQuery(location.url)
  const mark = location.kind === 'sqlite' ? '?' : '$1'
  return {
    unsettled: async () => (await query(UNSETTLED)).map(keyAndState),
    orphans: async () => (await query(ORPHANS)).map(keyAndState),
    steps: async () =>
      Number(
        (await query("select count(*) as number from journal where what = 'step'"))[0]?.number,
      ),
    async stateOf(key) {
      const [row] = await query(
        `select state from calls where key = ${mark} and holds_key = 1`,
        key,
      )
      return row === undefined ? undefined : String(row.state)
    },
    neverSent: async () => new Set((await query(NEVER_SENT)).map((row) => String(row.key))),
    isPinned: async (id) =>
      (await query(`select 1 from admin_items where id = ${mark}`, id)).length > 0,
    entries: async () =>
      (await query('select item, number from chaos_entries')).map((row) => ({
        item: String(row.item),
        number: Number(row.number),
      })),
    unrecorded: async () => Number((await query(UNRECORDED))[0]?.number),
  }
}

function keyAndState(row: Record<string, unknown>): {
  readonly key: string
  readonly state: string
} {
  return { key: String(row.key), state: String(row.state) }
}

function sqliteQuery(file: string): Query {
  return async (text, value) => {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      return database.prepare(text).all(...(value === undefined ? [] : [value]))
    } finally {
      database.close()
    }
  }
}

// One connection per query: the server is stopped now and then, which would break a pooled one.
function postgresQuery(url: string): Query {
  return async (text, value) => {
    const client = new Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(text, value === undefined ? [] : [value])).rows
    } finally {
      await client.end()
    }
  }
}
