import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Caller, type Envelope, toEnvelope } from '@surehand/core'
import { readJsonLines, seededRandom } from '@surehand/testing'
import { openSiteApp } from '../../src/fixtures/site-app.ts'
import { VISIT } from '../../src/visitor-contract.ts'

// One process that checks out its share of the visitors: each fills a cart, starts the checkout and
// places the order, every step under a key of its own, and approves what it is asked. It may be
// killed at any moment and started again: then it goes on with the visitors that are not in its file.

process.once('disconnect', () => process.exit(1))

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: '' },
    shop: { type: 'string', default: '' },
    file: { type: 'string', default: '' },
    visitors: { type: 'string', default: '0' },
    nodes: { type: 'string', default: '1' },
    index: { type: 'string', default: '0' },
    /** How many of a hundred requests to the shop lose their answer or are never sent. */
    faults: { type: 'string', default: '0' },
    /** Hangs at the order of visitor 0 before it is sent, and of visitor 1 after its answer. */
    hang: { type: 'boolean', default: false },
  },
})

export type NodeRecord =
  | { readonly kind: 'hanging'; readonly visitor: number }
  | { readonly kind: 'approved'; readonly visitor: number; readonly total: number }
  | { readonly kind: 'ended'; readonly visitor: number; readonly order: string }
  /** Two processes died with the call in hand: it is left to a person, and not tried again. */
  | { readonly kind: 'unknown'; readonly visitor: number; readonly call: string }
  | { readonly kind: 'differs'; readonly visitor: number; readonly text: string }

const CONCURRENCY = 3
const RETRY_MS = 150
const random = seededRandom(`${values.index} ${process.pid}`)

/** The network of a bad day: what was sent may have arrived although its answer did not. */
const badFetch: typeof fetch = async (input, init) => {
  const isOrder = init?.method === 'POST' && String(input).endsWith('/api/orders')
  if (values.hang && isOrder) await hangAt(input, init)
  if (!random.is(Number(values.faults) / 100)) return fetch(input, init)
  const isSent = random.is(0.7)
  if (isSent) await (await fetch(input, init)).text()
  const code = isSent ? 'ECONNRESET' : 'ECONNREFUSED'
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}

let orders = 0
async function hangAt(...request: Parameters<typeof fetch>): Promise<never> {
  const visitor = orders++
  if (visitor === 1) await fetch(...request)
  record({ kind: 'hanging', visitor })
  return new Promise<never>(() => {})
}

const isPostgres = values.database.startsWith('postgres')
const app = await openSiteApp({
  ...(isPostgres ? { postgresUrl: values.database } : { file: values.database }),
  settings: { SITE_SHOP_URL: values.shop },
  fetch: badFetch,
  leaseMs: 2_000,
})
const commerce = { adapter: 'shop', url: values.shop, checkoutTakesPayment: false }
const contract = { version: 1, name: 'Shop', origins: [values.shop], commerce }
await app.operate('site.connect', { contract }, 'connect')
app.runtime.start()
process.send?.('ready')

const ended = new Set(
  readJsonLines<NodeRecord>(values.file).flatMap((one) =>
    one.kind === 'ended' || one.kind === 'unknown' ? [one.visitor] : [],
  ),
)
const waiting = Array.from({ length: Number(values.visitors) }, (_, visitor) => visitor).filter(
  (visitor) => visitor % Number(values.nodes) === Number(values.index) && !ended.has(visitor),
)
await Promise.all(Array.from({ length: CONCURRENCY }, work))
await app.close()
process.exit(0)

