import { setTimeout as pause } from 'node:timers/promises'
import { approvalView, visibleText } from '@surehand/core/host'
import { systemCaller } from '@surehand/identity'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type BrowserApp,
  closeContexts,
  DESKTOP,
  findViolations,
  judgePage,
  openBrowserApp,
} from '../fixtures/browser-app.ts'
import { HIDDEN, HOSTILE_TEXTS } from '../fixtures/hostile-texts.ts'
import { type SubPathProxy, startSubPathProxy } from '../fixtures/sub-path-proxy.ts'

// The server is behind a proxy, under a path of its own: the browser sees no other address.
let proxy: SubPathProxy
let app: BrowserApp
let root: string
const MOST_BYTES = 350 * 1_024

beforeAll(async () => {
  proxy = await startSubPathProxy('/tools')
  app = await openBrowserApp(inject('chromium'), { publicUrl: proxy.origin })
  proxy.forwardTo(app.serving.port)
  const { identityApi, config } = app.serving.app
  const by = systemCaller(config.home)
  await identityApi.principals.put(by, 'root', { roles: ['admin', 'user'] })
  root = (await identityApi.tokens.create(by, { principal: 'root', name: 'console' })).token
})
afterAll(async () => {
  await app.close()
  proxy.close()
})

// A page that stays open would go on asking the server what is new.
afterEach(() => closeContexts(app.browser.contexts()))

const consoleUrl = (path = ''): string => `${proxy.origin}/tools/console${path}`

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Your access token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** A page of the console, for a person who is signed in. */
async function openAs(token: string, path = '', viewport = DESKTOP): Promise<Page> {
  const page = await (await app.open({ viewport })).newPage()
  await page.goto(consoleUrl(path))
  await signIn(page, token)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  return page
}

const read = (page: Page): Promise<string> =>
  page.evaluate(`document.querySelector('main').innerText`)
const expectText = (page: Page) => expect.poll(() => read(page))
async function transfer(key: string, recipient: string, more: object = {}): Promise<string> {
  const input = { amount: '5 EUR', recipient, ...more }
  return (await app.ask('bank.transfer', key, input)).id
}

async function countWaiting(token: string): Promise<number> {
  const url = `http://127.0.0.1:${app.serving.port}/v1/inbox?limit=200`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return ((await answer.json()) as { readonly data: { readonly items: unknown[] } }).data.items
    .length
}

describe('the session', () => {
  test('is not opened by the token of an agent, and ends on the server', async () => {
    const context = await app.open()
    const page = await context.newPage()
    await page.goto(consoleUrl())
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    const { agent } = app.serving.welcome.demoTokens as { readonly agent: string }
    await signIn(page, agent)
    await expectText(page).toContain('it is the token of an AI agent')
    await signIn(page, app.ann)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    const stolen = await context.cookies()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await context.addCookies(stolen)
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
  })

  test('is needed: other addresses than those of the console answer nothing', async () => {
    const page = await openAs(app.ann, '/nowhere/at/all')
    await expectText(page).toContain('There is no such page')
    // ann is no administrator: the server refuses, whatever the page offers
    await page.goto(consoleUrl('/calls'))
    await expectText(page).toContain('Only administrators may read the audit.')
    expect(await page.getByRole('link', { name: 'Calls', exact: true }).count()).toBe(0)
  })
})

