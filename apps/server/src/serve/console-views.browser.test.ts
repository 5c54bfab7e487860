import type { Caller } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type BrowserApp,
  findViolations,
  judgePage,
  openBrowserApp,
} from '../fixtures/browser-app.ts'
import { type KeptPages, keepConsolePages } from '../fixtures/console-page.ts'
import { HIDDEN, HOSTILE_TEXTS } from '../fixtures/hostile-texts.ts'

// The packs with their demos: emulated phones, a seeded traveller, a shop.
let app: BrowserApp
let pages: KeptPages
let root: string
let page: Page
beforeAll(async () => {
  app = await openBrowserApp(inject('chromium'), {
    builtIn: ['personal', 'events', 'marketplace', 'travel', 'site'],
    // The reader of pictures has tests of its own, and takes seconds for each.
    providers: { ocr: { read: async () => ({ text: FLYER, lines: [] }) } },
  })
  const { identityApi, config } = app.serving.app
  const by = systemCaller(config.home)
  await identityApi.principals.put(by, 'root', { roles: ['admin', 'user'] })
  root = (await identityApi.tokens.create(by, { principal: 'root', name: 'console' })).token
  pages = keepConsolePages(app)
})
afterAll(() => app.close())
afterEach(() => pages.tidy())

const FLYER = 'Jazz in the Park\nSaturday 12 December 2026, 20:00\nGolden Gate Park, San Francisco'

async function openAs(token: string, path: string): Promise<void> {
  page = await pages.open(token, path)
}

const read = (): Promise<string> => page.evaluate(`document.querySelector('main').innerText`)
const expectText = () => expect.poll(read)

let calls = 0
async function callAs(principal: string, tool: string, input: object): Promise<unknown> {
  const caller = (await app.serving.app.identity.authenticateSession({
    id: 's',
    tenant: 'demo',
    principal,
    expiresAt: Number.POSITIVE_INFINITY,
  })) as Caller
  const { runtime } = app.serving.app
  const idempotencyKey = `v-${++calls}`
  return runtime.call({ tool, input, caller, surface: 'test', idempotencyKey })
}

async function makeFlyer(): Promise<string> {
  const sheet = await (await app.open({ viewport: { width: 320, height: 420 } })).newPage()
  await sheet.setContent(
    `<body style="margin:0;padding:24px;background:#fdf3dc;color:#7a1f1f;font:26px/2 serif">${FLYER.replaceAll('\n', '<br>')}`,
  )
  const picture = await sheet.screenshot()
  await sheet.context().close()
  return picture.toString('base64')
}

type Visit = { readonly token: string; readonly session: string }

const SHOP = 'https://shop.example'

/** Connects a shop, and returns the key that stands in its pages. */
async function connectShop(): Promise<string> {
  const contract = {
    ...{ version: 1, name: 'Roses', origins: [SHOP], handoff: `${SHOP}/contact` },
    transcripts: '30d',
  }
  const caller = systemCaller('demo')
  const call = (tool: string, input: object) =>
    app.serving.app.runtime.call({ tool, input, caller, surface: 'test', idempotencyKey: tool })
  await call('site.connect', { contract })
  const created = await call('site.create_key', { name: 'shop' })
  return (created as unknown as { readonly data: { readonly key: string } }).data.key
}

