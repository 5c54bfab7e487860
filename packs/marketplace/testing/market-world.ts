import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeClock, fakeClock, inFlight } from '@surehand/conformance'
import {
  type Caller,
  createRuntime,
  type Envelope,
  isToolError,
  type Runtime,
  toEnvelope,
} from '@surehand/core'
import { type PackGiven, readUnknownCalls } from '@surehand/core/host'
import type { Row, SqlValue } from '@surehand/core/internal'
import { openPostgres, openSqlite, type SqlStores } from '@surehand/sql'
import { marketProviders } from '../src/choose-providers.ts'
import type { MarketContext } from '../src/engine/market-context.ts'
import type { Market } from '../src/market-port.ts'
import type { MarketEvent } from '../src/messages/market-event.ts'
import { eventKey } from '../src/messages/market-event.ts'
import { marketplacePack } from '../src/pack.ts'
import { type FakeMessenger, fakeMessenger } from './fake-messenger.ts'
import { seedPack } from './seed-tool.ts'

/** Thursday, 15 January 2026, 10:00 in Kigali. */
export const MARKET_NOW = Date.UTC(2026, 0, 15, 8)

/** The marketplace over a real database, with a clock and a messenger that the test controls. */
export type MarketWorld = {
  readonly tenant: string
  readonly runtime: Runtime
  readonly clock: FakeClock
  readonly messenger: FakeMessenger
  readonly settings: Record<string, string>
  readonly caller: Caller
  readonly given: PackGiven
  readonly query: (sql: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>
  readonly seed: (rows: readonly SeedRow[]) => Promise<void>
  readonly call: (tool: string, input: unknown, options?: CallOptions) => Promise<Envelope>
  readonly data: (
    tool: string,
    input: unknown,
    options?: CallOptions,
  ) => Promise<Record<string, unknown>>
  /** Acts on an event of WhatsApp at once, as the worker does. */
  readonly receive: (event: MarketEvent) => Promise<string>
  /** Hands an event on as the webhook does, and waits until a worker has acted on it. */
  readonly receiveByJob: (event: MarketEvent) => Promise<Envelope>
  readonly runDueWork: () => Promise<Record<string, unknown>>
  readonly effects: () => Promise<number>
  /**
   * The work dies when it makes this many calls of tools. `dead`: it makes none after that, until
   * this is called again with 0.
   */
  readonly dieAfter: (calls: number, rest?: 'dead' | 'alive') => void
  readonly hang: () => void
  readonly fail: () => void
  readonly heal: () => void
  readonly pause: () => Promise<void>
  /** The same node, as another tenant sees it. */
  readonly inTenant: (tenant: string) => MarketWorld
  readonly close: () => Promise<void>
}

export type SeedRow = {
  readonly table: string
  readonly row: Readonly<Record<string, SqlValue>>
}
type CallOptions = { readonly caller?: Caller; readonly key?: string }

export const OPERATOR: Caller = {
  tenant: 'market',
  principal: 'olive',
  actor: 'user',
  roles: ['admin'],
  capabilities: [],
  session: 's1',
}
export const AGENT: Caller = {
  ...OPERATOR,
  principal: 'ann',
  actor: 'ai_agent',
  roles: ['user'],
  session: 's2',
}

export type MarketDatabase = {
  readonly stores: SqlStores
  readonly open: (options?: WorldOptions) => Promise<MarketWorld>
  readonly close: () => Promise<void>
}

export type WorldOptions = {
  readonly now?: number
  readonly settings?: Readonly<Record<string, string>>
  readonly rows?: readonly SeedRow[]
  readonly others?: Partial<Pick<MarketContext, 'ocr' | 'places'>>
  readonly messenger?: FakeMessenger
  /** Several runtimes may share a tenant and a clock: nodes of one market. */
  readonly tenant?: string
  readonly clock?: FakeClock
  readonly fetch?: typeof fetch
}

/** One database for many worlds, each a tenant with a clock of its own. */
export async function openMarketDatabase(
  options: { readonly postgresUrl?: string; readonly writer?: 'thread' | 'calling-thread' } = {},
): Promise<MarketDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-market-'))
  const packs = [marketplacePack, seedPack]
  const stores = await (options.postgresUrl === undefined
    ? openSqlite({
        packs,
        file: join(folder, 'market.db'),
        writer: options.writer ?? 'calling-thread',
      })
    : openPostgres({ packs, url: options.postgresUrl }))
  let count = 0
  return {
    stores,
    async open(world = {}) {
      count++
      return openWorld(stores, folder, { tenant: `market-${count}`, ...world })
    },
    async close() {
      await stores.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openWorld(
  stores: SqlStores,
  folder: string,
  options: WorldOptions & { readonly tenant: string },
): Promise<MarketWorld> {
  const { tenant, now = MARKET_NOW, rows = [] } = options
  const flight = inFlight()
  const clock = options.clock ?? fakeClock(now, flight.rest)
  const trouble = { kind: 'none' as 'none' | 'hang' | 'fail' }
  const crash: PlannedCrash = { afterCalls: 0, rest: 'alive' }
  const messenger = options.messenger ?? fakeMessenger()
  const settings: Record<string, string> = { MARKETPLACE_QUIET_HOURS: 'off', ...options.settings }
  let runtime: Runtime | undefined
  const requireRuntime = (): Runtime => {
    if (runtime === undefined) throw new Error('The runtime is not there yet.')
    return runtime
  }
  const given = createGiven({
    stores,
    ...{ folder, clock, settings, flight, crash, fetch: options.fetch ?? fetch },
    runtime: requireRuntime,
  })
  const providers = marketProviders(given, messenger, options.others)
  const { calls, approvals, limits, runs, notices, cache, audit, values, admin } = stores
  const ledger = { calls, approvals, limits, runs, notices, cache, audit, values, admin }
  runtime = createRuntime({
    packs: [marketplacePack, seedPack],
    stores: { ...flight.watched(ledger), jobs: stores.jobs },
    clock,
    // A planned crash is no news.
    onUnexpectedError: () => undefined,
    providers: Object.fromEntries(
      Object.entries(providers).map(([name, provider]) => [name, withTrouble(provider, trouble)]),
    ),
  })
  const market = providers.market as Market
  const world = createWorld({
    ...{
      market,
      crash,
      tenant,
      runtime,
      clock,
      messenger,
      settings,
      given,
      stores,
      flight,
      trouble,
    },
  })
  if (rows.length > 0) await world.seed(rows)
  return world
}

const NEVER = new AbortController().signal

type Flight = ReturnType<typeof inFlight>
type PlannedCrash = { afterCalls: number; rest: 'dead' | 'alive' }

function createGiven(parts: {
  readonly stores: SqlStores
  readonly folder: string
  readonly clock: FakeClock
  readonly settings: Record<string, string>
  readonly flight: Flight
  readonly runtime: () => Runtime
  readonly crash: PlannedCrash
  readonly fetch: typeof fetch
}): PackGiven {
  const { crash, stores, folder, clock, settings, flight, runtime } = parts
  const system = (tenant: string): Caller => ({
    tenant,
    principal: 'system',
    actor: 'system',
    roles: ['admin'],
    capabilities: [],
  })
  const reads = flight.watched({
    query: (sql: string, values: readonly SqlValue[]) => stores.database.query(sql, values),
  })
  return {
    callerOf: async () => undefined,
    secret: (name) => settings[name],
    setting: (name) => settings[name],
    query: (sql, values) => reads.query(sql, values),
    values: stores.values,
    fetch: () => parts.fetch,
    keepArtifact: async () => ({ url: 'https://example.com/artifact' }),
    folder,
    now: clock.now,
    publicUrl: 'https://example.com',
    async call(request) {
      if (crash.afterCalls > 0 && --crash.afterCalls === 0) {
        if (crash.rest === 'dead') crash.afterCalls = 1
        throw new Error('The process died.')
      }
      return runtime().call(request)
    },
    systemCaller: system,
    audit: async (filter) =>
      (await stores.audit.list(filter)).map((record) => ({ ...record, idempotency_key: '' })),
    async eraseCalls(order) {
      const { erased, underWay } = await stores.eraseRequests(order)
      return { erased, underWay: underWay.length }
    },
    unknownCalls: (filter) => readUnknownCalls(stores.calls, filter),
    async settleUnknown({ tenant, callId, text, output }) {
      try {
        await runtime().resolveUnknown(system(tenant), callId, { found: 'done', text, output })
        return true
      } catch (thrown) {
        if (isToolError(thrown)) return false
        throw thrown
      }
    },
  }
}

function withTrouble(
  provider: object,
  trouble: { readonly kind: 'none' | 'hang' | 'fail' },
): object {
  return Object.fromEntries(
    Object.entries(provider).map(([name, method]) => [
      name,
      (...args: readonly unknown[]) => {
        if (trouble.kind === 'hang') return new Promise(() => undefined)
        if (trouble.kind === 'fail') return Promise.reject(new Error('the provider is gone'))
        return (method as (...given: readonly unknown[]) => unknown)(...args)
      },
    ]),
  )
}

function createWorld(parts: {
  readonly tenant: string
  readonly runtime: Runtime
  readonly clock: FakeClock
  readonly messenger: FakeMessenger
  readonly settings: Record<string, string>
  readonly given: PackGiven
  readonly stores: SqlStores
  readonly flight: Flight
  readonly trouble: { kind: 'none' | 'hang' | 'fail' }
  readonly market: Market
  readonly crash: PlannedCrash
}): MarketWorld {
  const { market, crash, tenant, runtime, clock, messenger, settings, given, stores, trouble } =
    parts
  const caller: Caller = { ...OPERATOR, tenant }
  const query = (sql: string, ...values: readonly SqlValue[]) => stores.database.query(sql, values)
  const seen = { digest: '', count: 0 }
  const call: MarketWorld['call'] = async (tool, input, { caller: by = caller, key } = {}) =>
    toEnvelope(
      await runtime.call({
        tool,
        input,
        caller: { ...by, tenant },
        surface: 'test',
        repeat: 'meant',
        ...(key === undefined ? {} : { idempotencyKey: key }),
      }),
    )
  const data: MarketWorld['data'] = async (tool, input, options) => {
    const answer = await call(tool, input, options)
    if (answer.status !== 'success')
      throw new Error(`${tool}: ${answer.error?.code} ${answer.error?.message}`)
    return answer.data as Record<string, unknown>
  }
  return {
    ...{ tenant, runtime, clock, messenger, settings, given, caller, query, call, data },
    seed: async (rows) => {
      await data('testing.seed_market', { rows })
    },
    receive: async (event) =>
      (await market.handleEvent({ tenant, event, idempotencyKey: eventKey(event) }, NEVER)).done,
    receiveByJob: (event) => receiveByJob(event, { tenant, runtime, clock, call, given }),
    runDueWork: async () =>
      (await data('marketplace.run_due_work', {}, { caller: given.systemCaller(tenant) }))
        .done as Record<string, unknown>,
    async effects() {
      const offers = await stores.values.list(tenant, 'marketplace/')
      const digest = await digestOf(
        query,
        tenant,
        `${JSON.stringify(offers)}/${messenger.sent.length}/${messenger.calls.length}`,
      )
      if (digest !== seen.digest) Object.assign(seen, { digest, count: seen.count + 1 })
      return seen.count
    },
    dieAfter(calls, rest = 'alive') {
      Object.assign(crash, { afterCalls: calls, rest })
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
    pause: parts.flight.rest,
    inTenant: (other) => createWorld({ ...parts, tenant: other }),
    close: () => runtime.stop(),
  }
}

async function receiveByJob(
  event: MarketEvent,
  {
    tenant,
    runtime,
    clock,
    call,
    given,
  }: Pick<MarketWorld, 'tenant' | 'runtime' | 'clock' | 'call' | 'given'>,
): Promise<Envelope> {
  const caller = given.systemCaller(tenant)
  const queued = await call('marketplace.handle_event', { event }, { caller, key: eventKey(event) })
  runtime.start()
  const id = queued.metadata.job?.id ?? queued.metadata.call_id
  for (let round = 0; round < 300; round++) {
    await clock.advance(50)
    const answer = await runtime.answer(caller, id)
    if (answer !== undefined && answer.status !== 'accepted') return toEnvelope(answer)
    // Workers look for jobs in real time.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The event was not handled.')
}

const TABLES = [
  'mk_conversations',
  'mk_requests',
  'mk_request_states',
  'mk_vendors',
  'mk_vendor_categories',
  'mk_opt_outs',
  'mk_outreach',
  'mk_replies',
  'mk_model_readings',
  'mk_messages',
  'mk_message_states',
  'mk_consents',
  'mk_call_attempts',
  'mk_call_events',
  'mk_ocr_jobs',
  'mk_attention',
]

async function digestOf(
  query: MarketWorld['query'],
  tenant: string,
  outside: string,
): Promise<string> {
  const hash = createHash('sha256')
  for (const table of TABLES)
    hash.update(
      (await query(`select * from ${table} where tenant = ?`, tenant))
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n'),
    )
  return hash.update(outside).digest('hex')
}
