import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findViolations, launch } from '../../testing/widget-visit.ts'
import { openTestShop, type TestShop } from '../fixtures/test-shop.ts'

const DESKTOP = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const OWNER = 'owner-key-of-the-test'

let shop: TestShop
let browser: Browser
const complaints: string[] = []

beforeAll(async () => {
  shop = await openTestShop({ ownerKey: OWNER })
  browser = await launch(inject('chromium'))
})
afterAll(async () => {
  await browser.close()
  expect(shop.bugs).toEqual([])
  await shop.stop()
})

async function open(path: string, options: BrowserContextOptions = DESKTOP): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  page.on('console', (message) => {
    // A declined card is answered 402, which the browser reports as an error of loading.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${shop.url}${path}`)
  return page
}

async function countOrders(): Promise<number> {
  const { body } = await shop.api('GET', '/api/orders?limit=100', undefined, {
    authorization: `Bearer ${OWNER}`,
  })
  return body.items.length
}

async function pay(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry').fill('12/30')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^Pay / }).click()
}

const VISITORS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['on a phone', PHONE],
  ['without script', { ...DESKTOP, javaScriptEnabled: false }],
]

test.each(VISITORS)('a visitor buys by hand, %s, and has one order', async (_, options) => {
  const before = await countOrders()
  const page = await open('/', options)
  await page.getByLabel('Search the shop').fill('red roses under 40')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'Red Roses', exact: true }).click()
  await page.getByRole('radio', { name: /12 stems/ }).check()
  await page.getByLabel('Quantity').fill('2')
  await page.getByLabel(/Notes/).fill('For Mira')
  await page.getByRole('button', { name: 'Add to the cart' }).click()
  if (options.javaScriptEnabled !== false) {
    await page.getByRole('status').filter({ hasText: 'It is in your cart' }).waitFor()
    await page.getByRole('link', { name: 'Cart, 2 pieces' }).click()
  }
  await page.getByRole('heading', { name: 'Your cart' }).waitFor()
  await page.getByLabel('Coupon').fill('firstbloom')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('−€6.98').waitFor()
  await page.getByRole('link', { name: 'Check out' }).click()
  await page.getByLabel('Name').fill('Ann Berger')
  await page
    .getByRole('group', { name: 'Who you are' })
    .getByLabel('E-mail')
    .fill('ann@example.com')
  await page.getByRole('button', { name: 'Continue to the payment' }).click()
  await pay(page, '4000 0000 0000 0002')
  await page.getByRole('alert').filter({ hasText: 'was declined' }).waitFor()
  await pay(page, '4242 4242 4242 4242')
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
  expect(await page.locator('[data-order-state]').getAttribute('data-order-state')).toBe('paid')
  expect(await page.textContent('main')).toContain('€62.82')
  expect(await countOrders()).toBe(before + 1)
  await page.reload()
  // The page before is the answer to a form: browsers ask before they send it again.
  await page.goBack().catch(() => undefined)
  expect(await countOrders()).toBe(before + 1)
})

test('a visitor books a fitting on Thursday afternoon and cancels it', async () => {
  const page = await open('/')
  await page
    .getByRole('navigation', { name: 'Shop' })
    .getByRole('link', { name: 'Appointments' })
    .click()
  await page.getByRole('link', { name: 'Fitting with Iris' }).click()
  await page.getByRole('button', { name: /15:00 on Thursday,? 19 November/ }).click()
  await page.getByText('Held for you until').waitFor()
  const other = await open('/appointments/fitting')
  expect(
    await other.getByRole('button', { name: /15:00 on Thursday,? 19 November/ }).isDisabled(),
  ).toBe(true)
  await page.getByLabel('Name').fill('Ann Berger')
  await page.getByRole('group', { name: 'Who comes' }).getByLabel('E-mail').fill('ann@example.com')
  await page.getByRole('button', { name: 'Book this time' }).click()
  await page.getByRole('heading', { name: 'See you then' }).waitFor()
  await page.getByText('Now it costs nothing').waitFor()
  await page.getByRole('button', { name: 'Cancel the appointment' }).click()
  await page.getByRole('heading', { name: 'Cancelled' }).waitFor()
})

test('the keyboard alone is enough to fill the cart', async () => {
  const page = await open('/products/peonies')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: /5 stems/ }).focus()
  await page.keyboard.press('ArrowDown')
  expect(await page.locator('#price').textContent()).toBe('€39.00')
  await page.getByRole('button', { name: 'Add to the cart' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Cart, 1 piece', exact: true }).waitFor()
})

const PAGES = [
  '/',
  '/shop/roses',
  '/products/tulips-in-paper',
  '/appointments',
  '/appointments/fitting',
  '/journal',
  '/journal/rosen-schenken',
  '/help/api',
  '/contact',
  '/search?q=roses',
  '/cart',
  '/nothing-here',
]

// What differs between the looks is colour and layout, so a few pages are enough for the others.
const SOME = ['/', '/products/tulips-in-paper', '/appointments/fitting']
const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['dark', { ...DESKTOP, colorScheme: 'dark' }],
  ['phone', PHONE],
]

test.each(LOOKS)('axe finds nothing on some pages, %s', async (_, options) => {
  const page = await open('/', options)
  for (const path of SOME) {
    await page.goto(`${shop.url}${path}`)
    expect(await findViolations(page), path).toEqual([])
  }
})

test('axe finds nothing on the pages that anyone sees, and none is wider than 320 pixels', async () => {
  const page = await open('/')
  for (const path of PAGES) {
    await page.goto(`${shop.url}${path}`)
    expect(await findViolations(page), path).toEqual([])
    await page.setViewportSize({ width: 320, height: 800 })
    const content = await page.evaluate('document.documentElement.scrollWidth')
    expect(content, path).toBeLessThanOrEqual(320)
    await page.setViewportSize(DESKTOP.viewport)
  }
})

test('axe finds nothing on the pages of a purchase and of a booking', async () => {
  const page = await open('/products/navy-suit-jacket')
  await page.getByRole('button', { name: 'Add to the cart' }).click()
  await page.getByRole('link', { name: 'Cart, 1 piece', exact: true }).waitFor()
  expect(await findViolations(page), 'the toast').toEqual([])
  await page.goto(`${shop.url}/cart`)
  expect(await findViolations(page), 'cart').toEqual([])
  await page.goto(`${shop.url}/checkout`)
  expect(await findViolations(page), 'checkout').toEqual([])
  await page.getByLabel('Name').fill('Ann Berger')
  await page
    .getByRole('group', { name: 'Who you are' })
    .getByLabel('E-mail')
    .fill('ann@example.com')
  await page.getByRole('button', { name: 'Continue to the payment' }).click()
  await page.getByText('Test payment.').waitFor()
  expect(await findViolations(page), 'payment').toEqual([])
  await pay(page, '4000 0000 0000 0002')
  await page.getByRole('alert').waitFor()
  expect(await findViolations(page), 'declined').toEqual([])
  await page.goto(`${shop.url}/appointments/fitting?page=1`)
  await page.locator('[data-action="booking.chooseSlot"]:enabled').first().click()
  await page.getByText('Held for you until').waitFor()
  expect(await findViolations(page), 'hold').toEqual([])
})

test('no browser complained, about the policy or a script', () => {
  expect(complaints).toEqual([])
})
