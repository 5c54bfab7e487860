import { readRobots, readSitemap } from '@surehand/crawl'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ActionsFile } from '../../src/contract/site-action.ts'
import { PRODUCTS } from '../catalog/catalog.ts'
import { hiddenFields, openTestShop, type TestShop } from '../fixtures/test-shop.ts'
import { draw } from '../pictures/draw.ts'

let shop: TestShop
const publicPages = new Map<string, string>()
let privatePages: readonly string[] = []
beforeAll(async () => {
  shop = await openTestShop()
  for (const { url } of await listPages()) {
    const response = await fetch(url)
    expect(response.status, url).toBe(200)
    publicPages.set(url, await response.text())
  }
  privatePages = await listPrivatePages()
})
afterAll(async () => {
  expect(shop.bugs).toEqual([])
  await shop.stop()
})

const read = async (path: string) => (await fetch(`${shop.url}${path}`)).text()

async function listPages(): Promise<readonly { url: string; lastModified?: string }[]> {
  const fetchMap = async (url: string) =>
    readSitemap(new Uint8Array(await (await fetch(url)).arrayBuffer()))
  const index = await fetchMap(`${shop.url}/sitemap.xml`)
  if (index.kind !== 'index') throw new Error(`The sitemap is ${index.kind}.`)
  const maps = await Promise.all(index.entries.map(({ url }) => fetchMap(url)))
  return maps.flatMap((map) => (map.kind === 'pages' ? map.entries : []))
}

// Pages that a sitemap does not list, as a visitor with something in the cart sees them.
async function listPrivatePages(): Promise<readonly string[]> {
  const browser = shop.browser()
  await browser.get('/products/red-roses')
  const cart = await browser.submit('/cart/lines', {
    variantId: 'red-roses-7-stems',
    quantity: '1',
  })
  const checkout = await browser.get('/checkout')
  const pay = await browser.submit('/checkout', {
    name: 'Ann',
    email: 'ann@example.com',
    fulfilment: 'collect',
  })
  await browser.get('/appointments/fitting')
  const hold = await browser.submit('/appointments/holds', { slotId: 'slot_fitting_20261119T1700' })
  return [cart.html, checkout.html, pay.html, hold.html]
}

describe('for crawlers', () => {
  test('the sitemap lists every page with its date, and all of them exist', async () => {
    const pages = await listPages()
    expect(pages.length).toBeGreaterThan(70)
    expect(pages.every(({ lastModified }) => /^\d{4}-\d\d-\d\d$/.test(lastModified ?? ''))).toBe(
      true,
    )
    const robots = readRobots(shop.url, await read('/robots.txt'), 'AnyBot')
    expect(robots.sitemaps).toEqual([`${shop.url}/sitemap.xml`])
    for (const { url } of pages) {
      expect(robots.isAllowed(url), url).toBe(true)
      expect(publicPages.has(url)).toBe(true)
    }
  })

  test('what is personal or costs something is closed', async () => {
    const robots = readRobots(shop.url, await read('/robots.txt'), 'AnyBot')
    for (const path of [
      '/cart',
      '/checkout',
      '/pay/x',
      '/orders/x',
      '/bookings/x',
      '/api/products',
      '/graphql',
      '/search?q=a',
    ])
      expect(robots.isAllowed(`${shop.url}${path}`), path).toBe(false)
  })

  test('structured data of every page is JSON with a type', async () => {
    for (const html of publicPages.values()) {
      const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
      for (const [, json = ''] of blocks)
        expect(JSON.parse(json)).toMatchObject({
          '@context': 'https://schema.org',
          '@type': expect.anything(),
        })
    }
    expect(await read('/products/red-roses')).toContain('"priceCurrency":"EUR"')
  })
})

describe('for agents', () => {
  test('actions.json is valid, and every action is on a page', async () => {
    const { actions } = ActionsFile.parse(JSON.parse(await read('/actions.json')))
    const pages = [...publicPages.values(), ...privatePages]
    const all = pages.join('\n')
    const missing = actions
      .filter(({ id }) => !all.includes(`data-action="${id}"`))
      .map(({ id }) => id)
    // These need a cart with a coupon, and a booking.
    expect(missing).toEqual(['cart.removeCoupon', 'booking.cancel'])
    expect(actions.map(({ id }) => id).filter((id) => /^payment\.(?!atShop)/.test(id))).toEqual([])
  })

  test('every link, button, field and form has a data-action', async () => {
    const pages = [...publicPages.values(), ...privatePages]
    for (const html of pages) {
      const elements = [...html.matchAll(/<(?:a|button|input|select|textarea|form)\s[^>]*>/g)].map(
        ([tag]) => tag,
      )
      const bare = elements.filter(
        (tag) => !tag.includes('data-action=') && !tag.includes('type="hidden"'),
      )
      expect(bare).toEqual([])
    }
  })

  test('every page has its landmarks, one h1, a language and labels', async () => {
    const pages = [...publicPages.values(), ...privatePages]
    for (const html of pages) {
      expect(html).toMatch(/<html lang="(?:en|de)">/)
      for (const tag of ['header', 'nav', 'main', 'footer', 'search'])
        expect(html).toContain(`<${tag}`)
      expect(html.match(/<h1[ >]/g)).toHaveLength(1)
      const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      const fields = [...html.matchAll(/<(?:input|select|textarea)[^>]*\sid="([^"]+)"/g)].map(
        ([, id]) => id,
      )
      for (const id of fields) expect(html).toContain(`for="${id}"`)
    }
  })
})

