import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type BrowserApp,
  judgePage,
  openBrowserApp,
  overflow,
  PHONE,
} from '../fixtures/browser-app.ts'
import { createActionLinks } from '../notifications/action-links.ts'

let app: BrowserApp
beforeAll(async () => {
  app = await openBrowserApp(inject('chromium'))
})
afterAll(() => app.close())

/** What stands on the page as it is drawn: what a style hides is not read. */
const read = (page: Page): Promise<string> =>
  page.evaluate(`document.querySelector('main').innerText`)
const send = (page: Page) => page.getByRole('button', { name: 'Send this answer' })

async function openQuestion(page: Page, key: string): Promise<string> {
  const { id } = await app.ask('trip.book', key, { to: 'Oslo' })
  await page.goto(`${app.url}/questions/${id}`)
  return id
}

/** Ann denies a request elsewhere. */
async function deny(id: string, reason: string): Promise<void> {
  const { approvals } = app.serving.app.runtime
  const { digest } = await approvals.get('demo', id)
  const ann = {
    tenant: 'demo',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const
  await approvals.decide(ann, id, { verdict: 'deny', digest, reason })
}

/** A page of a call that still runs loads itself again. */
async function untilSaid(page: Page, words: string): Promise<void> {
  await expect.poll(() => read(page)).toContain(words)
}

describe('a question', () => {
  test('is listed, filled in, answered in two rounds, and leads to the answer of the call', async () => {
    const { id } = await app.ask('trip.book', 'whole-way', { to: 'Bergen' })
    const page = await app.openAsAnn()
    await page.getByRole('link', { name: 'Is this your trip to Bergen?' }).click()
    expect(page.url()).toBe(`${app.url}/questions/${id}`)
    expect(await page.content()).not.toContain('card-secret')
    expect(await page.getByLabel('Day').inputValue()).toBe('2026-12-24')
    expect(await page.getByLabel('Country').inputValue()).toBe('"Norway"')
    expect(await page.getByLabel('second').isChecked()).toBe(true)
    await app.picture(page, 'ask-desktop')
    await page.getByLabel('Seats').fill('3')
    await page.getByLabel('Stops on the way').fill('Oslo\nVoss')
    await page.getByLabel('No', { exact: true }).check()
    await send(page).click()
    await untilSaid(page, 'Book 3 seats to Bergen for Ann?')
    await app.picture(page, 'answered-desktop')
    await page.getByRole('link', { name: 'Book 3 seats to Bergen for Ann?' }).click()
    await app.picture(page, 'ask-yes-or-no-desktop')
    await page.getByRole('button', { name: 'Yes' }).click()
    await untilSaid(page, 'The call is done.')
    await page.getByRole('link', { name: 'State of the call' }).click()
    expect(await read(page)).toMatch(
      /3 seats to Bergen by Oslo, Voss[\s\S]*booking: a question, done/,
    )
    await app.picture(page, 'call-desktop')
  })

  test('answered wrongly says where, leads there, and has lost nothing', async () => {
    const page = await app.openAsAnn()
    await openQuestion(page, 'wrong')
    await page.getByLabel('Who travels').fill('B')
    await page.getByLabel('Seats').fill('many')
    await page.getByLabel('Anything else').fill('first line\nsecond line')
    await send(page).click()
    expect(await page.getByRole('alert').textContent()).toMatch(/Seats is not a number/)
    expect(await page.getByLabel('Seats').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Seats').fill('44')
    await send(page).click()
    const alert = await page.getByRole('alert').textContent()
    for (const words of [/Who travels must have at least 2 characters/, /Seats must be at most 9/])
      expect(alert).toMatch(words)
    expect(await page.getByLabel('Seats').inputValue()).toBe('44')
    expect(await page.getByLabel('Anything else').inputValue()).toBe('first line\nsecond line')
    await app.picture(page, 'ask-wrong-desktop')
    await page.getByRole('alert').getByRole('link', { name: 'Seats' }).click()
    expect(await page.evaluate('document.querySelector(":target").name')).toBe('a-2')
    await page.getByLabel('Who travels').fill('Bob')
    await page.getByLabel('Seats').fill('4')
    await send(page).click()
    await untilSaid(page, 'Book 4 seats to Oslo for Bob?')
  })
})

describe('a browser of little means', () => {
  test('on a phone nothing has to be pushed sideways, in light or dark, and everything is large enough to be touched', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await app.openAsAnn({
        viewport: PHONE,
        deviceScaleFactor: 2,
        hasTouch: true,
        isMobile: true,
        colorScheme,
      })
      await openQuestion(page, `phone-${colorScheme}`)
      expect(await overflow(page)).toBe(0)
      await app.picture(page, `ask-phone-${colorScheme}`)
      const low = await page.evaluate<string[]>(
        `[...document.querySelectorAll('form :is(input:not([type=hidden],[type=radio]), select, textarea, button, .choice)')].filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML)`,
      )
      expect(low).toEqual([])
      await page.goto(`${app.url}/approvals`)
      expect(await overflow(page)).toBe(0)
    }
  })

  test('without JavaScript everything works', async () => {
    const page = await app.openAsAnn({ javaScriptEnabled: false })
    await openQuestion(page, 'without-script')
    await page.getByLabel('Seats').fill('5')
    await send(page).click()
    await untilSaid(page, 'Book 5 seats to Oslo for Ann?')
  })
})

