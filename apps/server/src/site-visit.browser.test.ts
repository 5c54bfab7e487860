import type { Caller } from '@surehand/core'
import {
  approval,
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
} from '@surehand/site/testing/widget-visit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openSiteVisitApp, type SiteVisitApp } from './fixtures/site-visit-app.ts'

// The real server with the demo shop. The rest of the widget is tested in packs/site/src/widget.
let app: SiteVisitApp
let browser: Browser
// Chromium's WebMCP is an experiment that has ended the whole browser: only its own tests have it. Both
// times an assertion of its browser process failed at one place, with our tools' schemas on the stack
// (two crash reports of Chromium 150); memory and /dev/shm, which Playwright avoids, were not it.
let withWebMcp: Browser
const complaints: string[] = []

beforeAll(async () => {
  app = await openSiteVisitApp()
  browser = await launch(inject('chromium'))
  withWebMcp = await launch(inject('wholeChromium'), ['--enable-features=WebMCP'])
})
afterAll(async () => {
  await browser.close()
  await withWebMcp.close()
  await app.close()
})

const open = (by = browser): Promise<Page> => visit(by, `${app.shop}/`, { complaints })

const approveButton = (page: Page) =>
  widget(page).getByRole('button', { name: 'Yes, do it', disabled: false })

test('a visitor types, sees everything before it is done, pays by hand, and has exactly one order', async () => {
  const page = await open()
  await openWidget(page)
  let repeated = false
  await page.route('**/site/turns', async (route) => {
    // The message arrives twice, as it does when an answer is lost on its way.
    if (!repeated) await route.fetch()
    repeated = true
    await route.continue()
  })
  await type(page, 'find red roses under 40, add two, check out')
  await page.waitForURL('**/cart', PATIENT)
  // The buttons wait until a person can have read the question.
  await approveButton(page).waitFor(PATIENT)
  expect(repeated).toBe(true)
  expect(app.count('orders')).toBe(0)
  expect(await findViolations(frameOf(page))).toEqual([])

  // The page is loaded anew: the conversation and the question are still there.
  await page.reload()
  await approval(page).waitFor(PATIENT)
  expect(await approval(page).textContent()).toMatch(/2 × Red Roses.*Total.*45\.80 EUR/s)
  await approveButton(page).click(PATIENT)
  await sentence(page, /The order .* is placed/).waitFor(PATIENT)
  expect(app.count('orders')).toBe(1)
  expect(app.count('cart_lines')).toBe(1)

  await page.reload()
  await sentence(page, /The order .* is placed/).waitFor(PATIENT)
  expect(await approval(page).isVisible()).toBe(false)
  expect(app.count('orders')).toBe(1)

  // The card is entered by the visitor, on the shop's own page; the agent sees that it is paid.
  await page.waitForURL('**/pay/**', PATIENT)
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Expiry').fill('12/30')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^Pay / }).click()
  await sentence(page, /the order .* is paid/).waitFor(PATIENT)
  expect(app.count('orders')).toBe(1)
  await page.context().close()
})

test('a visitor speaks, and approves by a whole "yes" after the read-back: exactly one appointment, cancelled the same way', async () => {
  const page = await open()
  await openWidget(page)
  await widget(page).getByRole('button', { name: 'Speak' }).click()
  await widget(page).getByText('Your browser turns what you say into text').waitFor()
  await widget(page).getByRole('button', { name: 'Switch it on' }).click()
  await widget(page).getByRole('button', { name: 'Stop listening' }).waitFor()
  await frameOf(page).evaluate('window.isVoiceHeld = true')
  const before = app.count('bookings')
  await hear(page, 'book a fitting on Thursday afternoon')
  await approval(page).waitFor(PATIENT)
  await expect.poll(() => readSpoken(page), PATIENT).toMatch(/Book .*fitting/is)
  // Said while the widget is still reading: it does not count, and is read again.
  await hear(page, 'yes')
  await sentence(page, 'I was still reading it to you').waitFor(PATIENT)
  await frameOf(page).evaluate('window.finishSpeaking()')
  // More than "yes" is a sentence of its own.
  const finals = async () => (await turns(page)).filter((turn) => turn.type === 'agent_final')
  const answered = (await finals()).length
  await hear(page, 'yes, but on Friday')
  await expect.poll(async () => (await finals()).length, PATIENT).toBeGreaterThan(answered)
  expect(app.count('bookings')).toBe(before)
  await approveButton(page).waitFor(PATIENT)
  await hear(page, 'Yes.')
  await expect.poll(() => app.count('bookings'), PATIENT).toBe(before + 1)
  await approval(page).waitFor({ state: 'hidden', ...PATIENT })
  const types = (await turns(page)).map((turn) => turn.type)
  for (const one of ['mic_opened', 'vad', 'partial_asr', 'final_asr', 'tts_play', 'agent_tool'])
    expect(types).toContain(one)
  expect(await readSpoken(page)).toMatch(/Book .*fitting.*Cancelling/is)

  // A cancellation cannot be undone either: time, cost and policy are read before a "yes" counts.
  await sentence(page, /is booked\. The code is/).waitFor(PATIENT)
  await frameOf(page).evaluate('window.isVoiceHeld = true; window.spoken = []')
  const early = widget(page).locator('#log').getByText('I was still reading it to you')
  const earlyBefore = await early.count()
  await hear(page, 'cancel my booking')
  await approval(page).waitFor(PATIENT)
  await expect.poll(() => readSpoken(page), PATIENT).toMatch(READ_BACK)
  await hear(page, 'yes')
  await expect.poll(() => early.count(), PATIENT).toBe(earlyBefore + 1)
  expect(app.count(CANCELLED)).toBe(0)
  await expect.poll(() => readSpoken(page), PATIENT).toMatch(READ_TWICE)
  await frameOf(page).evaluate('window.finishSpeaking()')
  await approveButton(page).waitFor(PATIENT)
  await hear(page, 'Yes.')
  await sentence(page, 'The booking is cancelled. It costs').waitFor(PATIENT)
  expect(app.count(CANCELLED)).toBe(1)
  expect(app.count('bookings')).toBe(before + 1)
  await page.context().close()
})

