import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeClock, fakeClock, inFlight } from '@surehand/conformance'
import {
  type Caller,
  createRuntime,
  definePack,
  type Envelope,
  type Runtime,
  toEnvelope,
} from '@surehand/core'
import type { Row, SqlValue } from '@surehand/core/internal'
import { openPostgres, openSqlite, type SqlStores } from '@surehand/sql'
import { type Emulator, startEmulator } from '@surehand/testing'
import { discoverItems } from '../src/discovery/discover-items.ts'
import type { DiscoveryOrder } from '../src/discovery/discovery-port.ts'
import { routes as geminiRoutes } from '../src/discovery/emulators/gemini.ts'
import { routes as openAiRoutes } from '../src/discovery/emulators/openai.ts'
import { routes as placesRoutes } from '../src/discovery/emulators/places.ts'
import { discoveryTransactionTools } from '../src/discovery/transaction-tools.ts'
import { discoveryTools } from '../src/pack.ts'
import { DISCOVERY_TABLES } from '../src/tables.ts'

export const DISCOVERY_PACK = definePack({
  name: 'marketplace',
  tools: [...discoveryTransactionTools, ...discoveryTools],
  data: {
    migrations: [DISCOVERY_TABLES],
    transactions: new URL('../src/discovery/transaction-tools.ts', import.meta.url).href,
  },
})

export const AGENT: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'ai_agent',
  roles: ['user'],
  capabilities: ['marketplace.write'],
  session: 's1',
}
export const SYSTEM: Caller = {
  tenant: 'home',
  principal: 'system',
  actor: 'system',
  roles: [],
  capabilities: ['marketplace.operate'],
}

/** Every flag on and every key set; a test leaves out what it wants to be missing. */
export const ALL_ON: Readonly<Record<string, string>> = {
  EXTERNAL_DISCOVERY_ENABLED: 'true',
  SOCIAL_DISCOVERY_ENABLED: 'true',
  MAPS_ENRICHMENT_ENABLED: 'true',
  OPENAI_API_KEY: 'sk-test',
  GEMINI_API_KEY: 'g-test',
  GOOGLE_MAPS_KEY: 'm-test',
}

/** The tools of discovery over a real database, with three emulated engines. */
export type DiscoveryWorld = {
  readonly tenant: string
  readonly clock: FakeClock
  readonly emulator: Emulator
  /** One runtime for each node; all use one database. */
  readonly nodes: readonly Runtime[]
  readonly settings: Record<string, string>
  readonly call: (tool: string, input: unknown, options?: CallOptions) => Promise<Envelope>
  /** What the engines were sent, byte for byte. */
  readonly sent: () => readonly { readonly engine: string; readonly body: string }[]
  readonly query: (sql: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>
  /** From now on searches never end. */
  readonly hang: () => void
  readonly heal: () => void
  readonly pause: () => Promise<void>
  readonly close: () => Promise<void>
}

type CallOptions = { readonly key?: string; readonly node?: number }

export type DiscoveryWorldOptions = {
  readonly settings?: Readonly<Record<string, string>>
  readonly nodes?: number
  readonly database: DiscoveryDatabase
  readonly engineTimeoutMs?: number
}

/** A database that several worlds may share, each in a tenant of its own. */
export type DiscoveryDatabase = {
  readonly stores: SqlStores
  readonly newTenant: () => string
  readonly close: () => Promise<void>
}

export async function openDiscoveryDatabase(postgresUrl?: string): Promise<DiscoveryDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-discovery-'))
  const stores = await (postgresUrl === undefined
    ? openSqlite({ packs: [DISCOVERY_PACK], file: join(folder, 'd.db'), writer: 'calling-thread' })
    : openPostgres({ packs: [DISCOVERY_PACK], url: postgresUrl }))
  let tenants = 0
  return {
    stores,
    newTenant: () => `tenant-${++tenants}`,
    async close() {
      await stores.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function openDiscoveryWorld({
  settings = ALL_ON,
  nodes = 1,
  database,
  engineTimeoutMs,
}: DiscoveryWorldOptions): Promise<DiscoveryWorld> {
  const { stores } = database
  const tenant = database.newTenant()
  const emulator = await startEmulator({
    routes: [...openAiRoutes, ...geminiRoutes, ...placesRoutes],
  })
  const values: Record<string, string> = {
    ...settings,
    OPENAI_BASE_URL: `${emulator.url}/v1`,
    GEMINI_URL: emulator.url,
    GOOGLE_PLACES_URL: emulator.url,
  }
  const flight = inFlight()
  const clock = fakeClock(undefined, flight.rest)
  const trouble = { hangs: false }
  const { jobs, ...ledger } = stores
  const runtimes: Runtime[] = Array.from({ length: nodes }, () => {
    const discovery = discoverItems({
      call: (request) => runtime.call(request),
      systemCaller: (tenant) => ({ ...SYSTEM, tenant }),
      query: stores.database.query,
      setting: (name) => values[name],
      secret: (name) => values[name],
      fetch: () => fetch,
      ...(engineTimeoutMs !== undefined && { engineTimeoutMs }),
    })
    const runtime: Runtime = createRuntime({
      packs: [DISCOVERY_PACK],
      stores: { ...flight.watched(pickStores(ledger)), jobs },
      clock,
      providers: {
        discovery: {
          search: (order: DiscoveryOrder, signal: AbortSignal) =>
            trouble.hangs
              ? new Promise(() => undefined)
              : flight.watched(discovery).search(order, signal),
        },
      },
    })
    return runtime
  })
  return {
    clock,
    emulator,
    nodes: runtimes,
    settings: values,
    tenant,
    call: callNodes(runtimes, tenant),
    sent: () => emulator.effects().map(({ effect }) => effect as { engine: string; body: string }),
    query: (sql, ...given) => stores.database.query(sql, given),
    hang() {
      trouble.hangs = true
    },
    // Planned failures run out by themselves.
    heal() {
      trouble.hangs = false
    },
    pause: flight.rest,
    async close() {
      for (const runtime of runtimes) await runtime.stop()
      await emulator.stop()
    },
  }
}

function callNodes(nodes: readonly Runtime[], tenant: string): DiscoveryWorld['call'] {
  return async (tool, input, { key, node = 0 } = {}) => {
    const runtime = nodes[node]
    if (runtime === undefined) throw new Error(`There is no node ${node}.`)
    const outcome = await runtime.call({
      tool,
      input,
      caller: { ...AGENT, tenant },
      surface: 'test',
      repeat: 'meant',
      ...(key !== undefined && { idempotencyKey: key }),
    })
    return toEnvelope(outcome)
  }
}

function pickStores(stores: Omit<Awaited<ReturnType<typeof openSqlite>>, 'jobs'>) {
  const { calls, approvals, limits, runs, notices, cache, audit, values, admin } = stores
  return { calls, approvals, limits, runs, notices, cache, audit, values, admin }
}
