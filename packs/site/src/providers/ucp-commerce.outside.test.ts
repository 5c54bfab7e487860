import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { memoryStores } from '@surehand/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ucpCommerce } from './ucp-commerce.ts'

type Judge = {
  readonly safeParse: (value: unknown) => { readonly success: boolean }
  readonly strict: () => Judge
  readonly required: () => Judge
  readonly pick: (keys: Readonly<Record<string, true>>) => Judge
  readonly omit: (keys: Readonly<Record<string, true>>) => Judge
}
type Schemas = Readonly<
  Record<
    | 'CheckoutUpdateRequestSchema'
    | 'ExtendedCheckoutCreateRequestSchema'
    | 'ExtendedCheckoutUpdateRequestSchema'
    | 'ExtendedCheckoutResponseSchema'
    | 'UcpDiscoveryProfileSchema',
    Judge
  >
>

// The published schemas of the protocol, by its authors. The ES modules of the package name files
// without their ending, so Node can load the other build only.
const clients = join(import.meta.dirname, '../../../../scripts/clients/package.json')
const ucp = createRequire(clients)('@ucp-js/sdk') as Schemas

// A shop in the wire format of UCP 2026-04-08: full replacement by PUT, and one effect for a key.
// The SDK judges every request of ours (unknown keys are refused) and every answer of this shop.
type Line = { id: string; item: { id: string }; quantity: number }
type Body = { line_items?: Line[]; buyer?: object; discounts?: { codes: string[] } }
type Sent = { method: string; path: string; key: string | undefined; body: unknown }

let server: Server
let url: string
let sent: Sent[]
let effects: number
let status: string
let losesNextAnswer: boolean
let lines: Line[]
let entered: object
let refusal: object | undefined
let hasOldProfile: boolean
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const signal = new AbortController().signal
const shopper = { tenant: 'shop', session: 'ses_1' }