/** A visitor of the shop, as its widget opens a session. */
async function openVisit(key: string): Promise<Visit> {
  const response = await fetch(`${app.url}/site/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key, origin: SHOP, locale: 'en' }),
  })
  return (await response.json()) as Visit
}

async function sendAsVisitor(
  { token }: Visit,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const response = await fetch(app.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(response.ok).toBe(true)
}

describe('the views of packs', () => {
  test('are offered to those who may use their tools, and refused to others by the server', async () => {
    await openAs(app.ann, '/views')
    await page.getByRole('link', { name: 'Your day' }).waitFor()
    expect(await page.getByRole('link', { name: 'Visits now' }).count()).toBe(0)
    await judgePage(page, 'console-views', 'screen')
    await page.goto(`${app.url}/console/views/site/sessions`)
    await expectText().toContain('There is no view site/sessions')
    expect(await findViolations(page)).toEqual([])
  })

  test('show the day of a person', async () => {
    await callAs('ann', 'habit.create', { name: 'Read ten pages', frequency: 'daily' })
    await callAs('ann', 'task.capture', { text: 'Book the hotel today !high @phone' })
    await openAs(app.ann, '/views/personal/day?day=tomorrow')
    await expectText().toContain('Read ten pages')
    await expectText().toContain('Found no place')
    await judgePage(page, 'console-view-day', 'screen')
    await page.getByLabel('Day').fill('no such day')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => page.getByRole('alert').count()).toBe(1)
  })

  test('show a travel plan on a map', async () => {
    await callAs('ann', 'travel.createTravelPlan', {
      title: 'Lisbon and Porto',
      destinations: ['Lisbon', 'Porto'],
      startDate: '2027-05-10',
      endDate: '2027-05-17',
    })
    await openAs(app.ann, '/views/travel/plan-map')
    await page.getByRole('table').getByRole('link').first().click()
    await page.locator('.place-map circle').first().waitFor()
    await expectText().toContain('destination')
    await judgePage(page, 'console-view-map', 'screen')
  })

  test('show an event that waits for its review, with its poster', async () => {
    await callAs('ann', 'events.capture', { imageBytes: await makeFlyer() })
    await openAs(app.ann, '/views/events/review')
    await expectText().toContain('Jazz in the Park')
    const poster = page.getByRole('img', { name: /Poster of Jazz in the Park/ })
    await poster.waitFor()
    const width = () => page.evaluate<number>(`document.querySelector('.poster').naturalWidth`)
    await expect.poll(width).toBeGreaterThan(0)
    await judgePage(page, 'console-view-review', 'screen')
    await page.getByRole('link', { name: 'Review it' }).click()
    await expect.poll(() => page.url()).toContain('/questions/')
  })

  test("show a client's request as a timeline", async () => {
    const stored = (await callAs('root', 'marketplace.store_inbound', {
      ...{ id: 'wamid.in-1', from: '250788555001', at: Date.now(), type: 'text', language: 'en' },
      text: 'I need amoxicillin near Kimironko',
    })) as { readonly data: { readonly party_id: string; readonly message_id: string } }
    const { party_id: conversation_id, message_id } = stored.data
    const opened = (await callAs('root', 'marketplace.open_request', { conversation_id })) as {
      readonly data: { readonly request_id: string }
    }
    const { request_id } = opened.data
    const requirements = { need: 'amoxicillin 250 mg', location_text: 'Kimironko' }
    await callAs('root', 'marketplace.describe_request', { request_id, requirements, message_id })
    await openAs(root, '/views/marketplace/requests')
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.locator('.timeline .left').first().waitFor()
    await judgePage(page, 'console-view-timeline', 'screen')
  })

  test('show the visits of a site while they are open', async () => {
    await openAs(root, '/views/site/sessions')
    await expectText().toContain('No visitor is on the site at this moment.')
    expect(await findViolations(page)).toEqual([])
  })

  test('show open visits as they come and go, and who asked for a person', async () => {
    await openAs(root, '/views/site/sessions')
    const key = await connectShop()
    const visitors = [await openVisit(key), await openVisit(key), await openVisit(key)] as const
    const rows = page.getByRole('table').first().getByRole('row')
    // The view is read again by itself.
    await expect.poll(() => rows.count()).toBe(1 + visitors.length)
    for (const { session } of visitors)
      await expectText().toMatch(new RegExp(`${session}\\s+${SHOP}`))
    await sendAsVisitor(visitors[0], 'POST', '/site/turns', {
      turn: 'turn-00000001',
      text: 'I want to talk to a person',
    })
    await expectText().toMatch(new RegExp(`Asked for a person\\s+${visitors[0].session}`))
    await judgePage(page, 'console-view-visits', 'screen')
    await sendAsVisitor(visitors[1], 'DELETE', '/site/sessions')
    await expect.poll(() => rows.count()).toBe(visitors.length)
    await page.getByRole('link', { name: visitors[0].session }).click()
    await page.getByRole('heading', { name: `Visit ${visitors[0].session}` }).waitFor()
    await expectText().toMatch(/The visitor\s+I want to talk to a person/)
  })

  test('say that they load, and why they cannot be read', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await openAs(app.ann, '/views/personal/day')
    await page.route('**/v1/views/**', async (route) => {
      await held
      const error = { code: 'X', message: 'The store is away.' }
      await route.fulfill({ status: 403, json: { status: 'error', data: null, error } })
    })
    await page.reload()
    await expectText().toContain('Loading the view')
    release()
    await expectText().toContain('The store is away.')
    await page.unroute('**/v1/views/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectText().toContain('Found no place')
  })

  test('draw 200 hostile texts in every block as plain text', async () => {
    await openAs(app.ann, '/views')
    await page.evaluate('window.hit = () => { window.wasHit = true }')
    const place = { latitude: 48, longitude: 11 }
    const blocks = HOSTILE_TEXTS.flatMap((text, index) => [
      { kind: 'text', text },
      ...(index % 10 > 0
        ? []
        : [
            { kind: 'values', title: text, value: { [text]: text } },
            { kind: 'table', title: text, columns: [text], rows: [[text], [{ text, view: text }]] },
            { kind: 'timeline', title: text, entries: [{ at: text, title: text, text }] },
            { kind: 'map', title: text, places: [{ name: text, note: text, ...place }] },
            { kind: 'image', source: text, description: text },
          ]),
    ])
    await page.route('**/v1/views/personal/day*', (route) =>
      route.fulfill({
        json: {
          status: 'success',
          data: { pack: 'personal', name: 'day', title: HOSTILE_TEXTS[0], fields: [], blocks },
        },
      }),
    )
    await page.getByRole('link', { name: 'Your day' }).click()
    await page.locator('.timeline').last().waitFor()
    const shown = await page.evaluate(
      `[...document.querySelectorAll('main *')].map((e) => e.localName)`,
    )
    for (const name of ['iframe', 'img', 'style', 'base', 'template', 'script'])
      expect(shown).not.toContain(name)
    expect(await page.evaluate('window.wasHit')).toBeUndefined()
    expect([...(await read())].filter((letter) => HIDDEN.includes(letter))).toEqual([])
  })

  test('broke no policy', () => {
    expect(app.complaints).toEqual([])
  })
})