describe('the list of what waits', () => {
  const request = (page: Page, recipient: string) =>
    page.getByRole('link', { name: `Send 3 EUR to ${recipient}?` })
  const ask = (recipient: string) =>
    app.ask('bank.transfer', `list-${recipient}`, { amount: '3 EUR', recipient })

  test('shows what comes and loses what was decided, without being loaded again', async () => {
    const page = await app.openAsAnn()
    const { id } = await ask('live')
    await request(page, 'live').waitFor()
    expect(await page.title()).toMatch(/^\(\d+\) Waiting for you$/)
    await deny(id, 'Too much.')
    await request(page, 'live').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Decisions' }).click()
    expect(await page.locator('li', { hasText: 'to live?' }).textContent()).toMatch(
      /Denied by ann.*Reason: Too much\./,
    )
  })

  test('is searched and walked through by keyboard', async () => {
    const { id } = await ask('keyboard')
    const page = await app.openAsAnn()
    // Loaded whole, so that the script hears the keys.
    await page.goto(`${app.url}/approvals`)
    await page.keyboard.press('/')
    await page.keyboard.type('keyboard')
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=keyboard/)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${app.url}/approvals/${id}`)
  })
})

describe('the pages of tools', () => {
  test('are found from the start page, and their form calls the tool', async () => {
    const page = await app.openAsAnn()
    await page.goto(app.url)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy' }).first().click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('mcpServers')
    await page.getByLabel('Search tools').fill('price')
    await page.getByRole('link', { name: 'Buy a product' }).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Look up a price' }).click()
    expect(await read(page)).toContain('It only reads.')
    await page.getByRole('button', { name: 'Call' }).click()
    await untilSaid(page, '"amount": 1299')
  })
})

describe('every page', () => {
  type Shown = {
    readonly open: string
    readonly link: string
    readonly denied: string
    readonly question: { readonly id: string; readonly callId: string }
  }
  const PATHS: readonly (readonly [name: string, path: (shown: Shown) => string])[] = [
    ['start', () => '/'],
    ['waiting', () => '/approvals'],
    ['decision', ({ open }) => `/approvals/${open}`],
    ['link', ({ link }) => `/act/${link}`],
    ['denied', ({ denied }) => `/approvals/${denied}`],
    ['decisions', () => '/decisions'],
    ['question', ({ question }) => `/questions/${question.id}`],
    ['call', ({ question }) => `/calls/${question.callId}`],
    ['tool', () => '/tools/shop.buy'],
    ['notifications', () => '/notifications'],
    ['not-found', () => '/nowhere'],
    ['sign-in', () => '/sign-in'],
  ]
  let page: Page
  let shown: Shown

  beforeAll(async () => {
    const open = await app.ask('shop.buy', 'shown', { productId: 'tea', quantity: 2 })
    const denied = await app.ask('bank.transfer', 'shown-denied', {
      amount: '9 EUR',
      recipient: 'eve',
    })
    await deny(denied.id, 'I know no eve.')
    const { runtime, keys } = app.serving.app
    const approval = await runtime.approvals.get('demo', open.id)
    shown = {
      open: open.id,
      link: createActionLinks(keys.sessions).write(approval, 'ann'),
      denied: denied.id,
      question: await app.ask('trip.book', 'shown', { to: 'Bergen' }),
    }
    page = await app.openAsAnn()
  })

  test.each(PATHS)(
    '%s has no violation that axe finds, in light and dark, and fits a phone',
    async (name, path) => {
      await page.goto(app.url + path(shown))
      await judgePage(page, `page-${name}`)
    },
  )
})

// the last one: every page of every test above was drawn under its policy
test('no page broke its own policy', () => {
  expect(app.complaints).toEqual([])
})
