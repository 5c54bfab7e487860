import { defineTool } from '@surehand/core'
import { systemCaller } from '@surehand/identity'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import {
  type BrowserApp,
  DESKTOP,
  findViolations,
  openBrowserApp,
  overflow,
  PHONE,
  signIn,
} from '../fixtures/browser-app.ts'
import { HIDDEN, HOSTILE_TEXTS } from '../fixtures/hostile-texts.ts'

// The pages of the console on which people understand and change; the others have a file of their own.
let app: BrowserApp
let root: string

beforeAll(async () => {
  app = await openBrowserApp(inject('chromium'))
  const { identityApi, config, runtime } = app.serving.app
  const by = systemCaller(config.home)
  await identityApi.principals.put(by, 'root', { roles: ['admin', 'user'] })
  root = (await identityApi.tokens.create(by, { principal: 'root', name: 'console' })).token
  for (const tool of [readNote('1.0.0'), readNote('2.0.0')]) runtime.registry.shared.add(tool)
})
afterAll(() => app.close())

// A page that stays open would go on asking the server what is new.
afterEach(() => Promise.all(app.browser.contexts().map((context) => context.close())))

const HOSTILE = HOSTILE_TEXTS.slice(0, 40).join(' | ')

/** A tool of somebody who means no good; its second version asks for more. */
function readNote(version: '1.0.0' | '2.0.0') {
  const fields = { name: z.string().describe(HOSTILE), kind: z.enum(['a<b>', 'c\u202ed']) }
  return defineTool({
    id: 'notes.read',
    version,
    title: `Read a note ${HOSTILE.slice(0, 100)}`,
    category: 'custom',
    description: `Reads a note. ${HOSTILE}`,
    input: version === '1.0.0' ? z.object({ name: z.string() }) : z.object(fields),
    output: z.object({ text: z.string() }),
    contract: {
      effect: 'read',
      limits: [{ calls: 500, per: '1h' }],
      ...(version === '1.0.0' ? {} : { permissions: { roles: ['user'] } }),
    },
    examples: [{ name: 'one', input: { name: 'x', kind: 'a<b>' } }],
    execute: async ({ input }) => ({ text: `${input.name}: ${HOSTILE}` }),
  })
}

/** A page of the console, for a person who is signed in. */
async function openAs(token: string, path: string, viewport = DESKTOP): Promise<Page> {
  const page = await (await app.open({ viewport })).newPage()
  await signIn(page, `${app.url}/console${path}`, token)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  return page
}

const read = (page: Page): Promise<string> =>
  page.evaluate(`document.querySelector('main').innerText`)
const expectText = (page: Page) => expect.poll(() => read(page))

/** Nothing of a hostile text became a part of the page, and nothing of it is hidden. */
async function expectInert(page: Page): Promise<void> {
  const shown = await page.evaluate(`[...document.querySelectorAll('*')].map((e) => e.localName)`)
  for (const name of ['iframe', 'img', 'style', 'base', 'template', 'svg'])
    expect(shown).not.toContain(name)
  const text = await read(page)
  expect([...text].filter((letter) => HIDDEN.includes(letter))).toEqual([])
  expect(text).toContain('⟨U+')
}

const refusal = (status: number, message: string) => ({
  status,
  json: { status: 'error', data: null, error: { code: 'X', message } },
})

/** Loading, then an error that can be tried again, of what the path answers. */
async function expectLoadingAndError(page: Page, path: string, loading: string): Promise<void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    await held
    await route.fulfill(refusal(403, 'The store is away.'))
  })
  await page.reload()
  await expectText(page).toContain(loading)
  release()
  await expectText(page).toContain('The store is away.')
  expect(await findViolations(page)).toEqual([])
  await page.unroute(path)
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expectText(page).not.toContain('The store is away.')
}