describe('the first load', () => {
  test('is small, and the page allows neither scripts nor styles in its text', async () => {
    await transfer('first-load', 'the landlord')
    const page = await (await app.open()).newPage()
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (/\/console(?:\/|$)/.test(new URL(request.url()).pathname))
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    const answer = await page.goto(consoleUrl())
    await signIn(page, app.ann)
    await page.getByRole('link', { name: /Send 5 EUR to the landlord/ }).waitFor()
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(MOST_BYTES)
    expect(answer?.headers()['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    )
  })
})

describe('the inbox', () => {
  test('shows what arrives by itself, is moved through by keyboard, and decides with a reason', async () => {
    const page = await openAs(app.ann)
    await transfer('live-1', 'live one')
    await page.getByRole('link', { name: /live one/ }).waitFor()
    await transfer('live-2', 'live two')
    await page.getByRole('link', { name: /live two/ }).click()
    await expectText(page).toContain('This cannot be undone.')
    await app.picture(page, 'console-inbox', 'screen')
    await page.keyboard.press('k')
    await expectText(page).toMatch(/recipient\s+live one/)
    await page.keyboard.press('j')
    await expectText(page).toMatch(/recipient\s+live two/)
    await page.keyboard.press('d')
    await page.getByLabel(/Reason/).fill('We owe them nothing.')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await expectText(page).toContain('Denied: Send 5 EUR to live two?')
    await page.getByRole('link', { name: /live one/ }).click()
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Approve once', exact: true }).click()
    await expectText(page).toContain('Approved: Send 5 EUR to live one?')
    await expect.poll(() => app.paid).toContain('live one')
    expect(app.paid).not.toContain('live two')
    await page.getByRole('link', { name: 'Decisions', exact: true }).click()
    await page.getByRole('link', { name: /live two/ }).click()
    await expectText(page).toMatch(/Denied by ann[\s\S]*Reason: We owe them nothing\./)
    await page.goBack()
    await page.getByRole('link', { name: /live one/ }).click()
    await expectText(page).toContain('The call is done.')
    await page.getByRole('link', { name: 'See the call' }).click()
    await expectText(page).toContain('sent to live one')
  })

  test('denies several requests with one reason', async () => {
    const page = await openAs(app.ann)
    const ids = await Promise.all(
      ['one', 'two', 'three'].map((n) => transfer(`bulk-${n}`, `bulk ${n}`)),
    )
    for (const name of ['one', 'two', 'three'])
      await page.getByRole('checkbox', { name: new RegExp(`bulk ${name}`) }).check()
    await page.getByRole('button', { name: 'Deny 3 requests …' }).click()
    await page.getByLabel(/Reason/).fill('Not today.')
    await page.getByRole('button', { name: 'Deny 3 requests', exact: true }).click()
    await expectText(page).toContain('Denied 3 requests.')
    const { approvals } = app.serving.app.runtime
    const decided = await Promise.all(ids.map((id) => approvals.get('demo', id)))
    expect(decided.map(({ state, decision }) => [state, decision?.reason])).toEqual(
      Array(3).fill(['denied', 'Not today.']),
    )
  })

  test('goes on behind its first page', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five'])
      await transfer(`paged-${name}`, `paged ${name}`)
    const page = await openAs(app.ann)
    await page.route('**/v1/inbox*', (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set('limit', '2')
      return route.continue({ url: url.href })
    })
    await page.goto(consoleUrl())
    // Behind the rows in view the next page is read by itself.
    const rows = page.getByRole('region', { name: 'Waiting' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBeGreaterThan(4)
    await expectText(page).toMatch(/\d+ waiting/)
  })

  test('of a thousand requests has few of them in the page, and the keyboard reaches all', async () => {
    const id = await transfer('thousand', 'one of a thousand')
    const approval = await app.serving.app.runtime.approvals.get('demo', id)
    const page = await openAs(app.ann)
    await page.route('**/v1/inbox?*', async (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
      const items = Array.from({ length: 100 }, (_, index) => ({
        kind: 'approval',
        may_decide: true,
        approval: {
          ...approvalView(approval),
          id: `appr_${from + index}`,
          asks: `Request number ${from + index}`,
        },
      }))
      const next_cursor = from < 900 ? String(from + 100) : null
      await route.fulfill({ json: { status: 'success', data: { items, next_cursor } } })
    })
    await page.goto(consoleUrl())
    const waiting = page.getByRole('region', { name: 'Waiting' })
    const rows = waiting.getByRole('listitem')
    const count = async () => Number(await rows.first().getAttribute('aria-setsize'))
    await expect.poll(count).toBeGreaterThanOrEqual(100)
    const frame = waiting.getByRole('region', { name: 'Requests' })
    await expect
      .poll(async () => {
        await frame.press('End')
        return count()
      })
      .toBe(1_000)
    expect(await rows.count()).toBeLessThan(60)
    await page.keyboard.press('k')
    await expect.poll(() => page.url()).toContain('appr_999')
    const readRows = async () => (await rows.allInnerTexts()).join('\n')
    await expect.poll(readRows).toContain('Request number 999')
    await page.keyboard.press('k')
    await expect.poll(() => page.url()).toContain('appr_998')
    expect(await findViolations(page)).toEqual([])
  })

  test('is delegated to a person who may decide, who finds it marked', async () => {
    const id = await transfer('delegated', 'the tailor')
    const page = await openAs(root, `?item=${id}`)
    await page.getByRole('article').waitFor()
    await page.keyboard.press('g')
    await page.getByLabel('Person who is to decide').fill('ben')
    await page.getByRole('button', { name: 'Delegate', exact: true }).click()
    await expect.poll(() => page.getByRole('dialog').textContent()).toContain('was not delegated')
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Person who is to decide').fill('ann')
    await page.getByRole('button', { name: 'Delegate', exact: true }).click()
    await expectText(page).toContain('Delegated to ann: Send 5 EUR to the tailor?')
    await expectText(page).toContain('Delegated to ann by root')
    const hers = await openAs(app.ann)
    const row = hers.getByRole('listitem').filter({ hasText: 'the tailor' })
    await expect.poll(() => row.textContent()).toContain('delegated to you')
  })

  test('is read again when the server says so, also after the stream was cut', async () => {
    const page = await openAs(app.ann)
    let streams = 0
    await page.route('**/v1/inbox/events', (route) => {
      streams++
      return streams === 1 ? route.abort() : route.continue()
    })
    await page.goto(consoleUrl())
    await expect.poll(() => streams).toBeGreaterThan(1)
    await transfer('after-cut', 'after the cut')
    await page.getByRole('link', { name: /after the cut/ }).waitFor()
  })

  test('shows what arrived after its first reading and before the server could say so', async () => {
    const page = await openAs(app.ann)
    await page.goto('about:blank')
    const { promise: hasArrived, resolve: arrive } = Promise.withResolvers<void>()
    await page.route('**/v1/inbox/events', async (route) => {
      await hasArrived
      await route.continue()
    })
    const streamed = page.waitForResponse('**/v1/inbox/events')
    let readings = 0
    await page.route('**/v1/inbox?*', async (route) => {
      readings++
      const response = await route.fetch()
      if (readings === 1) {
        await transfer('first-reading', 'after the first reading')
        arrive()
        await streamed
        // The answer of the first reading comes after the event.
        await pause(500)
      }
      await route.fulfill({ response })
    })
    await page.goto(consoleUrl())
    await page.getByRole('link', { name: /after the first reading/ }).waitFor()
  })

  test('says that it loads, that nothing waits, and why it cannot be read', async () => {
    const page = await openAs(app.ann)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/v1/inbox*', async (route) => {
      await held
      await route.fulfill({ json: { status: 'success', data: { items: [], next_cursor: null } } })
    })
    await page.goto(consoleUrl())
    await expectText(page).toContain('Loading what waits for you')
    release()
    await expectText(page).toContain('Nothing is waiting.')
    expect(await findViolations(page)).toEqual([])
    await page.unroute('**/v1/inbox*')
    await page.route('**/v1/inbox*', (route) =>
      route.fulfill({
        status: 503,
        json: { status: 'error', data: null, error: { code: 'X', message: 'The store is away.' } },
      }),
    )
    await page.goto(consoleUrl())
    await expectText(page).toContain('The store is away.')
    await page.unroute('**/v1/inbox*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('region', { name: 'Waiting' }).waitFor()
  })
})

const PER_FIELD = 5

describe('hostile texts', () => {
  test('of 200 kinds are shown as plain text, and what hides in them is marked', async () => {
    expect(HOSTILE_TEXTS).toHaveLength(200)
    const page = await openAs(app.ann)
    await page.evaluate('window.hit = () => { window.wasHit = true }')
    const fields = Array.from({ length: HOSTILE_TEXTS.length / PER_FIELD }, (_, index) =>
      HOSTILE_TEXTS.slice(index * PER_FIELD, (index + 1) * PER_FIELD).join(' | '),
    )
    let last = ''
    for (let index = 0; index < fields.length; index += 2)
      last = await transfer(`hostile-${index}`, fields[index] ?? '', { note: fields[index + 1] })
    const rows = page.getByRole('region', { name: 'Waiting' }).getByRole('listitem')
    const count = async () => Number(await rows.first().getAttribute('aria-setsize'))
    const total = await countWaiting(app.ann)
    await expect.poll(count).toBe(total)
    // every one of them is opened
    for (let row = 0; row < total; row++) {
      const address = page.url()
      await page.keyboard.press('j')
      await expect.poll(() => page.url()).not.toBe(address)
      await page.getByRole('article').waitFor()
    }
    expect(page.url()).toContain(last)
    const shown = await page.evaluate(`[...document.querySelectorAll('*')].map((e) => e.localName)`)
    for (const name of ['iframe', 'img', 'style', 'base', 'template', 'svg'])
      expect(shown).not.toContain(name)
    expect(await page.evaluate('window.wasHit')).toBeUndefined()
    const text = await read(page)
    expect([...text].filter((letter) => HIDDEN.includes(letter))).toEqual([])
    expect(text).toContain('⟨U+202E⟩')
    expect(await page.locator('mark', { hasText: 'pаypal' }).count()).toBeGreaterThan(0)
  })
})

describe('hostile records', () => {
  test('of 200 kinds are inert in the lists of decisions, people, tenants and imports', async () => {
    const id = await transfer('hostile-lists', 'the landlord')
    const approval = approvalView(await app.serving.app.runtime.approvals.get('demo', id))
    const at = '2026-11-16T09:00:00.000Z'
    const lists: Record<string, (text: string) => object> = {
      approvals: (text) => ({
        ...approval,
        // What the server has spelled out already.
        ...{ asks: visibleText(text), principal: visibleText(text), tool: text, state: 'denied' },
        decision: { verdict: 'deny', by: text, reason: text, credential: 'own', at },
      }),
      principals: (text) => ({ record: { name: text, roles: [text], capabilities: [text] } }),
      tokens: (text) => ({
        record: {
          ...{ principal: text, name: text, actor: 'user', lastFour: text, createdBy: text },
          ...{ createdAt: 0, scopes: [text], oauth: { client: text } },
        },
        lastUsedAt: 0,
      }),
      tenants: (text) => ({ record: { name: text, disabled: false } }),
      imports: (text) => ({
        ...{ name: text, kind: text, tools: 1, held: [], trouble: text },
        refusals: [],
      }),
      credentials: (text) => ({
        ...{ state: 'sealed', updated_at: at, consents: { held: 0, needed: 0 } },
        record: { kind: text, origins: [text], hint: { lastFour: text } },
        problem: { reason: text, suggestions: [text] },
      }),
    }
    const page = await openAs(root)
    for (const [name, toItem] of Object.entries(lists))
      await page.route(`**/v1/${name}?*`, (route) => {
        const items = HOSTILE_TEXTS.map((text, index) => ({
          id: name === 'approvals' ? `appr_${index}` : `${text} ${index}`,
          version: 1,
          ...toItem(text),
        }))
        return route.fulfill({ json: { status: 'success', data: { items, next_cursor: null } } })
      })
    for (const path of ['/decisions', '/people', '/imports']) {
      await page.goto(consoleUrl(path))
      await page.evaluate('window.hit = () => { window.wasHit = true }')
      await expectText(page).not.toMatch(/Loading .* …/)
      // All rows are in the page when the frame is as high as they are.
      await page.evaluate(
        `for (const frame of document.querySelectorAll('.table-frame')) frame.style.height = '40000px'`,
      )
      const rows = page.locator(path === '/imports' ? '.list li' : 'tbody tr')
      await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(HOSTILE_TEXTS.length)
      const shown = await page.evaluate(
        `[...document.querySelectorAll('main *')].map((element) => element.localName)`,
      )
      for (const name of ['iframe', 'img', 'style', 'base', 'template', 'svg', 'script'])
        expect([path, shown]).not.toEqual([path, expect.arrayContaining([name])])
      const text = await read(page)
      expect([path, [...text].filter((letter) => HIDDEN.includes(letter))]).toEqual([path, []])
      expect(text).toContain('⟨U+202E⟩')
      expect(await page.evaluate('window.wasHit')).toBeUndefined()
    }
  })
})

describe('calls', () => {
  test('are listed for an administrator, and searched on the server', async () => {
    const { call } = app.serving.app.runtime
    const caller = { tenant: 'demo', principal: 'ann', actor: 'user', roles: ['user'] } as const
    for (const input of [{ productId: 'tea' }, { productId: 7 }])
      await call({
        tool: 'shop.price',
        input,
        caller: { ...caller, capabilities: [] },
        surface: 'http',
      })
    const page = await openAs(root, '/calls')
    const table = page.getByRole('region', { name: 'Calls' })
    await table.getByRole('link', { name: 'shop.price' }).first().waitFor()
    await app.picture(page, 'console-calls', 'screen')
    await page.keyboard.press('/')
    await page.keyboard.type('shop.price')
    await page.getByLabel('Outcome').selectOption('failed')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect.poll(() => new URL(page.url()).search).toContain('outcome=failed')
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await table.getByRole('link', { name: 'shop.price' }).click()
    await expectText(page).toContain('No answer is stored')
    await expectText(page).toContain('The call was answered')
    await page.goto(consoleUrl('/calls?tool=no.such.tool'))
    await expectText(page).toContain('No call matches this.')
  })

  test('of many rows have few of them in the page', async () => {
    const page = await openAs(root, '/calls')
    const record = {
      ...{ phase: 'outcome', principal: 'ann', actor: 'user', surface: 'http', code: '' },
      ...{
        tool_name: 'shop.price',
        outcome: 'done',
        duration_ms: 1,
        created_at: 1_794_823_200_000,
      },
    }
    await page.route('**/v1/audit?*', (route) => {
      const cursor = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
      const items = Array.from({ length: 100 }, (_, index) => ({
        ...record,
        id: `aud_${cursor + index}`,
        call_id: `call_${cursor + index}`,
      }))
      return route.fulfill({
        json: { status: 'success', data: { items, next_cursor: String(cursor + 100) } },
      })
    })
    await page.goto(consoleUrl('/calls'))
    const table = page.getByRole('region', { name: 'Calls' })
    const rowCount = () => table.getByRole('table').getAttribute('aria-rowcount')
    await expect.poll(rowCount).toBe('101')
    for (let turn = 0; turn < 3; turn++) {
      const before = Number(await rowCount())
      await table.evaluate('(frame) => frame.scrollTo(0, frame.scrollHeight)')
      await table.hover()
      await page.mouse.wheel(0, 100_000)
      await expect.poll(async () => Number(await rowCount())).toBeGreaterThan(before)
    }
    expect(await table.getByRole('row').count()).toBeLessThan(80)
  })
})

describe('the audit', () => {
  test('is checked in the browser, and on the server', async () => {
    const page = await openAs(root, '/audit')
    await page.getByRole('button', { name: 'Check the audit' }).click()
    await expectText(page).toMatch(/Intact\. \d+ records; \d+ of them are under a signed head\./)
    await page.getByRole('button', { name: 'Check on the server' }).click()
    await expectText(page).toContain('Intact on the server.')
    await expectText(page).toContain('No person was erased.')
    await expectText(page).toContain('removed 30 days after the call ended')
    await page.route('**/v1/audit/retention', (route) =>
      route.fulfill({ json: { status: 'success', data: { calls: 1, traces: 2, figures: 3 } } }),
    )
    await page.route('**/v1/audit?tool=audit.erase*', (route) => {
      const items = [{ id: 'aud_1', principal: 'r\u202eoot', created_at: 1_794_823_200_000 }]
      return route.fulfill({ json: { status: 'success', data: { items, next_cursor: null } } })
    })
    await page.reload()
    await expectText(page).toContain('A person was erased by r⟨U+202E⟩oot')
    await expectText(page).toContain(
      'removed 1 day after the call ended, the times of its stages after 2 days',
    )
    await page.getByRole('button', { name: 'Check the audit' }).click()
    await expectText(page).toMatch(/Intact\. \d+ records/)
    await app.picture(page, 'console-audit-checked', 'screen')
  })

  test('that was changed is broken, and the record is pointed at', async () => {
    const page = await openAs(root)
    await page.route('**/v1/audit/export', async (route) => {
      const answer = await route.fetch()
      const text = await answer.text()
      await route.fulfill({
        response: answer,
        body: text.replace('"surface":"http"', '"surface":"mcp"'),
      })
    })
    await page.goto(consoleUrl('/audit'))
    await page.getByRole('button', { name: 'Check the audit' }).click()
    await expectText(page).toMatch(
      /The audit is broken at record \d+\. Record \d+ was changed after/,
    )
  })
})

test.each([
  ['inbox', () => ''],
  ['request', (id: string) => `?item=${id}`],
  ['decisions', () => '/decisions'],
  ['calls', () => '/calls'],
  ['call', (_: string, callId: string) => `/calls/${callId}`],
  ['audit', () => '/audit'],
])(
  'the page %s has no violation that axe finds, in light and dark, and fits a phone',
  async (name, pathOf) => {
    const { callId } = await app.ask('trip.book', `console-${name}`, { to: 'Bergen' })
    const id = await transfer(`console-${name}`, 'the landlord')
    const page = await openAs(root, pathOf(id, callId))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectText(page).not.toMatch(/Loading .* …/)
    await judgePage(page, `console-${name}`, 'screen')
  },
)

// the last one: every page of every test above was drawn under its policy
test('no page broke its own policy, nor left the path of the proxy', () => {
  expect(app.complaints).toEqual([])
  expect(proxy.strayed).toEqual([])
})
