import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeClock, fakeClock, inFlight } from '@surehand/conformance'
import {
  type Caller,
  createRuntime,
  type Envelope,
  type Pack,
  type Runtime,
  toEnvelope,
} from '@surehand/core'
import type { Row, SqlValue } from '@surehand/core/internal'
import { openPostgres, openSqlite, type SqlStores } from '@surehand/sql'
import { vaultFolder } from '../src/knowledge/providers/vault-folder.ts'
import { personalPack } from '../src/pack.ts'
import type { PersonalData } from '../src/personal-data.ts'

/** The personal manager over a real database, with a clock that the test controls. */
export type PersonalWorld = {
  readonly runtime: Runtime
  readonly stores: SqlStores
  readonly clock: FakeClock
  readonly caller: Caller
  readonly query: (sql: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>
  /** Calls a tool as the given caller; as Ann by default. */
  readonly call: (tool: string, input: unknown, caller?: Caller) => Promise<Envelope>
  /** Calls a tool that must succeed and returns its data. */
  readonly data: (tool: string, input: unknown, caller?: Caller) => Promise<Record<string, unknown>>
  /** A counter that grows whenever a table of the pack has changed. */
  readonly effects: () => Promise<number>
  readonly hang: () => void
  readonly fail: () => void
  readonly heal: () => void
  readonly pause: () => Promise<void>
  readonly close: () => Promise<void>
}

export type WorldOptions = {
  /** The current time; Thursday, 15 January 2026, 08:00 UTC by default. */
  readonly now?: number
  /** The address of a PostgreSQL; SQLite by default. */
  readonly postgresUrl?: string
  readonly timeZone?: string
  /** Where SQLite writes; the calling thread by default, which starts faster. */
  readonly writer?: 'thread' | 'calling-thread'
}

export const ANN: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['power_user', 'user'],
  capabilities: [],
  session: 's1',
  timeZone: 'Europe/Berlin',
}
export const BOB: Caller = { ...ANN, principal: 'bob', session: 's2' }
export const ADMIN: Caller = { ...ANN, principal: 'root', roles: ['admin'], session: 's3' }

export async function openPersonalWorld({
  now,
  postgresUrl,
  timeZone,
  writer = 'calling-thread',
}: WorldOptions = {}): Promise<PersonalWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-personal-'))
  const vaults = join(folder, 'vaults')
  mkdirSync(vaults)
  const opening = { packs: [personalPack] }
  const stores = await (postgresUrl === undefined
    ? openSqlite({ ...opening, file: join(folder, 'personal.db'), writer })
    : openPostgres({ ...opening, url: postgresUrl }))
  const query = (sql: string, ...values: readonly SqlValue[]) => stores.database.query(sql, values)
  const caller: Caller = timeZone === undefined ? ANN : { ...ANN, timeZone }
  const seen = { digest: '', count: 0 }
  const world = createWorldRuntime(stores, {
    pack: personalPack,
    caller,
    now,
    providers: { personalVault: vaultFolder({ root: vaults, query: stores.database.query }) },
  })
  return {
    ...world,
    stores,
    caller,
    query,
    async effects() {
      const digest = await digestOf(query)
      if (digest !== seen.digest) Object.assign(seen, { digest, count: seen.count + 1 })
      return seen.count
    },
    async close() {
      await world.runtime.stop()
      await stores.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type RuntimeOptions = {
  readonly pack: Pack
  readonly caller: Caller
  readonly now?: number | undefined
  readonly providers?: Readonly<Record<string, object>>
  /** Changes the caller of every call, for example to move it into another tenant. */
  readonly mapCaller?: (caller: Caller) => Caller
}

/** A runtime over these stores with a fake clock, whose reads can be made to hang or to fail. */
export function createWorldRuntime(
  stores: SqlStores,
  { pack, caller, now, providers = {}, mapCaller = (by) => by }: RuntimeOptions,
): Pick<PersonalWorld, 'runtime' | 'clock' | 'call' | 'data' | 'hang' | 'fail' | 'heal' | 'pause'> {
  const flight = inFlight()
  const clock = fakeClock(now, flight.rest)
  const trouble = { kind: 'none' as 'none' | 'hang' | 'fail' }
  const personalData: PersonalData = {
    query({ sql, values }) {
      if (trouble.kind === 'hang') return new Promise(() => undefined)
      if (trouble.kind === 'fail') return Promise.reject(new Error('the disk is gone'))
      return flight.watched({ query: () => stores.database.query(sql, values) }).query()
    },
  }
  const { calls, approvals, jobs, limits, runs, notices, cache, audit, values, admin } = stores
  const ledger = { calls, approvals, limits, runs, notices, cache, audit, values, admin }
  const runtime = createRuntime({
    packs: [pack],
    stores: { ...flight.watched(ledger), jobs },
    clock,
    providers: { personalData, ...providers },
  })
  const call: PersonalWorld['call'] = async (tool, input, by = caller) =>
    toEnvelope(
      await runtime.call({ tool, input, caller: mapCaller(by), surface: 'test', repeat: 'meant' }),
    )
  return {
    runtime,
    clock,
    call,
    async data(tool, input, by) {
      const answer = await call(tool, input, by)
      if (answer.status !== 'success')
        throw new Error(`${tool}: ${answer.error?.code} ${answer.error?.message}`)
      return answer.data as Record<string, unknown>
    },
    hang() {
      trouble.kind = 'hang'
    },
    fail() {
      trouble.kind = 'fail'
    },
    heal() {
      trouble.kind = 'none'
    },
    pause: flight.rest,
  }
}

const TABLES = [
  'pm_habits',
  'pm_habit_records',
  'pm_tasks',
  'pm_projects',
  'pm_project_members',
  'pm_project_log',
  'pm_deep_work',
  'pm_reviews',
  'pm_notes',
  'pm_note_links',
  'pm_note_heads',
  'pm_vault_files',
  'pm_preferences',
  'pm_system',
]

async function digestOf(query: PersonalWorld['query']): Promise<string> {
  const hash = createHash('sha256')
  for (const table of TABLES)
    hash.update(
      JSON.stringify(
        (await query(`select * from ${table}`)).map((row) => JSON.stringify(row)).sort(),
      ),
    )
  return hash.digest('hex')
}

/** Makes the calls that must precede an example of a tool. */
export async function seed(
  world: PersonalWorld,
  calls: readonly { readonly tool: string; readonly input: unknown }[],
): Promise<void> {
  for (const { tool, input } of calls) await world.data(tool, input)
}
