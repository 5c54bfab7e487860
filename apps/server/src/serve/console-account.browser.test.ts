import { defineTool } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type BrowserApp, openBrowserApp, overflow, PHONE } from '../fixtures/browser-app.ts'
import {
  expectFitsEverywhere,
  expectInert,
  expectLoadingAndError,
  expectLoadingThenError,
  expectText,
  type KeptPages,
  keepConsolePages,
  openConsolePage,
  readText,
} from '../fixtures/console-page.ts'
import { HOSTILE_TEXTS } from '../fixtures/hostile-texts.ts'
import { type HttpEmulator, startHttpEmulator } from '../fixtures/notification-emulators.ts'

// The pages on which people manage sessions, webhooks and how they are notified.
let app: BrowserApp
let pages: KeptPages
let web: HttpEmulator
let root: string
let status = 204

beforeAll(async () => {
  web = await startHttpEmulator(() => ({ status }))
  app = await openBrowserApp(inject('chromium'), { privateHosts: [web.host] })
  pages = keepConsolePages(app)
  const { identityApi, config } = app.serving.app
  const by = systemCaller(config.home)
  await identityApi.principals.put(by, 'root', { roles: ['admin', 'user'] })
  root = (await identityApi.tokens.create(by, { principal: 'root', name: 'console' })).token
})
afterAll(async () => {
  await app.close()
  await web.close()
})
afterEach(() => pages.tidy())

const writeNote = defineTool({
  id: 'notes.write',
  title: 'Write a note',
  category: 'custom',
  description: 'Writes a note.',
  input: z.object({}),
  output: z.object({}),
  contract: { effect: 'writes.note', reversible: true, idempotency: 'caller' },
  examples: [{ name: 'one', input: {} }],
  execute: async () => ({}),
})

const open = (token: string, path: string): Promise<Page> => pages.open(token, path)
/** In a browser of its own, with a session of its own. */
const openApart = (token: string, path: string): Promise<Page> => openConsolePage(app, token, path)
const ALL_HOSTILE = HOSTILE_TEXTS.join(' | ')

/** Presses Tab until this control has the focus, then Enter. */
async function press(page: Page, name: string): Promise<void> {
  const focused = `document.activeElement?.textContent?.trim() ?? ''`
  for (let count = 0; count < 80; count++) {
    if ((await page.evaluate(focused)) === name) return page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
  }
  throw new Error(`No Tab leads to "${name}".`)
}

describe('sessions', () => {
  test('are listed for their person, who ends one and all others, by keyboard alone', async () => {
    const other = await openApart(app.ann, '/')
    const third = await openApart(app.ann, '/')
    const page = await openApart(app.ann, '/account')
    await expectText(page).toContain('this session')
    await expectText(page).toMatch(/signed in with a token now, last used now, expires in 8 hours/)
    await expectLoadingAndError(page, '**/v1/sessions?*', 'Loading the sessions')
    await expectFitsEverywhere(app, page, 'account')
    expect(await page.getByRole('button', { name: /^End Chrome on/ }).count()).toBe(2)
    await page.getByRole('heading', { name: 'Sessions' }).click()
    await press(page, 'End Chrome on Linux …')
    await press(page, 'End Chrome on Linux')
    await expect.poll(() => page.getByRole('button', { name: /^End Chrome on/ }).count()).toBe(1)
    await page.getByRole('button', { name: 'End all other sessions …' }).click()
    await page.getByRole('button', { name: 'End all other sessions', exact: true }).click()
    await expect.poll(() => page.getByRole('button', { name: /^End/ }).count()).toBe(0)
    // Their streams have ended too: both pages ask to sign in, without a click.
    for (const ended of [other, third]) {
      await ended.bringToFront()
      await ended.getByLabel('Your access token').waitFor()
    }
    await page.reload()
    await expectText(page).toContain('this session')
  })

  test('of people of the tenant are ended by an administrator', async () => {
    const theirs = await openApart(app.ann, '/')
    const page = await open(root, '/people/ann')
    await expectText(page).toContain('Chrome on Linux')
    await expectFitsEverywhere(app, page, 'person-sessions')
    await page.getByRole('button', { name: 'End all sessions …' }).click()
    await page.getByRole('button', { name: 'End all sessions', exact: true }).click()
    await expectText(page).toContain('No session is open.')
    await theirs.bringToFront()
    await theirs.getByLabel('Your access token').waitFor()
  })
})

