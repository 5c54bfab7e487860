import type { Tool } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { OPERATOR, toolWorld, VISITOR } from './fixtures/tool-world.ts'
import { documentTools } from './pack.ts'

// What the tools do beyond the lines that document-003.test.ts quotes.

describe('inputs', () => {
  test.each([
    ['commerce.addToCart', { productId: 'p', notes: 'x'.repeat(401) }, 'notes'],
    ['commerce.addToCart', { productId: 'p', quantity: 0 }, 'quantity'],
    ['commerce.addToCart', { productId: 'p', quantity: 1000 }, 'quantity'],
    ['navigation.goto', { path: '//evil.example' }, 'path'],
    ['navigation.goto', { path: 'https://evil.example' }, 'path'],
    ['booking.searchSlots', { interval: '2026-11-19' }, 'interval'],
    ['booking.searchSlots', { partySize: 51 }, 'partySize'],
    ['search.siteSearch', { query: 'x'.repeat(1001) }, 'query'],
    ['siteops.warmupCache', { urls: Array(51).fill('https://shop.example/') }, 'urls'],
    ['navigation.scrollTo', {}, 'to'],
  ])('%s refuses %j for %s', async (tool, input, field) => {
    const caller = tool.startsWith('siteops') ? OPERATOR : VISITOR
    const answer = await toolWorld().call(tool, input, { caller })
    expect(answer.status).toBe('failed')
    expect(JSON.stringify(answer.error?.details)).toContain(`"field":"${field}"`)
  })

  test('addToCart takes one piece where no quantity is given, and a UUID as its key', async () => {
    const tool = documentTools.find(({ id }) => id === 'commerce.addToCart') as Tool
    const key = '3f1c9a52-7d0b-4f0e-9a34-5a1f0c2f7d11'
    expect(tool.input.parse({ productId: 'p', idempotencyKey: key })).toMatchObject({
      value: { quantity: 1 },
    })
    expect(tool.input.parse({ productId: 'p', idempotencyKey: 'no uuid' }).ok).toBe(false)
  })
})

describe('navigation', () => {
  test.each([
    ['https://tracking.example/parcel/17', 'success'],
    ['https://checkout.pay.example/', 'success'],
    ['https://shop.example/anything', 'success'],
    ['http://tracking.example/', 'failed'],
    ['https://tracking.example.evil.example/', 'failed'],
    ['https://evil.example/?https://tracking.example', 'failed'],
    ['https://pay.example/', 'failed'],
  ])('open %s: %s', async (url, status) => {
    const world = toolWorld()
    expect((await world.call('navigation.open', { url })).status).toBe(status)
    expect(world.commands).toHaveLength(status === 'success' ? 1 : 0)
  })

  test('a selector that matches nothing is answered with candidates of the page', async () => {
    const answer = await toolWorld().call('navigation.highlight', { selector: '#missing' })
    expect(answer.error?.details).toMatchObject({ candidates: [{ selector: '#add' }] })
  })
})

describe('commerce', () => {
  test.each([
    [undefined, 'TOOL_APPROVAL_REQUIRED'],
    [true, 'TOOL_APPROVAL_REQUIRED'],
    [false, undefined],
  ])('startCheckout asks where the contract says %s about payments', async (takes, code) => {
    const world = toolWorld()
    const site = world.state.site ?? expect.fail('no site')
    const commerce = {
      adapter: 'shop' as const,
      url: 'https://shop.example/',
      terms: [],
      ...(takes === undefined ? {} : { checkoutTakesPayment: takes }),
    }
    world.state.site = { ...site, contract: { ...site.contract, commerce } }
    const input = { cartId: 'cart_1', returnUrl: 'https://shop.example/cart' }
    expect((await world.call('commerce.startCheckout', input, { key: 'k' })).error?.code).toBe(code)
  })

  test('a returnUrl outside the site is refused', async () => {
    const input = { cartId: 'cart_1', returnUrl: 'https://evil.example/' }
    const answer = await toolWorld().call('commerce.startCheckout', input, { key: 'k' })
    expect(answer.error?.code).toBe('TOOL_INVALID_FIELD_VALUE')
  })
})

describe('booking', () => {
  test('a price that changes after the approval is asked about again', async () => {
    const world = toolWorld()
    const asked = await world.call('booking.bookSlot', { slotId: 'slot_1' }, { key: 'b' })
    world.state.slotPrice = 9900
    const answer = await world.decide(asked, 'approve')
    expect(answer.metadata.pending?.asks).toContain('99.00 EUR')
    expect(world.effects).toEqual([])
  })

  test('cancelBooking explains the policy and what it costs', async () => {
    const world = toolWorld()
    world.state.cancellationFee = 2000
    const asked = await world.call('booking.cancelBooking', { bookingId: 'bkg_1' }, { key: 'c' })
    expect(asked.metadata.pending?.asks).toMatch(/It costs 20\.00 EUR now\. Free until/)
  })
})

describe('forms', () => {
  test.each(['4111 1111 1111 1111', 'DE89 3704 0044 0532 0130 00', 'sk_live_0123456789abcdef'])(
    'secrets are never typed: %s',
    async (value) => {
      const world = toolWorld()
      const answer = await world.call('forms.fillField', { selector: '#note', value }, { key: 'f' })
      expect(answer.error?.code).toBe('TOOL_INVALID_FIELD_VALUE')
      expect(world.commands).toEqual([])
    },
  )

  test('a form that sends to another site is not submitted', async () => {
    const world = toolWorld()
    const answer = await world.call('forms.submitForm', { formSelector: '#foreign' }, { key: 's' })
    expect(answer.error?.code).toBe('TOOL_RESOURCE_ACCESS_DENIED')
    expect(world.effects).toEqual([])
  })

  test('a form that the contract frees from confirmation is submitted at once', async () => {
    const world = toolWorld()
    const site = world.state.site ?? expect.fail('no site')
    const forms = [{ selector: '#newsletter', confirm: false }]
    world.state.site = { ...site, contract: { ...site.contract, forms } }
    const free = await world.call('forms.submitForm', { formSelector: '#newsletter' }, { key: 'n' })
    expect(free.status).toBe('success')
    const asked = await world.call('forms.submitForm', { formSelector: '#contact' }, { key: 'c' })
    expect(asked.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
  })
})

describe('siteops', () => {
  test('readSitemap respects lastmod: undated pages are always listed', async () => {
    const input = { since: '2026-01-01T00:00:00Z' }
    const answer = await toolWorld().call('siteops.readSitemap', input, { caller: OPERATOR })
    expect((answer.data as { pages: { url: string }[] }).pages.map(({ url }) => url)).toEqual([
      'https://shop.example/',
      'https://shop.example/undated',
    ])
  })

  test('warmupCache leaves out what robots.txt forbids and foreign pages', async () => {
    const urls = ['https://shop.example/', 'https://shop.example/private', 'https://evil.example/']
    const answer = await toolWorld().call('siteops.warmupCache', { urls }, { caller: OPERATOR })
    expect(answer.data).toMatchObject({
      warmed: [{ url: 'https://shop.example/' }],
      skipped: [{ why: 'forbidden by robots.txt' }, { why: 'not a page of the site' }],
    })
  })
})
