import { approvalView, visibleText } from '@surehand/core/host'
import { systemCaller } from '@surehand/identity'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type BrowserApp, openBrowserApp, signIn } from '../fixtures/browser-app.ts'
import { HIDDEN, HOSTILE_TEXTS } from '../fixtures/hostile-texts.ts'

// Every page of the console with 200 hostile texts in each field that the server answers. The lists
// of people, tenants, decisions and the blocks of views have them in the tests of their own.
let app: BrowserApp
let page: Page
let callId: string
let approvalId: string
const strayed: string[] = []

beforeAll(async () => {
  app = await openBrowserApp(inject('chromium'))
  const { identityApi, config, runtime } = app.serving.app
  const by = systemCaller(config.home)
  await identityApi.principals.put(by, 'root', { roles: ['admin', 'user'] })
  const { token } = await identityApi.tokens.create(by, { principal: 'root', name: 'console' })
  callId = (await app.ask('trip.book', 'hostile', { to: 'Bergen' })).callId
  approvalId = (await app.ask('bank.transfer', 'hostile', { amount: '5 EUR', recipient: 'x' })).id
  await runtime.administration.change(by, { kind: 'policy', id: 'tenant', value: POLICY })
  page = await (await app.open()).newPage()
  await signIn(page, `${app.url}/console`, token)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  page.on('request', (request) => {
    if (!request.url().startsWith(app.url)) strayed.push(request.url())
  })
})
afterAll(() => app.close())

const POLICY = {
  disabledTools: ['x.*'],
  limits: [{ tools: 'y.*', calls: 5, windowMs: 60_000 }],
  approvals: [{ tools: 'z.*', kind: 'admin' }],
  timeouts: [{ tools: 'z.*', maxMs: 5_000 }],
  trustedHosts: ['desk'],
}

let perField = 0
let next = 0
/** The next of the 200, as many as fit the fields of the page; each field begins with another one. */
function hostileText(): string {
  const from = (next * perField + next++) % HOSTILE_TEXTS.length
  return [...HOSTILE_TEXTS, ...HOSTILE_TEXTS].slice(from, from + perField).join(' | ')
}

// What decides how something is shown, and times, are not texts of others.
const KEPT =
  /^(?:status|state|phase|verdict|actor|level|how|what|next_cursor|type|kind|is_administrator)$|(?:^|_)at$/
// Their fields have names that others chose.
const OPEN = /^(?:data|input|output|settings|from|outcomes|codes|open|facts|summary)$/

/** The same answer with a hostile text in every field. */
function corrupt(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (KEPT.test(name)) return value
    // The input of a trace is JSON in a text.
    if (/^[{[]/.test(value)) return JSON.stringify(corrupt(JSON.parse(value), 'input'))
    return hostileText()
  }
  if (Array.isArray(value)) return value.map((item) => corrupt(item, name))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, field]) => [key, corrupt(field, key)])
  const sample = Object.values(value)[0]
  const added = typeof sample === 'number' ? 3 : hostileText()
  return Object.fromEntries(OPEN.test(name) ? [...fields, [hostileText(), added]] : fields)
}

async function corruptAnswer(route: Route): Promise<void> {
  const response = await route.fetch()
  const { data, ...rest } = (await response.json()) as { readonly data: unknown }
  const isPlain = /\/v1\/(?:session|inbox)/.test(route.request().url())
  // Of a call's envelope, more than the data is shown.
  const whole = corrupt({ ...rest, answer: data }) as { readonly answer: unknown }
  const { answer, ...others } = whole
  await route.fulfill({ response, json: isPlain ? { ...rest, data } : { ...others, data: answer } })
}

const at = '2026-11-16T09:00:00.000Z'
const answer = (data: unknown) => (route: Route) =>
  route.fulfill({ json: { status: 'success', data } })
const listOf = (...items: readonly unknown[]) => answer({ items, next_cursor: null })

