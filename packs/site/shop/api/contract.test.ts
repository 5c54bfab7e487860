import { foreignSchemas } from '@surehand/json-schema'
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS, openApiDocument } from '../discovery/discovery-routes.ts'
import { openTestShop, type TestShop } from '../fixtures/test-shop.ts'
import { ROUTES } from '../start-shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(async () => {
  expect(shop.bugs).toEqual([])
  await shop.stop()
})

const key = (name: string) => ({ 'idempotency-key': name.padEnd(8, '-') })
const EUR = (amount: number) => ({ amount, currency: 'EUR' })

test('the document has every operation of the API once, and no other', () => {
  const served = ROUTES.filter(({ path }) => path.startsWith('/api/')).map(
    ({ method, path }) => `${method} ${path}`,
  )
  const documented = OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(served.sort()).toEqual(documented.sort())
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length)
})

test('every write is repeatable, and agents confirm what cannot be undone', () => {
  for (const { id, method, keyed, sideEffects } of OPERATIONS)
    expect([id, keyed === true, sideEffects !== 'none']).toEqual([
      id,
      method !== 'get',
      method !== 'get',
    ])
  const confirmed = OPERATIONS.filter(({ agent }) => agent?.confirmRequired).map(({ id }) => id)
  expect(confirmed).toEqual(['placeOrder', 'cancelOrder', 'bookSlot', 'cancelBooking'])
})

describe('answers have the shape of the document', () => {
  const { compile } = foreignSchemas()
  type Document = {
    components: { schemas: object }
    paths: Record<string, Record<string, DocumentedOperation>>
  }
  type DocumentedOperation = {
    responses: Record<string, { content: Record<string, { schema: object }> }>
  }
  const document = openApiDocument('http://x') as unknown as Document

  function requireShape(id: string, status: number, body: unknown): void {
    const operation = OPERATIONS.find((one) => one.id === id)
    const documented = document.paths[operation?.path ?? '']?.[operation?.method ?? '']
    const content = documented?.responses[String(status)]?.content ?? {}
    const schema = Object.values(content)[0]?.schema
    expect(schema, `${id} ${status}`).toBeDefined()
    const { parse } = compile({ components: document.components, ...schema } as Parameters<
      typeof compile
    >[0])
    const parsed = parse(body)
    expect(parsed.ok ? [] : parsed.problems, `${id} ${status}`).toEqual([])
  }

  async function ask(id: string, path: string, body?: unknown) {
    const operation = OPERATIONS.find((one) => one.id === id)
    const method = (operation?.method ?? 'get').toUpperCase()
    const answer = await shop.api(method, path, body, operation?.keyed ? key(`${id}-${path}`) : {})
    requireShape(id, answer.status, answer.body)
    return answer.body
  }

  test('of the catalogue', async () => {
    await ask('listCategories', '/api/categories')
    await ask('listProducts', '/api/products?colour=red&maxPrice=4000&sort=price&limit=2')
    await ask('getProduct', '/api/products/red-roses')
    await ask('listVariants', '/api/products/red-roses/variants')
    await ask('search', '/api/search?q=roses')
    await ask('getProduct', '/api/products/nothing')
    await ask('listProducts', '/api/products?maxPrice=cheap')
  })

  test('of shopping', async () => {
    await ask('getSessionCart', '/api/sessions/session-shape/cart')
    const line = { productId: 'red-roses', quantity: 2, notes: 'With love' }
    const { cart } = await ask('addSessionLine', '/api/sessions/session-shape/lines', line)
    await ask('createCart', '/api/carts', {})
    const path = `/api/carts/${cart.cartId}`
    await ask('addCartLine', `${path}/lines`, { productId: 'poplin-shirt' })
    await ask('updateCartLine', `${path}/lines/${cart.lines[0]?.lineId}`, { quantity: 1 })
    await ask('applyCoupon', `${path}/coupons`, { code: 'firstbloom' })
    await ask('quoteCart', `${path}/quote`)
    const checkout = await ask('startCheckout', `${path}/checkouts`, { returnUrl: shop.url })
    await ask('getCheckout', `/api/checkouts/${checkout.checkoutToken}`)
    const expectedTotal = checkout.totals.total
    const order = await ask('placeOrder', '/api/orders', {
      checkoutToken: checkout.checkoutToken,
      expectedTotal,
    })
    await ask('getOrder', `/api/orders/${order.orderId}`)
    await ask('getCartOrder', `${path}/order`)
    await ask('getSessionCart', '/api/sessions/session-shape/cart')
    await ask('cancelOrder', `/api/orders/${order.orderId}/cancellation`, {})
    await ask('listOrders', '/api/orders')
  })

  test('of booking', async () => {
    await ask('listResources', '/api/resources')
    await ask('listSlots', '/api/slots?limit=5&state=all&session=session-shape')
    const slotId = 'slot_fitting_20261119T1400'
    await ask('quoteSlot', `/api/slots/${slotId}/quote`)
    const hold = await ask('holdSlot', '/api/holds', {
      slotId,
      session: 'session-shape',
      customer: { name: 'Ann' },
    })
    await ask('getHold', `/api/holds/${hold.holdId}`)
    const booking = await ask('bookSlot', '/api/bookings', {
      slotId,
      session: 'session-shape',
      expectedPrice: EUR(2500),
      notes: 'Shoes',
    })
    await ask('getBooking', `/api/bookings/${booking.bookingId}`)
    await ask('cancelBooking', `/api/bookings/${booking.bookingId}/cancellation`, { reason: 'ill' })
    await ask('getCancellationPolicy', '/api/policies/cancellation')
  })
})

