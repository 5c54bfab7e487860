import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openTestShop, type TestShop } from '../fixtures/test-shop.ts'

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']
const DESKTOP = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const OWNER = 'owner-key-of-the-test'

let shop: TestShop
let browser: Browser
const complaints: string[] = []

beforeAll(async () => {
  shop = await openTestShop({ ownerKey: OWNER })
  browser = await chromium.launch({ executablePath: inject('chromium'), args: FLAGS })
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

/** Into the folder that SCREENSHOTS names, if it names one. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) })
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

describe.each(VISITORS)('a visitor buys by hand, %s', (name, options) => {
  test('and has one order', async () => {
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
    await picture(page, `shop-order-${name.replaceAll(' ', '-')}`)
  })
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

async function findViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const results = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults
  expect(results.passes.length).toBeGreaterThan(10)
  return results.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html }) => html)
        .join(' | ')
        .slice(0, 300)}`,
  )
}

// What differs between the looks is colour and layout, so a few pages are enough for the others.
const SOME = ['/', '/products/tulips-in-paper', '/appointments/fitting']
const LOOKS: readonly (readonly [string, BrowserContextOptions, readonly string[]])[] = [
  ['light', DESKTOP, PAGES],
  ['dark', { ...DESKTOP, colorScheme: 'dark' }, SOME],
  ['phone', PHONE, SOME],
]

test.each(LOOKS)('axe finds nothing on the pages that anyone sees, %s', async (...look) => {
  const [name, options, paths] = look
  const page = await open('/', options)
  for (const path of paths) {
    await page.goto(`${shop.url}${path}`)
    expect(await findViolations(page), path).toEqual([])
  }
  await page.goto(shop.url)
  await picture(page, `shop-${name}`)
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

test('no page is wider than a screen of 320 pixels', async () => {
  const width = 320
  const page = await open('/', { viewport: { width, height: 800 } })
  for (const path of PAGES) {
    await page.goto(`${shop.url}${path}`)
    const content = await page.evaluate('document.documentElement.scrollWidth')
    expect(content, path).toBeLessThanOrEqual(width)
  }
})

test('no browser complained, about the policy or a script', () => {
  expect(complaints).toEqual([])
})
