import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningShop, startShop } from '../shop/start-shop.ts'
import { memoryPorts } from './fixtures/memory-ports.ts'
import { openSiteApp, type SiteApp } from './fixtures/site-app.ts'
import { VISIT } from './visitor-contract.ts'

// The tools over the demo shop's own API, in its own store.
let app: SiteApp
let shop: RunningShop
let folder: string
let now = Date.now()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'surehand-shop-'))
  let count = 0
  shop = await startShop({
    port: 0,
    folder,
    now: () => now,
    newId: (prefix) => `${prefix}_${++count}x${'0'.repeat(20)}`,
  })
  const { pageBridge } = memoryPorts().providers
  app = await openSiteApp({ providers: { pageBridge }, settings: { SITE_SHOP_URL: shop.url } })
  await app.operate('site.connect', {
    contract: {
      version: 1,
      name: 'Thorn & Thimble',
      origins: [shop.url],
      sitemap: `${shop.url}/sitemap.xml`,
      search: `${shop.url}/api/search?q={query}`,
      commerce: { adapter: 'shop', url: shop.url, checkoutTakesPayment: false },
      booking: { adapter: 'shop', url: shop.url },
    },
  })
})
afterAll(async () => {
  await app.close()
  await shop.stop()
  rmSync(folder, { recursive: true, force: true })
})

function visitor(session: string) {
  const caller = {
    tenant: 'shop',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [VISIT],
    session,
    timeZone: 'Europe/Berlin',
  } as const
  const call = async (tool: string, input: object, key?: string): Promise<Envelope> => {
    const { toEnvelope } = await import('@surehand/core')
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
    const { toEnvelope } = await import('@surehand/core')
    const answer = await app.runtime.answer(caller, asked.metadata.call_id)
    if (answer === undefined) throw new Error('There is no answer.')
    return toEnvelope(answer)
  }
  return { call, data, approve }
}

type CartAnswer = {
  cartLineId: string
  cart: { cartId: string; revision: number; lines: { quantity: number }[] }
}
type Found = { items: { title: string; url: string; productId?: string; score: number }[] }

describe('the index of the site', () => {
  test('is read from the sitemap as robots.txt allows, and only what has changed is read again', async () => {
    const first = (await app.operate('site.refresh_index', {})).data as { read: number }
    expect(first).toMatchObject({ problems: [], unchanged: 0 })
    expect(first.read).toBeGreaterThan(20)
    const again = (await app.operate('site.refresh_index', {})).data as { read: number }
    expect(again.read).toBeLessThan(first.read)
  })

  test('finds products with their ids, prices as filters, and articles', async () => {
    const { data } = visitor('search')
    const roses = await data<Found>('search.siteSearch', { query: 'red roses' })
    expect(roses.items[0]?.productId).toMatch(/rose/)
    const cheap = await data<Found>('search.siteSearch', {
      query: 'roses',
      filters: [{ field: 'price', op: 'lte', value: 3000 }],
    })
    expect(cheap.items.length).toBeLessThan(
      (await data<Found>('search.siteSearch', { query: 'roses' })).items.length + 1,
    )
    const nothing = await data<Found>('search.siteSearch', { query: 'zzxqy' })
    expect(nothing.items).toEqual([])
  })

  test('of one tenant is not seen by another', async () => {
    const answer = await app.runtime.call({
      tool: 'search.siteSearch',
      input: { query: 'roses' },
      caller: { tenant: 'other', principal: 'bob', actor: 'user', roles: [], capabilities: [] },
      surface: 'test',
    })
    expect(answer).toMatchObject({ status: 'done', data: { items: [] } })
  })

  test('suggests what to look at next in the language of the visitor', async () => {
    const { data } = visitor('suggest')
    const next = await data<{ options: { label: string }[] }>('search.suggestNext', {
      context: 'catalog',
    })
    expect(next.options).toHaveLength(3)
    expect(next.options[0]?.label).toMatch(/^Look at /)
  })
})

async function findRoses(data: ReturnType<typeof visitor>['data']): Promise<string> {
  const { items } = await data<Found>('search.siteSearch', { query: 'red roses' })
  const found = items.find(({ productId }) => productId !== undefined)?.productId
  if (found === undefined) throw new Error('No product was found.')
  return found
}