describe('search', () => {
  test.each([
    ['red roses under 40', 'red-roses'],
    ['find red roses under 40', 'red-roses'],
    ['rote Rosen unter 40 Euro', 'red-roses'],
    ['waistcoat', 'check-waistcoat'],
    ['Gutschein', 'gift-voucher'],
  ])('"%s" finds %s first', async (query, product) => {
    const { body } = await shop.api('GET', `/api/search?q=${encodeURIComponent(query)}`)
    expect(body.items[0]?.productId).toBe(product)
  })

  test('a price limits what is found', async () => {
    const { body } = await shop.api('GET', '/api/search?q=roses+under+20')
    expect(body.items.map(({ productId }) => productId)).toEqual(['single-red-rose'])
  })
})

describe('GraphQL', () => {
  const query = (text: string, variables = {}) =>
    shop.api('POST', '/graphql', { query: text, variables })

  test('answers introspection with a schema that clients can build', async () => {
    const { body } = await query(getIntrospectionQuery())
    const schema = buildClientSchema(body.data as unknown as IntrospectionQuery)
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toContain('addCartLine')
  })

  test('adds once for a key', async () => {
    const created = await query('mutation { createCart(idempotencyKey: "gql-create") { cartId } }')
    const { cartId } = created.body.data.createCart as { readonly cartId: string }
    const add = () =>
      query(
        'mutation ($cart: ID!) { addCartLine(cartId: $cart, line: { productId: "peonies", quantity: 2 }, idempotencyKey: "gql-add-1") { cart { revision lines { quantity } } } }',
        { cart: cartId },
      )
    const [first, second] = [await add(), await add()]
    expect(first.body.data).toMatchObject({
      addCartLine: { cart: { revision: 1, lines: [{ quantity: 2 }] } },
    })
    expect(second.body).toEqual(first.body)
  })

  test('refuses with the codes of the API', async () => {
    const { body } = await query('{ cart(cartId: "cart_none") { cartId } }')
    expect(body.errors[0]?.extensions).toEqual({ code: 'not_found' })
    const many = await query('{ products(first: 5000) { total } }')
    expect(many.body.errors[0]?.extensions).toEqual({ code: 'invalid_request' })
    const deep = await shop.api('POST', '/graphql', { query: '{a'.repeat(40) })
    expect(deep.body.code).toBe('invalid_request')
  })
})
