import { type FakeClock, fakeClock, inFlight, type OpenContractWorld } from '@surehand/conformance'
import {
  type Caller,
  type CallRequest,
  createRuntime,
  type Envelope,
  memoryStores,
  type Runtime,
  type Stores,
  type Tool,
  ToolError,
  toEnvelope,
} from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import { noEmbeddings } from '../src/memories/providers/no-embeddings.ts'
import { ownMemories } from '../src/memories/providers/own-memories.ts'
import { storedTravelData } from '../src/own-data/providers/stored-travel-data.ts'
import { travelTools } from '../src/pack.ts'
import { storedPlans } from '../src/plans/providers/stored-plans.ts'
import { storedSearchNotes } from '../src/providers/choose-providers.ts'
import { ownShares } from '../src/shares/providers/own-shares.ts'
import { TABLES } from '../src/tables.ts'
import { noTripModel } from '../src/trips/providers/ai-sdk-trip-model.ts'
import { localPorts } from './local-ports.ts'
import { openTestHotel, type TestHotel } from './test-hotel.ts'

export const ANN: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: ['travel.plan', 'travel.book', 'travel.memory'],
  session: 'session-of-ann',
  timeZone: 'Europe/Berlin',
}
export const BOB: Caller = { ...ANN, principal: 'bob', session: 'session-of-bob' }

/** The travel tools over memory stores, with a clock and providers that the test controls. */
export type TravelWorld = {
  readonly runtime: Runtime
  readonly stores: Stores
  readonly clock: FakeClock
  readonly hotel: TestHotel
  readonly pause: () => Promise<void>
  readonly call: (
    tool: string,
    input: object,
    options?: { readonly caller?: Caller; readonly idempotencyKey?: string },
  ) => Promise<Envelope>
  /** Calls a tool that must succeed and returns its data. */
  readonly data: <T = Record<string, unknown>>(
    tool: string,
    input: object,
    caller?: Caller,
  ) => Promise<T>
  readonly close: () => Promise<void>
}

export type WorldOptions = {
  readonly tools?: readonly Tool[]
  /** Take the place of the providers with the same names. */
  readonly providers?: Readonly<Record<string, object>>
  /** Statements after those that create the tables. */
  readonly rows?: readonly string[]
  readonly now?: number
  readonly hotel?: TestHotel
  /** Another process over the same stores, whose own clock stands still: one that is going to die. */
  readonly beside?: TravelWorld
  readonly wrap?: (provider: object, name: string) => object
}

export function openTravelWorld(options: WorldOptions = {}): TravelWorld {
  const { tools = travelTools, providers = {}, rows = [], now, beside } = options
  const hotel = beside?.hotel ?? options.hotel ?? openTestHotel()
  const flight = inFlight()
  const clock = fakeClock(now, flight.rest)
  const schema = TABLES.flatMap(({ statements }) =>
    'sqlite' in statements ? statements.sqlite : statements,
  )
  const stores = beside?.stores ?? memoryStores({ clock, schema: [...schema, ...rows] })
  const query = async (sql: string, values: readonly (string | number | null)[]) =>
    stores.calls.query(sql, ...values)
  const call = (request: CallRequest) => runtime.call(request)
  const plans = storedPlans(stores.values, clock.now)
  const memories = ownMemories({ query, call })
  const all: Readonly<Record<string, object>> = {
    ...localPorts,
    travelStays: hotel,
    travelSearchNotes: storedSearchNotes(stores.values),
    travelPlans: plans,
    travelMemories: memories,
    travelData: storedTravelData({ query, call, memories, plans }),
    travelEmbeddings: noEmbeddings(),
    travelModel: noTripModel(),
    travelShares: ownShares({ query, call, publicUrl: 'https://travel.example' }),
    ...providers,
  }
  const { wrap = (provider) => provider } = options
  const runtime = createRuntime({
    tools,
    stores,
    clock,
    providers: Object.fromEntries(
      Object.entries(all).map(([name, provider]) => [name, wrap(flight.watched(provider), name)]),
    ),
  })
  let number = 0
  const callTool: TravelWorld['call'] = async (tool, input, { caller = ANN, ...rest } = {}) =>
    toEnvelope(
      await runtime.call({
        tool: tool.includes('.') ? tool : `travel.${tool}`,
        input,
        caller,
        surface: 'test',
        idempotencyKey: rest.idempotencyKey ?? `key-${number++}`,
      }),
    )
  return {
    runtime,
    stores,
    clock,
    hotel,
    pause: flight.rest,
    call: callTool,
    async data<T>(tool: string, input: object, caller = ANN) {
      const envelope = await callTool(tool, input, { caller })
      if (envelope.status !== 'success')
        throw new Error(`${tool}: ${JSON.stringify(envelope.error)}`)
      return envelope.data as T
    },
    close: () => runtime.stop(),
  }
}