beforeEach(async () => {
  ;[sent, effects, status, losesNextAnswer, lines] = [[], 0, 'incomplete', false, []]
  ;[entered, refusal, hasOldProfile] = [{}, undefined, false]
  const answers = new Map<string, string>()
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { method = '', url: path = '', headers } = request
    const key = headers['idempotency-key'] as string | undefined
    const body = text === '' ? undefined : (JSON.parse(text) as Body)
    sent.push({ method, path, key, body })
    if (path !== '/.well-known/ucp') judgeRequest({ method, path, key, body }, headers)
    const known = key === undefined ? undefined : answers.get(key)
    const answer = known ?? JSON.stringify(refusal ?? respond(method, path, body))
    if (key !== undefined) answers.set(key, answer)
    if (losesNextAnswer && method !== 'GET') {
      losesNextAnswer = false
      response.destroy()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

const faults: unknown[] = []
afterEach(() => expect(faults.splice(0)).toEqual([]))

function judge(schema: Judge, value: unknown) {
  const judged = schema.safeParse(value)
  if (!judged.success) faults.push([value, judged])
}

function judgeRequest({ method, path, key, body }: Sent, headers: Record<string, unknown>): void {
  if (headers['ucp-agent'] !== 'profile="https://agent.example/site/ucp-profile"')
    faults.push(headers)
  if (!UUID.test(String(headers['request-id']))) faults.push(headers)
  if (method === 'GET') return
  if (!UUID.test(String(key))) faults.push(key)
  // The SDK has no schema for completing: a payment, and nothing that belongs to an update.
  if (path.endsWith('/complete'))
    judge(ucp.CheckoutUpdateRequestSchema.pick({ payment: true }).required().strict(), body)
  else if (method === 'POST') judge(ucp.ExtendedCheckoutCreateRequestSchema.strict(), body)
  else judge(ucp.ExtendedCheckoutUpdateRequestSchema.strict(), body)
}

function profile(): object {
  const version = '2026-04-08'
  const endpoint = `${url}/ucp`
  if (!hasOldProfile)
    return { ucp: { version, services: { 'dev.ucp.shopping': [{ transport: 'rest', endpoint }] } } }
  const service = {
    version,
    spec: 'https://ucp.dev',
    rest: { endpoint, schema: 'https://ucp.dev' },
  }
  const old = { ucp: { version, capabilities: [], services: { 'dev.ucp.shopping': service } } }
  judge(ucp.UcpDiscoveryProfileSchema, old)
  return old
}

/** Which lines a parcel holds is for the shop to say. */
function fillGroup(key: string, value: unknown): unknown {
  if (key !== 'groups') return value
  return (value as object[]).map((group) => ({ line_item_ids: [], ...group }))
}

function respond(method: string, path: string, body: Body | undefined): object {
  if (path === '/.well-known/ucp') return profile()
  if (method !== 'GET') effects++
  if (body?.line_items !== undefined) {
    const { line_items, ...rest } = body
    entered = JSON.parse(JSON.stringify(rest), fillGroup)
    lines = line_items.map((line, index) => ({ ...line, id: line.id ?? `li_${index + 1}` }))
  }
  if (path.endsWith('/complete')) status = 'completed'
  const sum = lines.reduce((total, { quantity }) => total + 1990 * quantity, 0)
  const { codes = [] } = (entered as Body).discounts ?? {}
  const answer = {
    ...entered,
    discounts: {
      codes,
      applied: codes
        .filter((code) => code !== 'OLD')
        .map((code) => ({ code, title: code, amount: 0 })),
    },
    ...(codes.includes('OLD') && {
      messages: [{ type: 'warning', code: 'discount_code_expired', content: 'OLD has expired.' }],
    }),
    id: 'chk_1',
    status,
    currency: 'EUR',
    line_items: lines.map(({ id, item, quantity }) => ({
      id,
      item: { id: item.id, title: 'Red roses', price: 1990 },
      quantity,
      totals: [{ type: 'total', amount: 1990 * quantity }],
    })),
    totals: [
      { type: 'subtotal', amount: sum },
      { type: 'fulfillment', amount: 290 },
      { type: 'fulfillment', amount: 200 },
      { type: 'total', amount: sum + 490 },
    ],
    links: [{ type: 'terms_of_service', url: `${url}/terms` }],
    continue_url: `${url}/pay`,
    ...(status === 'completed' ? { order: { id: 'ord_1', permalink_url: `${url}/ord_1` } } : {}),
  }
  // The SDK still has a list of capabilities, where the specification of 2026-04-08 has an object.
  judge(ucp.ExtendedCheckoutResponseSchema.omit({ ucp: true }), answer)
  return { ucp: { version: '2026-04-08', capabilities: {} }, ...answer }
}

const open = () =>
  ucpCommerce({
    accessFor: async () => ({ baseUrl: url, fetch }),
    values: memoryStores().values,
    now: () => Date.UTC(2026, 10, 16),
    profileUrl: 'https://agent.example/site/ucp-profile',
  })
const add = { shopper, productId: 'red-roses', quantity: 2, idempotencyKey: 'key-add-1' }

test('a product is added once, also when the answer is lost and the request repeated', async () => {
  const commerce = open()
  losesNextAnswer = true
  await expect(commerce.addLine(add, signal)).rejects.toMatchObject({ code: 'TOOL_NETWORK_ERROR' })
  const { cart } = await commerce.addLine(add, signal)
  expect(cart.lines).toMatchObject([{ quantity: 2, variantId: 'red-roses' }])
  expect(cart.totals).toMatchObject({ shipping: { amount: 490 }, total: { amount: 4470 } })
  expect(effects).toBe(1)
  const [first, second] = sent.filter(({ method }) => method === 'POST')
  expect(second).toEqual(first)
})

test('a second product replaces the checkout whole, and a quantity is set', async () => {
  const commerce = open()
  await commerce.addLine(add, signal)
  const more = { ...add, productId: 'tulips', idempotencyKey: 'key-add-2' }
  const { cartLineId } = await commerce.addLine(more, signal)
  const change = { shopper, cartLineId, quantity: 5, idempotencyKey: 'key-set-1' }
  const cart = await commerce.updateLine(change, signal)
  expect(cart.lines.map(({ quantity }) => quantity)).toEqual([2, 5])
  expect(sent.at(-1)).toMatchObject({ method: 'PUT', path: '/ucp/checkout-sessions/chk_1' })
})

test('an order waits for the visitor, is refused at another total, and is placed once', async () => {
  const commerce = open()
  const { cart } = await commerce.addLine(add, signal)
  const started = await commerce.startCheckout(
    { shopper, cartId: cart.cartId, returnUrl: url, idempotencyKey: 'key-start' },
    signal,
  )
  expect(started).toMatchObject({ state: 'payment_required', payUrl: `${url}/pay` })
  const order = {
    shopper,
    cartId: cart.cartId,
    checkoutToken: 'chk_1',
    expectedTotal: { amount: 4470, currency: 'EUR' },
    idempotencyKey: 'key-order',
  }
  await expect(commerce.placeOrder(order, signal)).rejects.toMatchObject({
    code: 'TOOL_GATE_CLOSED',
    details: { continue_url: `${url}/pay` },
  })
  status = 'ready_for_complete'
  const wrong = { ...order, expectedTotal: { amount: 1, currency: 'EUR' } }
  await expect(commerce.placeOrder(wrong, signal)).rejects.toMatchObject({
    details: { source_code: 'total_changed' },
  })
  const before = effects
  expect(await commerce.placeOrder(order, signal)).toMatchObject({ orderId: 'ord_1' })
  expect(await commerce.placeOrder(order, signal)).toMatchObject({ orderId: 'ord_1' })
  expect(effects).toBe(before + 1)
  const quote = await commerce.quote({ shopper, cartId: cart.cartId }, signal)
  expect(quote.terms).toEqual([`terms of service: ${url}/terms`])
})

test('what the visitor entered at the shop survives a change of the cart', async () => {
  const commerce = open()
  const { cart } = await commerce.addLine(add, signal)
  const address = { id: 'dest_1', street_address: 'Lindengasse 7', address_country: 'AT' }
  const instrument = { id: 'pi_1', handler_id: 'pay', type: 'card', selected: true }
  entered = {
    buyer: { email: 'ada@example.com' },
    payment: { instruments: [{ ...instrument, credential: { type: 'token', token: 'secret' } }] },
    fulfillment: {
      methods: [
        {
          id: 'ship_1',
          type: 'shipping',
          line_item_ids: ['li_1'],
          destinations: [address],
          selected_destination_id: 'dest_1',
          groups: [{ id: 'g_1', line_item_ids: ['li_1'], selected_option_id: 'bike' }],
        },
      ],
    },
  }
  const change = { shopper, cartLineId: cart.lines[0]?.cartLineId ?? '', quantity: 3 }
  await commerce.updateLine({ ...change, idempotencyKey: 'key-set' }, signal)
  expect(sent.at(-1)?.body).toEqual({
    buyer: { email: 'ada@example.com' },
    payment: { instruments: [instrument] },
    fulfillment: {
      methods: [
        {
          id: 'ship_1',
          type: 'shipping',
          line_item_ids: ['li_1'],
          destinations: [address],
          selected_destination_id: 'dest_1',
          groups: [{ id: 'g_1', selected_option_id: 'bike' }],
        },
      ],
    },
    line_items: [{ id: 'li_1', item: { id: 'red-roses' }, quantity: 3 }],
  })
})

test('a coupon that the shop rejects is refused, and is no coupon of the cart', async () => {
  const commerce = open()
  const { cart } = await commerce.addLine(add, signal)
  const coupon = { shopper, cartId: cart.cartId, code: 'SPRING', idempotencyKey: 'key-spring' }
  expect((await commerce.applyCoupon(coupon, signal)).coupons).toEqual(['SPRING'])
  const old = { ...coupon, code: 'OLD', idempotencyKey: 'key-old' }
  await expect(commerce.applyCoupon(old, signal)).rejects.toMatchObject({
    code: 'TOOL_INVALID_FIELD_VALUE',
    details: { source_code: 'discount_code_expired' },
  })
  expect((await commerce.cart({ shopper }, signal))?.coupons).toEqual(['SPRING'])
})

test('an answer without a checkout is a refusal with the words of the shop', async () => {
  const commerce = open()
  await commerce.addLine(add, signal)
  const content = 'All roses are gone.'
  refusal = {
    ucp: { version: '2026-04-08', status: 'error' },
    messages: [{ type: 'error', code: 'out_of_stock', content, severity: 'unrecoverable' }],
  }
  const more = { ...add, idempotencyKey: 'key-more' }
  await expect(commerce.addLine(more, signal)).rejects.toMatchObject({
    code: 'TOOL_GATE_CLOSED',
    effect: 'refused',
    message: `The shop refused it (out_of_stock): ${content} Nothing was changed.`,
  })
})

test('a profile in the form of the SDK is read too; one that leads elsewhere is not', async () => {
  hasOldProfile = true
  expect((await open().addLine(add, signal)).cart.lines).toHaveLength(1)
  refusal = {
    ucp: {
      services: { 'dev.ucp.shopping': [{ transport: 'rest', endpoint: 'https://evil.example' }] },
    },
  }
  await expect(open().addLine(add, signal)).rejects.toMatchObject({
    code: 'TOOL_CONFIGURATION_ERROR',
  })
})