// A visitor whose call is still being recovered goes to the end of the queue and holds up no other.
async function work(): Promise<void> {
  for (let visitor = waiting.shift(); visitor !== undefined; visitor = waiting.shift()) {
    const end = await checkOut(visitor).catch(() => undefined)
    if (end !== undefined) record({ visitor, ...end })
    else {
      waiting.push(visitor)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

type End =
  | { readonly kind: 'ended'; readonly order: string }
  | { readonly kind: 'unknown'; readonly call: string }

/** How it ended; undefined where something has to be tried again under the same keys. */
async function checkOut(visitor: number): Promise<End | undefined> {
  const caller = callerOf(visitor)
  const call = async (tool: string, input: object, key: string): Promise<Envelope> =>
    toEnvelope(
      await app.runtime.call({ tool, input, caller, surface: 'chaos', idempotencyKey: key }),
    )
  const added = await call('commerce.addToCart', productOf(visitor), uuidOf(visitor, 0))
  const cartId = (added.data as { cart: { cartId: string } } | null)?.cart.cartId
  if (cartId === undefined) return findUnknown(added)
  // An attempt that the shop refused (its cart was changed) is followed by one with keys of its own.
  for (let attempt = 0; attempt < 5; attempt++) {
    const start = { cartId, returnUrl: `${values.shop}/cart` }
    const started = await call('commerce.startCheckout', start, `start-${visitor}-${attempt}`)
    const { checkoutToken } = (started.data ?? {}) as { checkoutToken?: string }
    if (checkoutToken === undefined) return findUnknown(started)
    const input = { cartId, checkoutToken }
    const place = () => call('commerce.placeOrder', input, `order-${visitor}-${attempt}`)
    const copies = visitor % 5 === 4 ? 2 : 1
    const [answer] = await Promise.all(Array.from({ length: copies }, place))
    if (answer?.status === 'success') return repeat(visitor, answer, place)
    const id = answer?.metadata.pending?.approval_id
    if (id !== undefined) {
      if (visitor % 7 === 6)
        await call('commerce.addToCart', productOf(visitor), uuidOf(visitor, 1))
      await approve(caller, id, visitor)
      return undefined
    }
    const { source_code: code } = (answer?.error?.details ?? {}) as { source_code?: string }
    if (code !== 'checkout_expired') return findUnknown(answer)
  }
  return undefined
}

/** A repetition after the end must be answered with the same order. */
async function repeat(
  visitor: number,
  { data }: Envelope,
  place: () => Promise<Envelope>,
): Promise<End | undefined> {
  const again = await place()
  if (again.status !== 'success') return undefined
  const [first, second] = [JSON.stringify(data), JSON.stringify(again.data)]
  if (first !== second) record({ kind: 'differs', visitor, text: `${first} and ${second}` })
  return { kind: 'ended', order: (data as { orderId: string }).orderId }
}

function findUnknown(answer: Envelope | undefined): End | undefined {
  const isUnknown = answer?.error?.code === 'TOOL_OUTCOME_UNKNOWN'
  return isUnknown ? { kind: 'unknown', call: answer.metadata.call_id } : undefined
}

async function approve(caller: Caller, id: string, visitor: number): Promise<void> {
  const { shown, digest } = await app.runtime.approvals.getFor(caller, id)
  const { facts } = JSON.parse(shown) as { facts: { amount: number } }
  // Before the decision: a kill in between leaves a line too many, never one too few.
  record({ kind: 'approved', visitor, total: facts.amount })
  await app.runtime.approvals.decide(caller, id, { verdict: 'approve', digest })
}

function callerOf(visitor: number): Caller {
  const session = `ses_${visitor}`
  return {
    tenant: 'shop',
    principal: `visitor-${visitor}`,
    actor: 'user',
    roles: [],
    capabilities: [VISIT],
    session,
  }
}

function productOf(visitor: number): object {
  return { productId: 'red-roses', quantity: 1 + (visitor % 3) }
}

function uuidOf(visitor: number, step: number): string {
  return `aaaaaaaa-000${step}-4000-8000-${String(visitor).padStart(12, '0')}`
}

function record(entry: NodeRecord): void {
  appendFileSync(values.file, `${JSON.stringify(entry)}\n`)
}
