import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Caller, type Envelope, toEnvelope } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  approval,
  launch,
  openWidget,
  PATIENT,
  sentence,
  type,
  visit,
  widget,
} from '../testing/widget-visit.ts'
import { awaitIndex, openSiteServer, type SiteServer } from './fixtures/site-server.ts'
import { askVendure, openStorefront, type Storefront } from './fixtures/vendure-storefront.ts'
import { VISIT } from './visitor-contract.ts'

// The commerce tools and a visit against a Vendure shop: software that nobody here has written.
let vendure: ChildProcess
let storefront: Storefront
let app: SiteServer
/** Whether the answer to the next request that contains it is lost on its way. */
let losesAnswerTo: string | undefined

const losingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (losesAnswerTo === undefined || !String(init?.body).includes(losesAnswerTo)) return response
  losesAnswerTo = undefined
  await response.arrayBuffer()
  throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
}

beforeAll(async () => {
  const folder = join(import.meta.dirname, '..', 'vendure')
  vendure = spawn(process.execPath, [join(folder, 'start-vendure.mjs')], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const url = await readUrl(vendure)
  storefront = await openStorefront(url)
  app = await openSiteServer({ settings: { SITE_SHOP_URL: url }, fetch: losingFetch })
  const guest = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    emailAddress: 'ada@example.com',
    streetLine1: 'Unter den Linden 1',
    city: 'Berlin',
    postalCode: '10117',
    countryCode: 'DE',
  }
  const commerce = {
    adapter: 'vendure',
    url,
    checkoutTakesPayment: false,
    paymentMethod: 'standard-payment',
    terms: ['Returns within 14 days.'],
    guest,
  }
  const origins = [storefront.url]
  const contract = { version: 1, name: 'Vendure', origins, commerce }
  expect((await app.operate('site.connect', { contract })).error).toBeUndefined()
}, 120_000)
afterAll(async () => {
  await app?.close()
  await storefront?.close()
  vendure.kill('SIGKILL')
  await once(vendure, 'close')
})

async function readUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout !== null)
    for await (const line of createInterface({ input: stdout }))
      if (line.startsWith('{')) return (JSON.parse(line) as { url: string }).url
  throw new Error('Vendure ended before it listened.')
}

function visitor(session: string) {
  const caller: Caller = {
    tenant: 'shop',
    principal: session,
    actor: 'user',
    roles: [],
    capabilities: [VISIT],
    session,
  }
  const call = async (tool: string, input: object, key?: string): Promise<Envelope> => {
    const keyed = key === undefined ? {} : { idempotencyKey: key }
    return toEnvelope(await app.runtime.call({ tool, input, caller, surface: 'test', ...keyed }))
  }
  const data = async <T>(tool: string, input: object, key?: string): Promise<T> => {
    const answer = await call(tool, input, key)
    if (answer.status !== 'success') throw new Error(`${tool}: ${JSON.stringify(answer.error)}`)
    return answer.data as T
  }
  const approve = async (asked: Envelope): Promise<Envelope> => {
    if (asked.metadata.pending === undefined) throw new Error(JSON.stringify(asked.error))
    const id = asked.metadata.pending.approval_id
    const { digest } = await app.runtime.approvals.getFor(caller, id)
    await app.runtime.approvals.decide(caller, id, { verdict: 'approve', digest })
    const read = async () => app.runtime.answer(caller, asked.metadata.call_id)
    // A worker of the runtime does what was approved.
    await expect.poll(async () => (await read())?.status).toMatch(/^(?:done|failed)$/)
    const answer = await read()
    if (answer === undefined) throw new Error('There is no answer.')
    return toEnvelope(answer)
  }
  return { call, data, approve }
}

