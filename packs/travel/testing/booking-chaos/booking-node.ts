import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Caller, createRuntime, type Envelope, type Runtime, toEnvelope } from '@surehand/core'
import { openPostgres, openSqlite } from '@surehand/sql'
import { storedSearchNotes } from '../../src/providers/choose-providers.ts'
import { bookAccommodation } from '../../src/stays/book-accommodation.ts'
import { duffelStays } from '../../src/stays/providers/duffel-stays.ts'

// One process that books its share of the orders, each with its own key, and approves what it is
// asked. It may be killed at any moment and started again: then it goes on with the orders that are
// not in its file.

process.once('disconnect', () => process.exit(1))

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: '' },
    duffel: { type: 'string', default: '' },
    file: { type: 'string', default: '' },
    orders: { type: 'string', default: '0' },
    nodes: { type: 'string', default: '1' },
    index: { type: 'string', default: '0' },
  },
})

export type NodeRecord =
  | { readonly kind: 'approved'; readonly order: number; readonly total: string }
  | {
      readonly kind: 'ended'
      readonly order: number
      readonly status: string
      readonly reference?: string
    }

const CONCURRENCY = 6
const RETRY_MS = 150
const DAY_MS = 86_400_000
const guest = {
  givenName: 'Ann',
  familyName: 'Example',
  email: 'ann@example.com',
  phoneNumber: '+351000000',
}
const ANN: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: ['travel.book'],
  session: 'session-of-ann',
}

const stores = values.database.startsWith('postgres')
  ? await openPostgres({ url: values.database })
  : await openSqlite({ file: values.database })
const access = { baseUrl: values.duffel, key: 'test_token', fetchFor: () => fetch }
const lisbon = {
  placeId: 'lisbon',
  location: { lat: 38.72, lng: -9.14 },
  precision: 'place',
  provider: 'test',
} as const
const stays = duffelStays(access, { geocoder: { geocode: async () => [lisbon] }, now: Date.now })
const runtime = createRuntime({
  tools: [bookAccommodation],
  stores,
  providers: { travelStays: stays, travelSearchNotes: storedSearchNotes(stores.values) },
  leaseMs: 5_000,
})
runtime.start()
process.send?.('ready')

const ended = new Set(
  readRecords().flatMap((record) => (record.kind === 'ended' ? [record.order] : [])),
)
const waiting = Array.from({ length: Number(values.orders) }, (_, order) => order).filter(
  (order) => order % Number(values.nodes) === Number(values.index) && !ended.has(order),
)
await Promise.all(Array.from({ length: CONCURRENCY }, work))
await runtime.stop()
await stores.close()
process.exit(0)

// An order whose outcome is being looked up goes to the end of the queue, so that it holds up no other.
async function work(): Promise<void> {
  for (let order = waiting.shift(); order !== undefined; order = waiting.shift())
    if (!(await bookAndRecord(order))) {
      waiting.push(order)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
}

/** Returns whether the order has ended. */
async function bookAndRecord(order: number): Promise<boolean> {
  const envelope = await bookOnce(order).catch(() => undefined)
  const status = envelope === undefined ? undefined : endOf(envelope)
  if (envelope === undefined || status === undefined) return false
  const { reference } = (envelope.data ?? {}) as { readonly reference?: string }
  record({ kind: 'ended', order, status, ...(reference === undefined ? {} : { reference }) })
  return true
}

function endOf({ status, error }: Envelope): string | undefined {
  if (status === 'success') return 'booked'
  const { source_code: code } = (error?.details ?? {}) as { readonly source_code?: unknown }
  const isGone = code === 'listing_unavailable'
  return isGone ? 'unavailable' : undefined
}

async function bookOnce(order: number): Promise<Envelope> {
  const day = (offset: number): string =>
    new Date(Date.parse('2098-01-01') + (order + offset) * DAY_MS).toISOString().slice(0, 10)
  const dates = { checkin: day(0), checkout: day(2), guests: 2 }
  const search = { tenant: 'home', userId: 'ann', location: 'Lisbon', ...dates }
  const { listings } = await stays.search(search, AbortSignal.timeout(10_000))
  const listingId = listings[0]?.listingId ?? 'none'
  const envelope = toEnvelope(
    await runtime.call({
      tool: 'travel.bookAccommodation',
      input: { ...dates, listingId, guest },
      caller: ANN,
      surface: 'chaos',
      idempotencyKey: `order-${order}`,
    }),
  )
  const id = envelope.metadata.pending?.approval_id
  if (id === undefined) return envelope
  await approve(runtime, id, order)
  return envelope
}

async function approve(on: Runtime, id: string, order: number): Promise<void> {
  const { shown, digest } = await on.approvals.get('home', id)
  const { facts } = JSON.parse(shown) as { facts: { total: { amount: string } } }
  // Before the decision: a kill in between leaves a line too many, never one too few.
  record({ kind: 'approved', order, total: facts.total.amount })
  await on.approvals.decide(ANN, id, { verdict: 'approve', digest })
}

function record(entry: NodeRecord): void {
  appendFileSync(values.file, `${JSON.stringify(entry)}\n`)
}

function readRecords(): readonly NodeRecord[] {
  if (!existsSync(values.file)) return []
  return readFileSync(values.file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): NodeRecord => JSON.parse(line))
}