describe('an order', () => {
  test('of two is placed once, and a repetition changes nothing', async () => {
    const { call, data, approve } = visitor('order-1')
    const productId = await findRoses(data)
    const variants = await data<{ variants: { inStock: boolean }[] }>('commerce.listVariants', {
      productId,
    })
    expect(variants.variants.some(({ inStock }) => inStock)).toBe(true)
    const key = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
    const added = await data<CartAnswer>('commerce.addToCart', {
      productId,
      quantity: 2,
      idempotencyKey: key,
    })
    const repeated = await data<CartAnswer>('commerce.addToCart', {
      productId,
      quantity: 2,
      idempotencyKey: key,
    })
    expect(repeated).toEqual(added)
    expect(added.cart.lines).toMatchObject([{ quantity: 2 }])
    const { cartId } = added.cart
    const updated = await data<CartAnswer>('commerce.updateQuantity', {
      cartLineId: added.cartLineId,
      quantity: 3,
    })
    expect(updated.cart.lines).toMatchObject([{ quantity: 3 }])
    const checkout = await data<{ checkoutToken: string }>('commerce.startCheckout', {
      cartId,
      returnUrl: `${shop.url}/cart`,
      idempotencyKey: 'checkout-order-1',
    })
    const input = { cartId, checkoutToken: checkout.checkoutToken }
    const asked = await call('commerce.placeOrder', input, 'place-order-1')
    expect(asked.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
    const placed = await approve(asked)
    expect(placed).toMatchObject({ status: 'success', data: { state: 'payment_pending' } })
    const again = await call('commerce.placeOrder', input, 'place-order-1')
    expect([again.metadata.source, again.data]).toEqual(['replayed', placed.data])
    const gone = await call('commerce.updateQuantity', {
      cartLineId: added.cartLineId,
      quantity: 9,
    })
    expect(gone.status).toBe('failed')
  })

  test('with a coupon that does not exist is refused by the shop, with a reason', async () => {
    const { call, data } = visitor('order-2')
    const productId = await findRoses(data)
    const { cart } = await data<CartAnswer>(
      'commerce.addToCart',
      { productId },
      'bbbbbbbb-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
    )
    const refused = await call(
      'commerce.applyCoupon',
      { cartId: cart.cartId, code: 'NOPE' },
      'coupon-nope',
    )
    expect([refused.status, refused.error?.code]).toEqual(['failed', 'TOOL_GATE_CLOSED'])
    expect(refused.error?.message).toMatch(/coupon_refused/)
  })
})

type Slots = { slots: { slotId: string; start: string }[] }

describe('a booking', () => {
  test('of two visitors who hold one slot, one wins; the hold expires', async () => {
    const [ann, bob] = [visitor('hold-ann'), visitor('hold-bob')]
    const { slots } = await ann.data<Slots>('booking.searchSlots', {})
    // Not the next one: it may begin before the hold has expired.
    const slotId = slots.at(-2)?.slotId ?? ''
    const customer = { name: 'Ann', email: 'ann@example.com' }
    await ann.data('booking.holdSlot', { slotId, customer }, 'hold-slot-ann')
    const refused = await bob.call('booking.holdSlot', { slotId, customer }, 'hold-slot-bob')
    expect([refused.status, refused.error?.code]).toEqual(['failed', 'TOOL_GATE_CLOSED'])
    now += 16 * 60_000
    await bob.data('booking.holdSlot', { slotId, customer }, 'hold-slot-bob-2')
  })

  test('is made once, and cancelled with the policy that was shown', async () => {
    const { call, data, approve } = visitor('book-1')
    const { slots } = await data<Slots>('booking.searchSlots', { partySize: 1 })
    const slotId = slots.at(-1)?.slotId ?? ''
    const booked = await approve(await call('booking.bookSlot', { slotId }, 'book-slot-1'))
    expect(booked).toMatchObject({ status: 'success', data: { slotId } })
    const again = await call('booking.bookSlot', { slotId }, 'book-slot-1')
    expect([again.metadata.source, again.data]).toEqual(['replayed', booked.data])
    const { bookingId } = booked.data as { bookingId: string }
    const asked = await call('booking.cancelBooking', { bookingId }, 'cancel-booking-1')
    expect(asked.metadata.pending?.asks).toMatch(/^Cancel .* It costs /)
    expect(await approve(asked)).toMatchObject({ status: 'success', data: { state: 'cancelled' } })
  })
})

test('the report of an inspection names the score, the fixes and a contract that can be stored', async () => {
  const answer = await app.operate('site.inspect', { url: `${shop.url}/` })
  expect(answer.error).toBeUndefined()
  const { score, points, contract } = answer.data as {
    score: number
    points: { id: string; found: string; fix?: string }[]
    contract: object
  }
  expect(score).toBeGreaterThan(85)
  expect(points.filter(({ fix }) => fix === undefined).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['robots', 'sitemap', 'structured-data', 'landmarks', 'api']),
  )
  expect((await app.operate('site.connect', { contract }, 'inspected')).status).toBe('success')
})
