import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readRequest, sendResponse } from '../../shop/start-shop.ts'
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
import { indexRoses, openSiteServer, type SiteServer } from '../fixtures/site-server.ts'

let app: ShopApp<SiteServer>
let browser: Browser
const complaints: string[] = []

beforeAll(async () => {
  app = await openShopApp<SiteServer>({}, openSiteServer)
  app.shop.embed({ script: `${app.url}/site/bridge.js`, data: { key: app.key } })
  await indexRoses(app, app.shop.url)
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

test('a cut network goes on where it was, a changed cart is asked about anew, and who denies has no order', async () => {
  const page = await open({ colorScheme: 'dark' })
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
  const deny = widget(page).getByRole('button', { name: 'No', exact: true, disabled: false })
  await deny.waitFor(PATIENT)
  expect(await findViolations(frameOf(page))).toEqual([])
  // The visitor changes the cart by hand before they approve what was read to them.
  await page.getByLabel('Quantity of').fill('3')
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByRole('link', { name: 'Cart, 3 pieces' }).waitFor(PATIENT)
  const approve = widget(page).getByRole('button', { name: 'Yes, do it', disabled: false })
  await approve.click(PATIENT)
  await approval(page).getByText('This has changed since you were asked:').waitFor(PATIENT)
  expect(await approval(page).textContent()).toMatch(/^\s*Place the order \(3 × White Roses/)
  expect(await findViolations(frameOf(page))).toEqual([])
  await deny.click(PATIENT)
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
  await page.getByRole('button', { name: 'Assistant' }).focus(PATIENT)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await widget(page).locator('#text:focus').waitFor(PATIENT)
  await page.keyboard.type('help')
  await page.keyboard.press('Enter')
  await widget(page).locator('.entry.visitor').getByText('help').waitFor(PATIENT)
  await sentence(page, /I can search, fill the cart/).waitFor(PATIENT)
  expect((await page.locator('iframe[title="Assistant"]').boundingBox())?.width).toBe(390)
  expect(await findViolations(frameOf(page))).toEqual([])
  const moving = await frameOf(page).evaluate(
    'document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 1).length',
  )
  expect(moving).toBe(0)
  // The microphone: asked for, declined with the keyboard, and the focus is back where it was.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await widget(page).getByText('Your browser turns what you say into text').waitFor()
  expect(await focusedId(page)).toBe('consent-yes')
  expect(await findViolations(frameOf(page))).toEqual([])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  expect(await focusedId(page)).toBe('microphone')
  expect(await typesOf(page)).not.toContain('mic_opened')
  await page.keyboard.press('Escape')
  await expect.poll(() => focusedId(page), PATIENT).toBe('launcher')
  await page.context().close()
})

const focusedId = (page: Page): Promise<unknown> =>
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

type Node = { readonly child: ChildProcess; readonly url: string; readonly key: string }

async function startNode(...settings: readonly string[]): Promise<Node> {
  const main = join(import.meta.dirname, '../fixtures/site-node.ts')
  const child = fork(main, settings, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [message] = (await once(child, 'message')) as [Omit<Node, 'child'>]
  return { child, ...message }
}

async function killNode({ child }: Node): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** The shop's interface, which keeps the answer to an order to itself once. */
async function openLosingProxy(): Promise<{ server: Server; url: string; lost: Promise<void> }> {
  const lost = Promise.withResolvers<void>()
  let isLost = false
  const server = createServer(async (incoming, outgoing) => {
    const request = await readRequest(incoming, new URL(incoming.url ?? '/', app.shop.url))
    const response = await fetch(request)
    if (!isLost && incoming.method === 'POST' && /\/orders$/.test(incoming.url ?? '')) {
      isLost = true
      lost.resolve()
    } else await sendResponse(outgoing, response, incoming.method ?? 'GET')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { server, url, lost: lost.promise }
}

test('a node that dies between the order and its answer: exactly one order, and the visitor is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-site-node-'))
  const proxy = await openLosingProxy()
  const start = (port: string) => startNode(join(folder, 'site.db'), port, app.shop.url, proxy.url)
  const first = await start('0')
  app.shop.embed({ script: `${first.url}/site/bridge.js`, data: { key: first.key } })
  const before = await app.orders()
  const page = await open()
  await type(page, 'add red roses, check out')
  const approve = widget(page).getByRole('button', { name: 'Yes, do it', disabled: false })
  await approve.click(PATIENT)
  await proxy.lost
  await killNode(first)
  expect(await app.orders()).toBe(before + 1)
  const second = await start(new URL(first.url).port)
  expect(second.key).toBe(first.key)
  // The widget repeats the decision; where it has given up, the visitor presses again.
  const placed = sentence(page, /The order .* is placed/)
  await expect
    .poll(async () => {
      if (await approve.isVisible()) await approve.click({ timeout: 1_000 }).catch(() => undefined)
      return placed.isVisible()
    }, PATIENT)
    .toBe(true)
  expect(await placed.count()).toBe(1)
  expect(await app.orders()).toBe(before + 1)
  await page.context().close()
  await killNode(second)
  proxy.server.closeAllConnections()
  proxy.server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('nothing complained', () => {
  expect(complaints).toEqual([])
})
