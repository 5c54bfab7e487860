import { mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Page,
} from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { SCRIPTED_SPEECH } from './fixtures/scripted-speech.ts'
import { openSiteVisitApp, type SiteVisitApp } from './fixtures/site-visit-app.ts'

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PATIENT = { timeout: 60_000 }

let app: SiteVisitApp
let browser: Browser
beforeAll(async () => {
  app = await openSiteVisitApp()
  browser = await chromium.launch({ executablePath: inject('chromium'), args: FLAGS })
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** Into the folder that SCREENSHOTS names, else into a temporary one. */
const pictures = process.env.SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'site-visit-'))
const complaints: string[] = []

type Turn = { readonly type: string; readonly text?: string; readonly at: number }

async function visit(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  await context.addInitScript(SCRIPTED_SPEECH)
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  const page = await context.newPage()
  await page.goto(`${app.shop}/`)
  return page
}

const widget = (page: Page) => page.frameLocator('iframe[title="Assistant"]')
const openWidget = (page: Page): Promise<void> =>
  widget(page).getByRole('button', { name: 'Open the assistant' }).click(PATIENT)

async function type(page: Page, text: string): Promise<void> {
  await widget(page).getByLabel('Message').fill(text)
  await widget(page).getByLabel('Message').press('Enter')
}

/** Something that the agent has said. */
const sentence = (page: Page, text: string | RegExp) =>
  widget(page).locator('#log').getByText(text).last()
const approval = (page: Page) => widget(page).locator('#approval')

function frameOf(page: Page): Frame {
  const frame = page.frames().find((one) => one.url().includes('/site/widget'))
  if (frame === undefined) throw new Error('The page has no widget.')
  return frame
}
const turns = (page: Page): Promise<readonly Turn[]> => frameOf(page).evaluate('window.readTurns()')
const hear = (page: Page, text: string): Promise<unknown> =>
  frameOf(page).evaluate(`window.hear(${JSON.stringify(text)})`)