async function approvalAnswer(route: Route): Promise<void> {
  const view = approvalView(await app.serving.app.runtime.approvals.get('demo', approvalId))
  const request: unknown = JSON.parse(view.shown, (_, value) =>
    typeof value === 'string' ? visibleText(hostileText()) : value,
  )
  const shown = JSON.stringify(request)
  const decision = {
    verdict: 'deny',
    by: hostileText(),
    reason: hostileText(),
    credential: 'own',
    at,
  }
  const delegation = { to: hostileText(), by: hostileText(), at }
  await answer({
    ...{ ...view, shown, asks: visibleText(hostileText()), tool: hostileText() },
    ...{ state: 'denied', decision, delegation },
  })(route)
}

const tree = (): object => ({
  ...{ path: hostileText(), what: 'call', tool: hostileText(), call_id: hostileText() },
  ...{ state: 'failed', code: hostileText(), steps: [] },
})
const anImport = (): object => ({
  ...{ name: hostileText(), kind: hostileText(), from: { url: hostileText() }, tools: 1 },
  ...{ settings: { [hostileText()]: hostileText() }, document: hostileText() },
  held: [{ id: hostileText(), held: hostileText(), differences: [hostileText()] }],
  trouble: hostileText(),
  refused: { reason: hostileText(), suggestions: [hostileText()] },
  refusals: [{ host: hostileText(), reason: hostileText(), suggestion: hostileText(), at }],
  ...{ imported_by: hostileText(), refresh_seconds: 300 },
})
const aProgram = (): object => ({
  ...{ id: hostileText(), state: 'withdrawn', actor: 'ai_agent', proposed_by: hostileText() },
  program: {
    ...{ title: hostileText(), description: hostileText(), answer: hostileText() },
    steps: [
      { id: hostileText(), tool: hostileText(), input: { [hostileText()]: hostileText() } },
      { id: hostileText(), ask: { question: hostileText() }, if: { $ref: hostileText() } },
      { id: hostileText(), parallel: { [hostileText()]: [{ id: hostileText() }] } },
    ],
  },
  examples: [{ name: hostileText(), input: { name: hostileText() } }],
  ...{ proposed_at: 0, digest: hostileText(), problem: hostileText(), warnings: [hostileText()] },
  parts: [{ tool: hostileText(), effect: hostileText(), state: 'changed' }],
  in_use: { version: hostileText(), accepted_by: hostileText() },
  former: [{ version: hostileText(), accepted_by: hostileText(), accepted_at: 0 }],
})
const figures = (): object => ({
  ...{ complete: true, step_ms: 1, points: [], samples: [], oldest_queued_at: null },
  open: { [hostileText()]: 3, unknown: 2 },
})
const whatIf = (): object => ({
  ...{ calls: 5, days: 7, since: at, complete: true, verdicts: { refused: 5 } },
  groups: [
    {
      ...{ verdict: 'refused', reason: hostileText(), tool: hostileText(), calls: 5 },
      ...{ principal: hostileText(), actor: 'user' },
    },
  ],
  examples: [
    {
      ...{ call_id: hostileText(), tool: hostileText(), principal: hostileText(), at },
      verdict: 'refused',
    },
  ],
})

type HostilePage = {
  /** A page of few fields has all of them in each. */
  readonly perField?: number
  readonly path: () => string
  /** Answers that are not made from those of the server. */
  readonly answers?: Readonly<Record<string, () => (route: Route) => Promise<void>>>
  /** What a person does there before all of it is seen. */
  readonly open?: () => Promise<void>
}