const CANCELLED = "bookings where state = 'cancelled'"
const READ_BACK =
  /Cancel [^?]*fitting[^?]* on Thursday[^?]*\? It costs [\d.]+ EUR now\. Appointments can be cancelled free of charge until 24 hours before.*Fee: [\d.]+ EUR/is
const READ_TWICE = new RegExp(`${READ_BACK.source}.*${READ_BACK.source}`, 'is')

/** Everything that the widget has said aloud. */
const readSpoken = async (page: Page): Promise<string> =>
  ((await frameOf(page).evaluate('window.spoken')) as readonly string[]).join('\n')

type PageTool = { readonly name: string; readonly description: string }
type ModelContext = {
  readonly getTools: () => Promise<readonly PageTool[]>
  readonly executeTool: (tool: PageTool, input: object) => Promise<string>
}

test("the browser's own agent has the site's tools, and the visitor approves in the widget", async () => {
  const page = await open(withWebMcp)
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
        // An object for newer browsers, and JSON text for older ones.
        const either = { ...JSON.parse(text), [Symbol.toPrimitive]: () => text }
        return found === undefined ? 'none' : modelContext.executeTool(found, either)
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
  await approveButton(page).click(PATIENT)
  expect(await booked).toContain('bookingId')
  expect(app.count('bookings')).toBe(before + 1)
  await page.context().close()
})

const OWNER: Caller = {
  tenant: 'demo',
  principal: 'owner',
  actor: 'user',
  roles: ['admin'],
  capabilities: [],
}

type Answer = {
  readonly status: string
  readonly data: { readonly answer?: string } | null
  readonly error?: { readonly code: string }
  readonly metadata: { readonly pending?: { readonly approval_id: string } }
}

test('a tool that a page registers itself is one of ours when the owner has accepted it', async () => {
  const page = await open(withWebMcp)
  const register = (description: string): Promise<unknown> =>
    page.evaluate(`document.modelContext.registerTool({
      name: 'giftNote', description: ${JSON.stringify(description)},
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      async execute({ text }) { (window.notes ??= []).push(text); return 'noted ' + text },
    })`)
  const imports = app.server.app.imports.imports
  const form = { kind: 'webmcp', from: { origin: app.shop } }
  const signal = AbortSignal.timeout(60_000)
  await register('Writes a note for the gift.')
  // The page reports it; that alone makes no tool.
  const preview = () =>
    imports.preview(OWNER, 'page', form, signal).then(
      ({ taken }) => taken,
      () => [],
    )
  await expect.poll(preview, PATIENT).toEqual(['page.giftNote'])
  const { token } = (await frameOf(page).evaluate(
    "JSON.parse(sessionStorage.getItem('surehand.widget'))",
  )) as { readonly token: string }
  const send = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${app.server.addresses.publicUrl}/site${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await response.json()) as T
  }
  const call = (key: string) =>
    send<Answer>('/calls', { tool: 'page.giftNote', input: { text: 'with love' }, key })
  expect((await call('before-import')).error?.code).toBe('TOOL_NOT_FOUND')

  await imports.add(OWNER, 'page', form, signal)
  const asked = await call('gift-note-1')
  const id = asked.metadata.pending?.approval_id
  const { digest } = await send<{ digest: string }>(`/approvals/${id}`)
  const decided = await send<{ answer: Answer }>(`/approvals/${id}`, { verdict: 'approve', digest })
  expect(decided.answer).toMatchObject({ status: 'success', data: { answer: 'noted with love' } })
  expect((await call('gift-note-1')).data).toEqual({ answer: 'noted with love' })
  expect(await page.evaluate('window.notes')).toEqual(['with love'])

  // Another definition under the same name: the page is not asked to execute it.
  await page.goto(`${app.shop}/`)
  await register('Writes a note for the gift, and orders it.')
  const again = await call('gift-note-2')
  const next = again.metadata.pending?.approval_id
  const shown = await send<{ digest: string }>(`/approvals/${next}`)
  const refused = await send<{ answer: Answer }>(`/approvals/${next}`, {
    verdict: 'approve',
    digest: shown.digest,
  })
  expect(refused.answer).toMatchObject({
    status: 'failed',
    error: { code: 'TOOL_RESOURCE_NOT_FOUND' },
  })
  expect(await page.evaluate('window.notes')).toBeUndefined()
  // The owner sees the difference, and the tool is quarantined until it is accepted.
  await expect
    .poll(async () => (await imports.refresh(OWNER, 'page', signal)).held, PATIENT)
    .toMatchObject([
      {
        id: 'page.giftNote',
        differences: expect.arrayContaining([expect.stringContaining('and orders it')]),
      },
    ])
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