describe('forms', () => {
  const order = { variantId: 'red-roses-12-stems', quantity: '2' }

  test.each(['urlencoded', 'multipart', 'plain'] as const)(
    'are read when they are sent as %s',
    async (enctype) => {
      const browser = shop.browser()
      await browser.get('/products/red-roses')
      const cart = await browser.submit('/cart/lines', order, { enctype })
      expect(cart).toMatchObject({ status: 200, path: '/cart' })
      expect(cart.html).toContain('Red Roses, 12 stems')
    },
  )

  test('without the token of this browser are refused', async () => {
    const browser = shop.browser()
    await browser.get('/products/red-roses')
    expect((await browser.submit('/cart/lines', order, { without: ['_csrf'] })).status).toBe(403)
    await browser.get('/products/red-roses')
    const other = hiddenFields(await read('/products/red-roses'), '/cart/lines')
    expect(
      (await browser.submit('/cart/lines', { ...order, _csrf: other._csrf ?? '' })).status,
    ).toBe(403)
  })

  test('that are sent twice have one effect', async () => {
    const browser = shop.browser()
    const { html } = await browser.get('/products/red-roses')
    const fields = { ...hiddenFields(html, '/cart/lines'), ...order }
    await browser.submit('/cart/lines', fields)
    const again = await browser.submit('/cart/lines', fields)
    expect(again.html).toContain('aria-label="Cart, 2 pieces"')
  })

  test('a button may override method and encoding', async () => {
    const browser = shop.browser()
    const { html } = await browser.get('/contact')
    expect(html).toMatch(/formmethod="get" formaction="\/contact\/preview"/)
    expect(html).toMatch(/formenctype="multipart\/form-data"/)
    const message = { name: 'Ann', email: 'ann@example.com', text: 'Hello <b>there</b>' }
    const preview = await browser.get(
      `/contact/preview?${new URLSearchParams({ ...hiddenFields(html, '/contact'), ...message })}`,
    )
    expect(preview.path).not.toContain('_csrf')
    expect(preview.html).toContain('Hello &lt;b&gt;there&lt;/b&gt;')
    await browser.get('/contact')
    const sent = await browser.submit(
      '/contact',
      { ...message, picture: 'bytes' },
      { enctype: 'multipart' },
    )
    expect(sent.path).toBe('/contact?sent=1')
  })

  test('what visitors write is text on every page', async () => {
    const attack = '"><script>alert(1)</script>'
    expect(await read(`/search?q=${encodeURIComponent(attack)}`)).not.toContain('<script>alert')
    const browser = shop.browser()
    await browser.get('/products/red-roses')
    const cart = await browser.submit('/cart/lines', { ...order, notes: attack })
    expect(cart.html).toContain('&lt;script&gt;')
    expect(cart.html).not.toContain('<script>alert')
  })
})

describe('an agent’s cart', () => {
  const key = (name: string) => ({ 'idempotency-key': name.padEnd(8, '-') })

  test('opens in the browser, and asks where the browser has another one', async () => {
    const { body } = await shop.api(
      'POST',
      '/api/sessions/agent-session/lines',
      { productId: 'peonies' },
      key('agent-add'),
    )
    const path = `/cart/open/${body.cart.cartId}`
    const fresh = shop.browser()
    expect((await fresh.get(path)).html).toContain('Peonies, 5 stems')
    const used = shop.browser()
    await used.get('/products/red-roses')
    await used.submit('/cart/lines', { variantId: 'red-roses-7-stems', quantity: '1' })
    expect((await used.get(path)).html).toContain('Open another cart?')
    expect((await used.submit(path, {})).html).toContain('Peonies, 5 stems')
  })

  test('is paid by the visitor on the payment page, before or after the order, once', async () => {
    const { body } = await shop.api(
      'POST',
      '/api/sessions/agent-pays/lines',
      { productId: 'peonies' },
      key('pays-add'),
    )
    const checkout = await shop.api(
      'POST',
      `/api/carts/${body.cart.cartId}/checkouts`,
      { returnUrl: `${shop.url}/orders` },
      key('pays-out'),
    )
    const { checkoutToken, totals } = checkout.body
    const placed = await shop.api(
      'POST',
      '/api/orders',
      { checkoutToken, expectedTotal: totals.total },
      key('pays-order'),
    )
    const browser = shop.browser()
    const pay = `/pay/${checkoutToken}`
    const card = { cardNumber: '4000 0000 0000 0002', cardExpiry: '12/30', cardCode: '123' }
    expect((await browser.get(pay)).html).toContain('Test payment.')
    expect(await browser.submit(pay, card)).toMatchObject({ status: 402 })
    expect(
      (await browser.submit(pay, { ...card, cardNumber: '5555 5555 5555 4444' })).html,
    ).toContain('Only the two test cards')
    const paid = await browser.submit(pay, { ...card, cardNumber: '4242 4242 4242 4242' })
    expect(paid.path).toBe(`/orders/${placed.body.orderId}`)
    expect((await shop.api('GET', `/api/carts/${body.cart.cartId}/order`)).body).toMatchObject({
      orderId: placed.body.orderId,
      state: 'paid',
    })
    expect((await browser.get(pay)).path).toBe(`${shop.url}/orders/${placed.body.orderId}`)
    expect((await browser.get(`/cart/open/${body.cart.cartId}`)).html).toContain(
      'There is nothing left to do.',
    )
  })
})

test('every picture is drawn, always the same, and without scripts', () => {
  for (const { name, picture } of PRODUCTS) {
    const svg = draw(picture, name)
    expect(svg).toBe(draw(picture, name))
    expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 600 720"/)
    expect(svg).not.toMatch(/NaN|undefined|<script|<path[^>]*d=""/)
  }
})