type Changed = {
  readonly cartLineId: string
  readonly cart: {
    readonly cartId: string
    readonly lines: readonly { readonly quantity: number }[]
    readonly totals: { readonly total: { readonly amount: number } }
  }
}
const uuid = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`
const ROSES = '1'

test('variants have prices, attributes and stock', async () => {
  const { variants } = await visitor('variants').data<{ variants: object[] }>(
    'commerce.listVariants',
    { productId: ROSES },
  )
  expect(variants).toMatchObject([
    { name: 'Red roses small', inStock: true, attributes: { size: 'small' } },
    { name: 'Red roses large', inStock: true, attributes: { size: 'large' } },
  ])
})

describe('an order', () => {
  test('is filled, changed, checked out and placed once', async () => {
    const { call, data, approve } = visitor('order')
    const added = await data<Changed>(
      'commerce.addToCart',
      { productId: ROSES, quantity: 2 },
      uuid(1),
    )
    const { cartLineId } = added
    const changed = await data<Changed>('commerce.updateQuantity', { cartLineId, quantity: 3 })
    expect(changed.cart.lines).toMatchObject([{ quantity: 3 }])
    const { cartId } = changed.cart
    const checkout = await data<{ checkoutToken: string }>(
      'commerce.startCheckout',
      { cartId, returnUrl: `${storefront.url}/` },
      'checkout-1',
    )
    const input = { cartId, checkoutToken: checkout.checkoutToken }
    const asked = await call('commerce.placeOrder', input, 'place-1')
    expect(asked.metadata.pending?.asks).toMatch(/^Place the order \(3 × Red roses small/)
    const placed = await approve(asked)
    expect(placed).toMatchObject({ status: 'success', data: { state: 'paid', cartId } })
    const again = await call('commerce.placeOrder', input, 'place-1')
    expect([again.metadata.source, again.data]).toEqual(['replayed', placed.data])
  })

  test('whose answer is lost on its way is not placed twice', async () => {
    const { call, data, approve } = visitor('lost')
    const { cart } = await data<Changed>('commerce.addToCart', { productId: ROSES }, uuid(2))
    const { cartId } = cart
    await data('commerce.startCheckout', { cartId, returnUrl: `${storefront.url}/` }, 'checkout-2')
    const asked = await call('commerce.placeOrder', { cartId, checkoutToken: cartId }, 'place-2')
    losesAnswerTo = 'addPaymentToOrder'
    expect(await approve(asked)).toMatchObject({
      status: 'success',
      data: { cartId, state: 'paid' },
    })
    expect(losesAnswerTo).toBeUndefined()
  })
})

test('an addition whose answer is lost on its way is not added twice', async () => {
  const { data } = visitor('twice')
  losesAnswerTo = 'addItemToOrder'
  const input = { productId: ROSES, quantity: 2 }
  const added = await data<Changed>('commerce.addToCart', input, uuid(3))
  expect(losesAnswerTo).toBeUndefined()
  expect(added.cart.lines).toMatchObject([{ quantity: 2 }])
})

test('what Vendure refuses is refused with its reason', async () => {
  const { call, data } = visitor('refused')
  const { cart } = await data<Changed>('commerce.addToCart', { productId: ROSES }, uuid(4))
  const refused = await call(
    'commerce.applyCoupon',
    { cartId: cart.cartId, code: 'NOPE' },
    'coupon-1',
  )
  expect(refused.error?.message).toMatch(/COUPON_CODE_INVALID_ERROR/)
  const { cartLineId } = await data<Changed>('commerce.addToCart', { productId: '2' }, uuid(5))
  const left = await data<Changed>('commerce.removeFromCart', { cartLineId })
  expect(left.cart.lines).toHaveLength(1)
})

test('two visitors have two carts', async () => {
  const [ann, bob] = [visitor('ann'), visitor('bob')]
  const first = await ann.data<Changed>('commerce.addToCart', { productId: ROSES }, uuid(6))
  const second = await bob.data<Changed>('commerce.addToCart', { productId: ROSES }, uuid(7))
  expect(second.cart.cartId).not.toBe(first.cart.cartId)
})

type Placed = { readonly lines: readonly { readonly quantity: number }[] }

/** The orders that Vendure's administrator sees. */
async function readOrders(): Promise<readonly Placed[]> {
  const url = (app.services.setting('SITE_SHOP_URL') ?? '').replace('shop-api', 'admin-api')
  const signIn = 'mutation { login(username: "superadmin", password: "superadmin") { __typename } }'
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: signIn }),
  })
  await response.arrayBuffer()
  const token = response.headers.get('vendure-auth-token') ?? ''
  const query = `{ orders(options: { filter: { active: { eq: false } }, take: 100 }) {
    items { lines { quantity } } } }`
  const { data } = (await askVendure(url, query, token)) as {
    data: { orders: { items: readonly Placed[] } }
  }
  return data.orders.items
}

test('a visitor in a browser finds, adds two, checks out and approves: exactly one order', async () => {
  const { data: created } = await app.operate('site.create_key', { name: 'Storefront' })
  const { key } = created as { readonly key: string }
  storefront.embed(`<script src="${app.url}/site/bridge.js" data-key="${key}" defer></script>`)
  expect((await app.operate('site.refresh_index', {})).data).toMatchObject({ read: 2 })
  await awaitIndex(app)
  const before = await readOrders()
  const browser = await launch(inject('chromium'))
  const complaints: string[] = []
  const page = await visit(browser, `${storefront.url}/`, { complaints })
  await openWidget(page)
  // The message arrives twice, as it does when an answer is lost on its way.
  await page.route('**/site/turns', async (route) => {
    await route.fetch()
    await route.continue()
  })
  await type(page, 'find red roses under 40, add two, check out')
  await page.waitForURL('**/products/red-roses', PATIENT)
  await approval(page).waitFor(PATIENT)
  expect(await approval(page).textContent()).toMatch(/2 × Red roses small/)
  expect(await readOrders()).toEqual(before)
  // So is the answer of Vendure to the payment.
  losesAnswerTo = 'addPaymentToOrder'
  await widget(page).getByRole('button', { name: 'Yes, do it', disabled: false }).click(PATIENT)
  await sentence(page, /The order .* is placed/).waitFor(PATIENT)
  expect(losesAnswerTo).toBeUndefined()
  const placed = await readOrders()
  expect(placed).toHaveLength(before.length + 1)
  expect(placed).toContainEqual({ lines: [{ quantity: 2 }] })
  expect(complaints).toEqual([])
  await browser.close()
})