describe('webhooks', () => {
  test('are added, tested, changed, switched off and removed', async () => {
    const page = await open(root, '/webhooks')
    await expectText(page).toContain('There is no webhook yet.')
    await expectLoadingAndError(page, '**/v1/webhooks?*', 'Loading the webhooks')
    await page.getByLabel('Id: letters').fill('ops')
    await page.getByLabel('Address, as in').fill(`${web.url}/${encodeURIComponent('a<b>')}`)
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await expectText(page).toContain('This is the only time that it is shown.')
    const secret = (await page.locator('.sample pre').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    await page.reload()
    await page.getByRole('link', { name: 'ops' }).waitFor()
    expect(await readText(page)).not.toContain(secret)
    await expectFitsEverywhere(app, page, 'webhooks')
    await page.getByRole('link', { name: 'ops' }).click()
    await expectText(page).toContain('No call that named it has ended yet.')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expectText(page).toContain('The test arrived: status 204')
    status = 500
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expectText(page).toContain('The test did not arrive: status 500')
    await page.getByLabel('Address').fill(`${web.url}/other`)
    await page.getByRole('button', { name: 'Change the address' }).click()
    await expectText(page).toContain(`${web.url}/other`)
    await page.getByRole('button', { name: 'Switch it off …' }).click()
    await page.getByRole('button', { name: 'Switch it off', exact: true }).click()
    await page.getByRole('button', { name: 'Switch it on' }).click()
    await page.getByRole('button', { name: 'Switch it off …' }).waitFor()
    await page.getByRole('button', { name: 'Make a new secret …' }).click()
    await page.getByRole('button', { name: 'Make a new secret', exact: true }).click()
    await expect.poll(() => page.locator('.sample pre').count()).toBe(1)
    expect(await page.locator('.sample pre').textContent()).not.toBe(secret)
    await page.getByRole('button', { name: 'Remove ops …' }).click()
    await page.getByRole('button', { name: 'Remove ops', exact: true }).click()
    await expectText(page).toContain('There is no webhook yet.')
  })

  test('show what they were told, with the answer and the next attempt', async () => {
    const { runtime, config } = app.serving.app
    const by = systemCaller(config.home)
    const value = { url: `${web.url}/calls`, secret: `whsec_${'A'.repeat(32)}` }
    await runtime.administration.change(by, { kind: 'webhook', id: 'calls', value })
    status = 503
    runtime.registry.shared.add(writeNote)
    const caller = { tenant: config.home, principal: 'root', actor: 'user' } as const
    await runtime.call({
      ...{ tool: 'notes.write', input: {}, surface: 'http', notify: 'calls' },
      idempotencyKey: 'note-1',
      caller: { ...caller, roles: ['user'], capabilities: [] },
    })
    const page = await open(root, '/webhooks/calls')
    await expectText(page).toContain('status 503')
    await expectText(page).toContain('waiting')
    await expectLoadingThenError(page, '**/deliveries?*', 'Loading the deliveries')
    // They are read again by themselves.
    await page.unroute('**/deliveries?*')
    await expectText(page).not.toContain('The store is away.')
    await expectFitsEverywhere(app, page, 'webhook')
  })

  test('are for administrators, and their page says so', async () => {
    const page = await open(app.ann, '/webhooks')
    await expectText(page).toContain('Only an administrator may do this')
    expect(await page.locator('main form').count()).toBe(0)
  })
})

describe('notifications', () => {
  test('are set for each channel, tested, and removed', async () => {
    status = 201
    const page = await open(app.ann, '/account')
    await expectText(page).toContain('You are not notified yet')
    await expectLoadingAndError(page, '**/v1/notifications', 'Loading how you are notified')
    await page.getByLabel('E-mail:').fill('nobody')
    await page.getByRole('button', { name: 'Set E-mail' }).click()
    await expectText(page).toContain('is not an e-mail address')
    await page.getByLabel('Webhook:').fill(`${web.url}/ann`)
    await page.getByRole('button', { name: 'Set Webhook' }).click()
    await expectText(page).toContain('This is the only time that it is shown.')
    await page.getByRole('button', { name: 'Send a test to every channel' }).click()
    await expectText(page).toMatch(/webhook\s+sent/)
    expect(web.received.some(({ path }) => path === '/ann')).toBe(true)
    await page.getByLabel('Approval requests').selectOption('all')
    await page.getByRole('button', { name: 'Save what you hear of' }).click()
    await page.reload()
    await expect.poll(() => page.getByLabel('Approval requests').inputValue()).toBe('all')
    await expectFitsEverywhere(app, page, 'notifications')
    await page.getByRole('button', { name: 'Remove Webhook …' }).click()
    await page.getByRole('button', { name: 'Remove Webhook', exact: true }).click()
    await expectText(page).toContain('You are not notified yet')
  })
})

describe('hostile texts', () => {
  const listed = <T>(items: readonly T[]) => ({
    json: { status: 'success', data: { items, next_cursor: null } },
  })
  const at = new Date().toISOString()

  // The server refuses most of them; a page must not rely on that.
  test('of 200 kinds are inert in every field of these pages', async () => {
    const page = await open(root, '/')
    const session = { id: ALL_HOSTILE, client: ALL_HOSTILE, signed_in_with: 'token' }
    const times = { started_at: at, last_used_at: at, expires_at: at, is_current: false }
    await page.route('**/v1/sessions?*', (route) =>
      route.fulfill(listed([{ ...session, ...times }])),
    )
    const devices = [{ id: 'x', name: ALL_HOSTILE, service: ALL_HOSTILE }]
    const settings = { email: ALL_HOSTILE, slack: ALL_HOSTILE, webhook_url: ALL_HOSTILE, devices }
    await page.route('**/v1/notifications', (route) =>
      route.fulfill({
        json: {
          status: 'success',
          data: { ...settings, requests: 'mine', action_links: false },
        },
      }),
    )
    const hook = { id: ALL_HOSTILE, version: 1, url: ALL_HOSTILE, is_enabled: true }
    await page.route('**/v1/webhooks?*', (route) =>
      route.fulfill(
        listed([
          { ...hook, problem: ALL_HOSTILE },
          { ...hook, id: 'x', problem: null },
        ]),
      ),
    )
    const result = { at, status: null, trouble: ALL_HOSTILE }
    const delivery = { id: 'call_1', tool: ALL_HOSTILE, call_state: ALL_HOSTILE, ended_at: at }
    const attempts = { status: 'waiting', tries: 1, next_attempt_at: at, last_result: result }
    await page.route('**/deliveries?*', (route) =>
      route.fulfill(listed([{ ...delivery, ...attempts }])),
    )
    const token = { principal: ALL_HOSTILE, name: ALL_HOSTILE, actor: 'user', lastFour: 'abcd' }
    const record = { ...token, createdBy: ALL_HOSTILE, createdAt: 0 }
    await page.route('**/v1/tokens?*', (route) =>
      route.fulfill(listed([{ id: 'x', version: 1, record, lastUsedAt: 1 }])),
    )
    for (const path of ['/account', '/webhooks', '/webhooks/x', '/people']) {
      await page.goto(`${app.url}/console${path}`)
      await expectText(page).toContain('⟨U+')
      await expectInert(page)
      await page.setViewportSize(PHONE)
      expect([path, await overflow(page)]).toEqual([path, 0])
    }
  })
})

test('no page broke its own policy', () => {
  expect(app.complaints).toEqual([])
})
