import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryStores } from '@surehand/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ucpCommerce } from './ucp-commerce.ts'

// A shop in the wire format of UCP 2026-04-08: full replacement by PUT, and one effect for a key.
type Line = { id: string; item: { id: string }; quantity: number }
type Sent = { method: string; path: string; key: string | undefined; body: unknown }

let server: Server
let url: string
let sent: Sent[]
let effects: number
let status: string
let losesNextAnswer: boolean
let lines: Line[]
const signal = new AbortController().signal
const shopper = { tenant: 'shop', session: 'ses_1' }

beforeEach(async () => {
  ;[sent, effects, status, losesNextAnswer, lines] = [[], 0, 'incomplete', false, []]
  const answers = new Map<string, string>()
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { method = '', url: path = '', headers } = request
    const key = headers['idempotency-key'] as string | undefined
    const body = text === '' ? undefined : (JSON.parse(text) as { line_items?: Line[] })
    sent.push({ method, path, key, body })
    const known = key === undefined ? undefined : answers.get(key)
    const answer = known ?? JSON.stringify(respond(method, path, body))
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

function respond(method: string, path: string, body: { line_items?: Line[] } | undefined): object {
  if (path === '/.well-known/ucp')
    return {
      ucp: {
        version: '2026-04-08',
        services: { 'dev.ucp.shopping': [{ transport: 'rest', endpoint: `${url}/ucp` }] },
      },
    }
  if (method !== 'GET') effects++
  if (body?.line_items !== undefined)
    lines = body.line_items.map((line, index) => ({ ...line, id: line.id ?? `li_${index + 1}` }))
  if (path.endsWith('/complete')) status = 'completed'
  const sum = lines.reduce((total, { quantity }) => total + 1990 * quantity, 0)
  return {
    ucp: { version: '2026-04-08', capabilities: [] },
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
      { type: 'fulfillment', amount: 490 },
      { type: 'total', amount: sum + 490 },
    ],
    links: [{ type: 'terms_of_service', url: `${url}/terms` }],
    continue_url: `${url}/pay`,
    ...(status === 'completed' ? { order: { id: 'ord_1', permalink_url: `${url}/ord_1` } } : {}),
  }
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
  expect(cart.totals.total).toEqual({ amount: 4470, currency: 'EUR' })
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