const PAGES: Readonly<Record<string, HostilePage>> = {
  calls: { perField: 50, path: () => '/calls' },
  'a call': {
    path: () => `/calls/${callId}`,
    answers: { '**/v1/calls/*/tree*': () => answer({ steps: [tree()] }) },
  },
  'a decision': {
    perField: 40,
    path: () => `/decisions/${approvalId}`,
    answers: { '**/v1/approvals/*': () => approvalAnswer },
  },
  tools: { perField: 60, path: () => '/tools' },
  'a tool': { perField: 100, path: () => '/tools/bank.transfer' },
  policy: {
    perField: 60,
    path: () => '/policy',
    answers: { '**/v1/what-if': () => answer(whatIf()) },
    async open() {
      await page.getByLabel('Tools that are off').fill(hostileText())
      await page.getByRole('button', { name: 'Replay the calls' }).click()
      await page.getByText('Some of these calls').click()
    },
  },
  imports: {
    perField: 200,
    path: () => '/imports',
    answers: { '**/v1/imports?*': () => listOf(anImport()) },
  },
  'an import': {
    perField: 40,
    path: () => '/imports/pets',
    answers: { '**/v1/imports/pets': () => answer(anImport()) },
  },
  programs: {
    perField: 200,
    path: () => '/programs',
    answers: { '**/v1/programs?*': () => listOf(aProgram()) },
  },
  'a program': {
    path: () => '/programs/made.x',
    answers: { '**/v1/programs/made.x': () => answer(aProgram()) },
  },
  audit: {
    perField: 200,
    path: () => '/audit',
    answers: {
      '**/v1/audit?tool=audit.erase*': () =>
        listOf({ id: hostileText(), principal: hostileText(), created_at: 0 }),
      '**/v1/audit/verify': () =>
        answer({ verdict: { kind: 'broken', flaw: { position: 7, what: hostileText() } } }),
    },
    async open() {
      await page.getByRole('button', { name: 'Check on the server' }).click()
      await page.getByText('Broken at record 7').waitFor()
    },
  },
  health: {
    perField: 200,
    path: () => '/health',
    answers: { '**/v1/figures?*': () => answer(figures()) },
  },
}

/** Where a character that hides stands in the page as it is, outside of fields. */
const FIND_HIDDEN = `(() => {
  const found = []
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode
    if (parentElement.localName !== 'textarea' && ${JSON.stringify(HIDDEN)}.some((letter) => data.includes(letter)))
      found.push(parentElement.parentElement.outerHTML.slice(0, 150))
  }
  return found
})()`

const read = (): Promise<string> => page.evaluate(`document.querySelector('main').innerText`)
const withoutSpaces = (text: string): string => text.replaceAll(/[\s_]/g, '')

test.each(Object.entries(PAGES))(
  '200 hostile texts are inert in every field: %s',
  async (_, one) => {
    expect(HOSTILE_TEXTS).toHaveLength(200)
    perField = one.perField ?? 25
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.route('**/v1/**', corruptAnswer)
    await page.route('**/v1/inbox/events', (route) => route.abort())
    for (const [pattern, makeAnswer] of Object.entries(one.answers ?? {}))
      await page.route(pattern, makeAnswer())
    const address = `${app.url}/console${one.path()}`
    await page.goto(address)
    await page.evaluate('window.hit = () => { window.wasHit = true }')
    await expect.poll(read).toContain('⟨U+202E⟩')
    await expect.poll(read).not.toMatch(/Loading .* …/)
    await one.open?.()
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
    await app.picture(page, `hostile-${one.path().slice(1).replaceAll(/\W/g, '-')}`, 'screen')
    const text = await read()
    const shown = withoutSpaces(text)
    expect(
      HOSTILE_TEXTS.filter((hostile) => !shown.includes(withoutSpaces(visibleText(hostile)))),
    ).toEqual([])
    expect(await page.evaluate(FIND_HIDDEN)).toEqual([])
    const names = await page.evaluate(
      `[...document.querySelectorAll('main *')].map((e) => e.localName)`,
    )
    for (const name of ['iframe', 'img', 'style', 'base', 'template', 'svg', 'script'])
      expect(names).not.toContain(name)
    // No link leads out of the console, and no element was given what runs.
    const suspicious =
      await page.evaluate(`[...document.querySelectorAll('main *')].flatMap((element) =>
    [...element.attributes]
      .filter(({ name, value }) => name.startsWith('on') || (/^(?:href|src|action)$/.test(name) && new URL(value, document.baseURI).origin !== location.origin))
      .map(({ name, value }) => name + '=' + value))`)
    expect(suspicious).toEqual([])
    expect(await page.evaluate('window.wasHit')).toBeUndefined()
    expect(page.url()).toBe(address)
  },
)

test('no page sent a request elsewhere, or broke its own policy', () => {
  expect(strayed).toEqual([])
  expect(app.complaints).toEqual([])
})