const BOOKED = {
  bookingId: 'hotel-0',
  status: 'confirmed' as const,
  listingId: 'stay_1',
  name: 'House 1',
  checkin: '2027-05-10',
  checkout: '2027-05-12',
  guests: 2,
  total: { amount: '180.00', currency: 'EUR' },
  cancellation: { refundable: true, terms: [] },
  provider: 'hotel',
  owner: 'ann',
}
const ROWS = [
  ...[1, 2].map(
    (number) =>
      `insert into travel_memories (tenant, owner, id, content, category, session_id, created_at)
       values ('home', 'ann', 'mem_${number}', 'Likes rooms with a view and a hotel near the sea', 'user_preference', 's', ${number})`,
  ),
  ...[1, 2].map(
    (number) =>
      `insert into travel_shares (tenant, id, owner, plan_id, token_hash, created_at, expires_at)
       values ('home', 'share_${number}', 'ann', 'plan_1', '${sha256(`token-${number}`)}', 1, 9999999999999)`,
  ),
]

/** What the examples of the tools name, for the contract suite. */
export const openContractWorld: OpenContractWorld = async (tool) => {
  const fault: { kind: 'none' | 'hang' | 'fail' } = { kind: 'none' }
  const hotel = openTestHotel()
  for (const reference of ['bk_example1', 'bk_example2'])
    hotel.bookings.set(reference, { ...BOOKED, reference })
  const world = openTravelWorld({
    hotel,
    rows: ROWS,
    wrap: (provider, name) => withFaults(provider, isNear(tool, name) ? fault : { kind: 'none' }),
  })
  const plans = storedPlans(world.stores.values, world.clock.now)
  for (const planId of ['plan_1', 'plan_2'])
    await plans.change(
      {
        tenant: 'home',
        userId: 'ann',
        planId,
        idempotencyKey: planId,
        operation: {
          kind: 'create',
          fields: {
            title: 'Lisbon',
            destinations: ['Lisbon'],
            startDate: '2027-05-10',
            endDate: '2027-05-17',
            travelers: 2,
            budget: null,
            preferences: {},
          },
        },
      },
      new AbortController().signal,
    )
  return {
    runtime: world.runtime,
    clock: world.clock,
    caller: isInternal(tool) ? INTERNAL : ANN,
    pause: world.pause,
    effects: watchEffects(world),
    hang() {
      fault.kind = 'hang'
    },
    fail() {
      fault.kind = 'fail'
    },
    heal() {
      fault.kind = 'none'
    },
    close: world.close,
  }
}

const INTERNAL: Caller = { ...ANN, actor: 'system', capabilities: ['travel.operate'] }

function isInternal({ contract }: Tool): boolean {
  return contract.capabilityNames.includes('travel.operate')
}

// The stores of a composite's steps must stay reachable: only the tool's own ports fail.
// The climate is what answers when the weather fails.
function isNear(tool: Tool, provider: string): boolean {
  if (provider === 'travelClimate') return false
  return [...tool.ports.values()].some(({ name }) => name === provider)
}

/** Grows whenever something has changed outside. */
function watchEffects({ stores, hotel }: TravelWorld): () => Promise<number> {
  const seen = { text: '', count: 0 }
  return async () => {
    const text = JSON.stringify([
      await stores.calls.query('select tenant, owner, id from travel_memories'),
      await stores.calls.query('select id, revoked_at from travel_shares'),
      await stores.values.list('home', 'travel/plan/'),
      [...hotel.bookings],
    ])
    if (text !== seen.text) Object.assign(seen, { text, count: seen.count + 1 })
    return seen.count
  }
}

function withFaults(provider: object, fault: { readonly kind: string }): object {
  return Object.fromEntries(
    Object.entries(provider).map(([name, method]) => [
      name,
      (...args: readonly unknown[]) => {
        if (fault.kind === 'hang') return new Promise(() => undefined)
        if (fault.kind === 'fail')
          return Promise.reject(
            new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'The provider is unavailable.'),
          )
        return (method as (...given: readonly unknown[]) => unknown)(...args)
      },
    ]),
  )
}