// The dark scheme changes colours and a phone changes sizes, so the rest is judged once.
async function expectFitsEverywhere(page: Page, name: string): Promise<void> {
  await expectText(page).not.toMatch(/Loading .* …/)
  expect(await findViolations(page)).toEqual([])
  await app.picture(page, `console-${name}`)
  await page.setViewportSize(PHONE)
  expect(await overflow(page)).toBe(0)
  await app.picture(page, `console-${name}-phone`)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findViolations(page, ['color-contrast'])).toEqual([])
  await app.picture(page, `console-${name}-dark`)
}

describe('tools', () => {
  test('are searched as an agent searches them, by keyboard, and listed for a person', async () => {
    const page = await openAs(app.ann, '/tools')
    const table = page.getByRole('region', { name: 'Tools' })
    await table.getByRole('link', { name: 'bank.transfer' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('send money')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?q=send+money&as=agent')
    await expect.poll(() => table.getByRole('row').nth(1).textContent()).toContain('bank.transfer')
    await page.goto(`${app.url}/console/tools?q=zzzqqq`)
    await expectText(page).toContain('No tool is found by this.')
    await page.goto(`${app.url}/console/tools`)
    await expectLoadingAndError(page, '**/v1/tools?*', 'Loading the tools')
    await expectFitsEverywhere(page, 'tools')
    await expectInert(page)
  })

  test('are explained: contract, versions, who may use them and why not, figures', async () => {
    const { identityApi, config } = app.serving.app
    await identityApi.principals.put(systemCaller(config.home), 'guest', { roles: [] })
    const page = await openAs(root, '/tools/notes.read')
    await expectText(page).toContain('It only reads.')
    await expectText(page).toMatch(/2\.0\.0[\s\S]*breaks[\s\S]*1\.0\.0/)
    await expectText(page).toMatch(/guest[\s\S]*may not[\s\S]*notes\.read is for user/)
    await expectText(page).toContain('It was not called yet.')
    await page.getByRole('button', { name: 'Open the form' }).click()
    await page.getByLabel('name').fill('')
    await page.getByRole('button', { name: 'Call it' }).click()
    await expectText(page).toContain('required')
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('name').fill('shopping')
    await page.getByRole('button', { name: 'Call it' }).click()
    await expectText(page).toMatch(/done[\s\S]*shopping: /)
    await expectText(page).toMatch(/Answers\s+1\s/)
    await expectInert(page)
    await expectFitsEverywhere(page, 'tool')
  })

  test('are called once by a form that is sent twice, and wait for an approval', async () => {
    const page = await openAs(app.ann, '/tools/bank.transfer')
    await page.getByRole('button', { name: 'Open the form' }).click()
    await page.getByLabel('recipient').fill('the baker')
    const ids: unknown[] = []
    for (let turn = 0; turn < 2; turn++) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/call'))
      await page.getByRole('button', { name: /Call it/ }).click()
      const { metadata } = (await (await answered).json()) as {
        readonly metadata: { readonly pending: { readonly approval_id: string } }
      }
      ids.push(metadata.pending.approval_id)
      await page.getByRole('link', { name: 'Open what waits for a person' }).waitFor()
    }
    expect(new Set(ids).size).toBe(1)
    await page.getByRole('link', { name: 'Open what waits for a person' }).click()
    await expectText(page).toContain('Send 800 EUR to the baker?')
  })

  test('that a person may not use are neither shown nor explained to them', async () => {
    const page = await openAs(app.ann, '/tools/no.such')
    await expectText(page).toContain('There is no tool "no.such", or you may not use it.')
    const seen = await page.evaluate(`Promise.all(
      ['access', 'figures'].map(async (part) => {
        const response = await fetch('/v1/tools/bank.transfer/' + part, {
          headers: { 'surehand-page': 'console' },
        })
        return [response.status, (await response.json()).data?.items?.map((one) => one.principal)]
      }),
    )`)
    // themselves only, and no figures of others' calls
    expect(seen).toEqual([
      [200, ['ann']],
      [403, undefined],
    ])
  })
})

// the last one: every page of every test above was drawn under its policy
test('no page broke its own policy', () => {
  expect(app.complaints).toEqual([])
})