/** What axe finds in the widget. */
async function findViolations(page: Page): Promise<readonly string[]> {
  const frame = frameOf(page)
  await frame.evaluate(AXE)
  const { violations } = (await frame.evaluate('axe.run()')) as AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

test('a visitor types, sees everything before it is done, and has exactly one order', async () => {
  const page = await visit()
  await openWidget(page)
  let repeated = false
  await page.route('**/site/turns', async (route) => {
    // The message arrives twice, as it does when an answer is lost on its way.
    if (!repeated) await route.fetch()
    repeated = true
    await route.continue()
  })
  await type(page, 'find red roses under 40, add two, check out')
  await approval(page).waitFor(PATIENT)
  expect(repeated).toBe(true)
  expect(app.count('orders')).toBe(0)
  await expect.poll(() => page.url(), PATIENT).toContain('/cart')
  // The buttons wait until a person can have read the question.
  await page.waitForTimeout(700)
  await page.screenshot({ path: join(pictures, 'site-order-read-back.png') })
  expect(await findViolations(page)).toEqual([])

  // The page is loaded anew: the conversation and the question are still there.
  await page.reload()
  await approval(page).waitFor(PATIENT)
  expect(await approval(page).textContent()).toMatch(/2 × Red Roses.*Total.*45\.80 EUR/s)
  await widget(page).getByRole('button', { name: 'Yes, do it' }).click(PATIENT)
  await sentence(page, /The order .* is placed/).waitFor(PATIENT)
  expect(app.count('orders')).toBe(1)
  expect(app.count('cart_lines')).toBe(1)

  await page.reload()
  await sentence(page, /The order .* is placed/).waitFor(PATIENT)
  expect(await approval(page).isVisible()).toBe(false)
  expect(app.count('orders')).toBe(1)
  await page.context().close()
})

test('a visitor speaks, and a whole yes after the read-back books exactly one appointment', async () => {
  const page = await visit()
  await openWidget(page)
  await widget(page).getByRole('button', { name: 'Speak' }).click()
  await widget(page).getByText('Your browser turns what you say into text').waitFor()
  await widget(page).getByRole('button', { name: 'Switch it on' }).click()
  await widget(page).getByRole('button', { name: 'Stop listening' }).waitFor()
  await frameOf(page).evaluate('window.voiceMs = 1500')
  await hear(page, 'book a fitting on Thursday afternoon')
  await approval(page).waitFor(PATIENT)
  // Said while the widget is still reading: it does not count.
  await hear(page, 'yes')
  await sentence(page, 'I was still reading it to you').waitFor(PATIENT)
  expect(app.count('bookings')).toBe(0)
  await page.waitForTimeout(2_000)
  await hear(page, 'yes, but on Friday')
  await page.waitForTimeout(300)
  expect(app.count('bookings')).toBe(0)
  await approval(page).waitFor(PATIENT)
  await page.waitForTimeout(2_000)
  await page.screenshot({ path: join(pictures, 'site-booking-read-back.png') })
  await hear(page, 'Yes.')
  await expect.poll(() => app.count('bookings'), PATIENT).toBe(1)
  await approval(page).waitFor({ state: 'hidden', ...PATIENT })
  const types = (await turns(page)).map((turn) => turn.type)
  for (const one of ['mic_opened', 'vad', 'partial_asr', 'final_asr', 'tts_play', 'agent_tool'])
    expect(types).toContain(one)
  const spoken = (await frameOf(page).evaluate('window.spoken')) as readonly string[]
  expect(spoken.join('\n')).toMatch(/Book .*fitting.*Cancelling/is)
  await page.context().close()
})

test('who denies has no order, and a network that was cut goes on where it was', async () => {
  const page = await visit()
  await openWidget(page)
  await type(page, 'find white roses, add one')
  await sentence(page, /is in your cart/).waitFor(PATIENT)
  await page.context().setOffline(true)
  await type(page, 'check out')
  await page.waitForTimeout(300)
  await page.context().setOffline(false)
  await approval(page).waitFor(PATIENT)
  const before = app.count('orders')
  await widget(page).getByRole('button', { name: 'No', exact: true }).click(PATIENT)
  await sentence(page, 'nothing was done').waitFor(PATIENT)
  expect(app.count('orders')).toBe(before)
  await page.context().close()
})

test('a new sentence interrupts what was being said', async () => {
  const page = await visit()
  await openWidget(page)
  const held: (() => void)[] = []
  // The first sentence is on its way until the second has been written.
  await page.route(
    '**/site/turns',
    async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    },
    { times: 1 },
  )
  await type(page, 'find red roses')
  await expect.poll(() => held.length, PATIENT).toBe(1)
  await type(page, 'find plants')
  held[0]?.()
  await expect
    .poll(async () => (await turns(page)).map((turn) => turn.type), PATIENT)
    .toContain('barge_in')
  await sentence(page, /I found/).waitFor(PATIENT)
  await page.context().close()
})

test('the first words are there within 300 ms of the dispatch', async () => {
  const page = await visit()
  await openWidget(page)
  await widget(page).getByLabel('Message').fill('find red roses')
  const entered = Date.now()
  await widget(page).getByLabel('Message').press('Enter')
  await sentence(page, /I found/).waitFor(PATIENT)
  const all = await turns(page)
  const started = all.find((turn) => turn.text === 'search.siteSearch started')
  const caption = all.find((turn) => turn.type === 'tts_play' && /red roses/.test(turn.text ?? ''))
  expect(started && caption && caption.at - started.at).toBeLessThanOrEqual(300)
  if (process.env.SCREENSHOTS)
    console.log(`from Enter to the first words: ${Math.round((caption?.at ?? 0) - entered)} ms`)
  await page.context().close()
})

