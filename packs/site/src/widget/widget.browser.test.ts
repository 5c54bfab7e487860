import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  approval,
  arrive,
  findViolations,
  frameOf,
  hear,
  launch,
  openWidget,
  PATIENT,
  sentence,
  turns,
  type,
  visit,
  widget,
} from '../../testing/widget-visit.ts'
import { openShopApp, type ShopApp } from '../fixtures/shop-app.ts'
import { openSiteServer, type SiteServer } from '../fixtures/site-server.ts'

let app: ShopApp<SiteServer>
let browser: Browser
const complaints: string[] = []

beforeAll(async () => {
  app = await openShopApp<SiteServer>({}, openSiteServer)
  app.shop.embed({ script: `${app.url}/site/bridge.js`, data: { key: app.key } })
  browser = await launch(inject('chromium'))
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await visit(browser, `${app.shop.url}/`, { complaints, ...options })
  await openWidget(page)
  return page
}

const typesOf = async (page: Page) => (await turns(page)).map((turn) => turn.type)
const textsOf = async (page: Page) => (await turns(page)).map(({ text = '' }) => text)

test('who denies has no order, and a network that was cut goes on where it was', async () => {
  const page = await open()
  await type(page, 'find white roses, add one')
  await arrive(page, '/cart', /is in your cart/)
  await page.context().setOffline(true)
  const cut = page.waitForEvent('requestfailed', {
    predicate: (request) => request.url().endsWith('/site/turns'),
    ...PATIENT,
  })
  await type(page, 'check out')
  await cut
  await page.context().setOffline(false)
  await approval(page).waitFor(PATIENT)
  await widget(page).getByRole('button', { name: 'No', exact: true }).click(PATIENT)
  await sentence(page, 'nothing was done').waitFor(PATIENT)
  expect(await app.orders()).toBe(0)
  await page.context().close()
})

test('the first words are spoken when a tool is dispatched, before it has answered', async () => {
  const page = await open()
  await type(page, 'find red roses')
  await arrive(page, '/products/red-roses', /I found/)
  const texts = await textsOf(page)
  const words = texts.indexOf('Looking for red roses…')
  expect(words).toBeGreaterThanOrEqual(0)
  expect(texts.indexOf('search.siteSearch done')).toBeGreaterThan(words)
  // Each is an event of its own: `agent_delta` from the server, `tts_play` where it is said.
  expect((await typesOf(page)).slice(words, words + 2)).toEqual(['agent_delta', 'tts_play'])
  await page.context().close()
})

test('a new sentence silences the voice and cancels what has not begun', async () => {
  const page = await open()
  await listen(page)
  await frameOf(page).evaluate('window.isVoiceHeld = true')
  const held = Promise.withResolvers<void>()
  // The first sentence is on its way until the second has been said.
  const hold = { times: 1 }
  const isHeld = page.waitForRequest('**/site/turns', PATIENT)
  await page.route('**/site/turns', (route) => held.promise.then(() => route.continue()), hold)
  await hear(page, 'add red roses, check out')
  await isHeld
  const cancelled = page.waitForResponse((one) => one.request().method() === 'DELETE', PATIENT)
  const late = page.waitForResponse(
    (one) => /add red/.test(one.request().postData() ?? ''),
    PATIENT,
  )
  await hear(page, 'help')
  await cancelled
  held.resolve()
  expect((await late).status()).toBe(202)
  await sentence(page, /I can search, fill the cart/).waitFor(PATIENT)
  // What is said is a caption too, for those who do not hear it.
  expect(await widget(page).locator('#caption').textContent()).toMatch(/^I can search/)
  expect(await frameOf(page).evaluate('window.spoken')).toContain('(silence)')
  expect(await typesOf(page)).toContain('barge_in')
  expect(await typesOf(page)).not.toContain('agent_tool')
  expect(await app.orders()).toBe(0)
  await page.context().close()
})

async function listen(page: Page): Promise<void> {
  await widget(page).getByRole('button', { name: 'Speak' }).click(PATIENT)
  await widget(page).getByRole('button', { name: 'Switch it on' }).click(PATIENT)
  await widget(page).getByRole('button', { name: 'Stop listening' }).waitFor(PATIENT)
}

test('who speaks goes on speaking when the agent opens a page', async () => {
  const page = await open()
  await listen(page)
  await hear(page, 'find red roses')
  await arrive(page, '/products/red-roses', /I found/)
  await widget(page).getByRole('button', { name: 'Stop listening' }).waitFor(PATIENT)
  await hear(page, 'help')
  await sentence(page, /I can search, fill the cart/).waitFor(PATIENT)
  await widget(page).getByRole('button', { name: 'Stop listening' }).click()
  await widget(page).getByRole('button', { name: 'Speak' }).waitFor(PATIENT)
  expect((await typesOf(page)).at(-1)).toBe('mic_closed')
  await page.context().close()
})

test('the widget is complete for keyboards, fits a phone, and does not move for who wants no motion', async () => {
  const page = await visit(browser, `${app.shop.url}/`, {
    complaints,
    viewport: { width: 390, height: 780 },
    reducedMotion: 'reduce',
  })
  await widget(page).getByRole('button', { name: 'Open the assistant' }).focus(PATIENT)
  await page.keyboard.press('Enter')
  await page.keyboard.type('help')
  await page.keyboard.press('Enter')
  await widget(page).locator('.entry.visitor').getByText('help').waitFor(PATIENT)
  await sentence(page, /I can search, fill the cart/).waitFor(PATIENT)
  expect((await page.locator('iframe[title="Assistant"]').boundingBox())?.width).toBe(390)
  expect(await findViolations(page)).toEqual([])
  const moving = await frameOf(page).evaluate(
    'document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 1).length',
  )
  expect(moving).toBe(0)
  // The microphone: asked for, declined with the keyboard, and the focus is back where it was.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await widget(page).getByText('Your browser turns what you say into text').waitFor()
  expect(await focused(page)).toBe('consent-yes')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  expect(await focused(page)).toBe('microphone')
  expect(await typesOf(page)).not.toContain('mic_opened')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page), PATIENT).toBe('launcher')
  await page.context().close()
})

const focused = (page: Page): Promise<unknown> =>
  frameOf(page).evaluate('document.activeElement?.id')

test('a copied tab begins a conversation of its own, and neither moves the other', async () => {
  const page = await open()
  await type(page, 'find red roses')
  await arrive(page, '/products/red-roses', /I found/)
  const tabOf = (one: Page): Promise<unknown> =>
    frameOf(one).evaluate("JSON.parse(sessionStorage.getItem('surehand.widget')).tab")
  const [copy] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate("void open('/')"),
  ])
  await openWidget(copy)
  expect(await tabOf(copy)).not.toBe(await tabOf(page))
  expect(await widget(copy).locator('#log').textContent()).not.toContain('red roses')
  await type(copy, 'show my cart')
  await copy.waitForURL('**/cart', PATIENT)
  expect(page.url()).toContain('/products/red-roses')
  await page.context().close()
})

test('nothing complained', () => {
  expect(complaints).toEqual([])
})
