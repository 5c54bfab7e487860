import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { StorePlace } from '../node/messages.ts'

/** A look into the database past all code of the stores. */
export type LedgerReader = {
  /** Calls that are neither ended nor unknown nor waiting for a person. */
  readonly unsettled: () => Promise<readonly { readonly key: string; readonly state: string }[]>
  readonly stateOf: (key: string) => Promise<string | undefined>
  /** What the pack's own table holds. */
  readonly entries: () => Promise<readonly { readonly item: string; readonly number: number }[]>
  /** Calls that stand there as done without a record that says so. */
  readonly unrecorded: () => Promise<number>
}

type Query = (text: string, value?: string) => Promise<readonly Record<string, unknown>[]>

const UNSETTLED = "select key, state from calls where state in ('queued', 'claimed', 'effect_started')"
const UNRECORDED = `select count(*) as number from calls where state = 'succeeded' and not exists (
  select 1 from audit_records where audit_records.call_id = calls.call_id and phase = 'outcome' and success = 1)`

export function ledgerReader(place: StorePlace): LedgerReader {
  const query = place.kind === 'sqlite' ? sqliteQuery(place.file) : postgresQuery(place.url)
  return {
    unsettled: async () => (await query(UNSETTLED)).map((row) => ({ key: String(row.key), state: String(row.state) })),
    async stateOf(key) {
      const [row] = await query(`select state from calls where key = ${place.kind === 'sqlite' ? '?' : '$1'} and holds_key = 1`, key)
      return row === undefined ? undefined : String(row.state)
    },
    entries: async () =>
      (await query('select item, number from chaos_entries')).map((row) => ({ item: String(row.item), number: Number(row.number) })),
    unrecorded: async () => Number((await query(UNRECORDED))[0]?.number),
  }
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

// a connection a question: the server is stopped now and then, and a kept one would be broken
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