test('the widget is complete for keyboards, and fits a phone', async () => {
  const page = await visit({ viewport: { width: 390, height: 780 } })
  await widget(page).getByRole('button', { name: 'Open the assistant' }).focus(PATIENT)
  await page.keyboard.press('Enter')
  await page.keyboard.type('help')
  await page.keyboard.press('Enter')
  await widget(page).locator('.entry.visitor').getByText('help').waitFor(PATIENT)
  await page.screenshot({ path: join(pictures, 'site-widget-phone.png') })
  const box = await page.locator('iframe[title="Assistant"]').boundingBox()
  expect(box?.width).toBe(390)
  await page.keyboard.press('Escape')
  await expect.poll(() => frameOf(page).evaluate('document.activeElement?.id')).toBe('launcher')
  await page.context().close()
})

type PageTool = { readonly name: string; readonly description: string }
type ModelContext = {
  readonly getTools: () => Promise<readonly PageTool[]>
  readonly executeTool: (tool: PageTool, input: string) => Promise<string>
}

test("the browser's own agent has the site's tools, and the visitor approves in the widget", async () => {
  const own = await chromium.launch({
    executablePath: inject('chromium'),
    args: [...FLAGS, '--enable-features=WebMCP'],
  })
  const page = await (await own.newContext()).newPage()
  await page.goto(`${app.shop}/`)
  const names = (): Promise<string[]> =>
    page.evaluate(async () => {
      const { modelContext } = Reflect.get(globalThis, 'document') as { modelContext: ModelContext }
      return (await modelContext.getTools()).map(({ name }) => name)
    })
  await expect.poll(names, PATIENT).toContain('booking__bookSlot')
  expect(
    (await names()).filter((name) => /^site__(?:connect|stop|open_session)/.test(name)),
  ).toEqual([])
  const call = (tool: string, input: object): Promise<string> =>
    page.evaluate(
      async ([name, text]) => {
        const { modelContext } = Reflect.get(globalThis, 'document') as {
          modelContext: ModelContext
        }
        const tools = await modelContext.getTools()
        const found = tools.find((one) => one.name === name)
        return found === undefined ? 'none' : modelContext.executeTool(found, text)
      },
      [tool, JSON.stringify(input)] as const,
    )
  const slots = await call('booking__searchSlots', {})
  const slotId = /slotId\W+([\w-]+)/.exec(slots)?.[1]
  expect(slotId, slots).toBeDefined()
  const before = app.count('bookings')
  const booked = call('booking__bookSlot', { slotId })
  await approval(page).waitFor(PATIENT)
  expect(app.count('bookings')).toBe(before)
  await page.screenshot({ path: join(pictures, 'site-webmcp.png') })
  await widget(page).getByRole('button', { name: 'Yes, do it' }).click(PATIENT)
  expect(await booked).toContain('bookingId')
  expect(app.count('bookings')).toBe(before + 1)
  await own.close()
})

test('a copied tab begins a conversation of its own, and neither moves the other', async () => {
  const page = await visit()
  await openWidget(page)
  await type(page, 'find red roses')
  await sentence(page, /I found/).waitFor(PATIENT)
  const tabOf = (one: Page): Promise<unknown> =>
    frameOf(one).evaluate("JSON.parse(sessionStorage.getItem('surehand.widget')).tab")
  const [copy] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate("void open('/')"),
  ])
  await openWidget(copy)
  expect(await tabOf(copy)).not.toBe(await tabOf(page))
  expect(await widget(copy).locator('#log').textContent()).not.toContain('red roses')
  const before = page.url()
  await type(copy, 'show my cart')
  await expect.poll(() => copy.url(), PATIENT).toContain('/cart')
  expect(page.url()).toBe(before)
  await page.context().close()
})

test('the widget is shown in pages of the site alone, and only with a valid key', async () => {
  const key = /data-key="([^"]+)"/.exec(await (await fetch(`${app.shop}/`)).text())?.[1]
  const address = `${app.server.addresses.publicUrl}/site/widget?key=`
  const shown = await fetch(`${address}${key}`)
  expect(shown.headers.get('content-security-policy')).toMatch(
    new RegExp(`script-src 'self';.*frame-ancestors ${app.shop}$`),
  )
  expect((await fetch(`${address}pk_unknown`)).status).toBe(404)
})

test('nothing complained', () => {
  expect(complaints).toEqual([])
})
