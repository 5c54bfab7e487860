import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type BrowserApp, openBrowserApp, PHONE, signIn } from '../fixtures/browser-app.ts'

let app: BrowserApp
beforeAll(async () => {
  app = await openBrowserApp(inject('chromium'))
})
afterAll(() => app.close())

/** What stands on the page as it is drawn: what a style hides is not read. */
const read = (page: Page): Promise<string> =>
  page.evaluate(`document.querySelector('main').innerText`)

const yes = (page: Page) => page.getByRole('button', { name: 'Approve once' })
const no = (page: Page) => page.getByRole('button', { name: 'Deny' })

async function openQuestion(page: Page, id: string): Promise<void> {
  await page.goto(`${app.url}/approvals/${id}`)
}

/** How much wider the page is than the screen it is on. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

describe('signing in', () => {
  test('with the link of the first start takes one press, and a second use is refused kindly', async () => {
    const link = `${app.url}/sign-in/${app.serving.welcome.adminLink}`
    const page = await (await app.open()).newPage()
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect([page.url(), await page.locator('h1').textContent()]).toEqual([
      `${app.url}/approvals`,
      expect.stringMatching(/^Waiting for you \(\d+\)$/),
    ])
    const late = await (await app.open()).newPage()
    await late.goto(link)
    await late.getByRole('button', { name: 'Sign in' }).click()
    expect(await late.getByRole('alert').textContent()).toBe(
      'This link was already used or has expired. Ask for a new one.',
    )
  })

  test('with a token leads to the approval request that was opened', async () => {
    const { id } = await app.ask('shop.buy', 'to-sign-in', { productId: 'lamp', quantity: 1 })
    const page = await (await app.open()).newPage()
    await signIn(page, `${app.url}/approvals/${id}`, 'sh_wrong')
    expect(await page.getByRole('alert').textContent()).toBe('This token is not valid.')
    await signIn(page, `${app.url}/approvals/${id}`, app.ann)
    expect(page.url()).toBe(`${app.url}/approvals/${id}`)
    expect(await page.locator('h1').textContent()).toBe('Buy 1 × lamp for 17.32 EUR?')
  })

  test('ends with a press: what was open asks for a token again', async () => {
    const { id } = await app.ask('shop.buy', 'to-sign-out', { productId: 'chair', quantity: 1 })
    const page = await app.openAsAnn()
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(page.url()).toBe(`${app.url}/sign-in`)
    await openQuestion(page, id)
    expect(await read(page)).not.toContain('chair')
    expect(await page.getByLabel('Your access token').count()).toBe(1)
  })
})

describe('a question', () => {
  test('is listed, shows everything, and after the approval the answer', async () => {
    const { id, callId } = await app.ask('shop.buy', 'order-7', {
      productId: 'tea',
      quantity: 2,
      cardToken: 'card-secret-4711',
    })
    const page = await app.openAsAnn()
    await page.getByRole('link', { name: 'Buy 2 × tea for 25.98 EUR?' }).click()
    expect(page.url()).toBe(`${app.url}/approvals/${id}`)
    const approval = await app.serving.app.runtime.approvals.get('demo', id)
    await page.getByText('Details').click()
    const text = await read(page)
    for (const part of [
      'Buy 2 × tea for 25.98 EUR?',
      'This cannot be undone. The card is charged once.',
      "ann's agent",
      'Buy a product (shop.buy, version',
      'writes.order',
      'a confirmation',
      `${new Date(approval.createdAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
      `${new Date(approval.expiresAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
      callId,
      'productId',
      'quantity',
      '4711',
      approval.digest,
      'Signed in as ann',
    ])
      expect(text).toContain(part)
    expect(await page.content()).not.toContain('card-secret')
    await app.picture(page, 'question-desktop')
    await yes(page).click()
    expect(page.url()).toBe(`${app.url}/approvals/${id}`)
    await expect.poll(() => read(page)).toContain('The call is done.')
    expect(await read(page)).toMatch(/Approved by ann[\s\S]*"receipt": "demo-\d+"/)
    await app.picture(page, 'answer-desktop')
    const { data } = (await (await call('shop.orders', {})).json()) as Ordered
    expect(data.orders.filter(({ productId }) => productId === 'tea')).toHaveLength(1)
  })

  test('that is denied shows the reason to everyone who opens it later', async () => {
    const { id } = await app.ask('bank.transfer', 'to-deny', {
      amount: '5 EUR',
      recipient: 'eve',
    })
    const page = await app.openAsAnn()
    await openQuestion(page, id)
    await page.getByLabel('Reason').fill('I know <b>nobody</b> called eve.')
    await no(page).click()
    await expect.poll(() => read(page)).toContain('Denied by ann')
    const text = await read(page)
    for (const part of ['Denied by ann', 'Reason: I know <b>nobody</b> called eve.'])
      expect(text).toContain(part)
    expect(await yes(page).count()).toBe(0)
    expect(app.paid).not.toContain('eve')
    await app.picture(page, 'denied-desktop')
  })

  test('that was decided meanwhile is not decided by an old form, which says so and leads on', async () => {
    const { id } = await app.ask('bank.transfer', 'to-decide-twice', {
      amount: '6 EUR',
      recipient: 'bob',
    })
    const first = await app.openAsAnn()
    const second = await first.context().newPage()
    for (const page of [first, second]) await openQuestion(page, id)
    await no(first).click()
    await expect.poll(() => read(first)).toContain('Denied by ann')
    await yes(second).click()
    await expect.poll(() => second.locator('h1').textContent()).toBe('Not done')
    await app.picture(second, 'too-late-desktop')
    await second.getByRole('link', { name: 'Waiting for you' }).click()
    await expect.poll(() => second.locator('h1').textContent()).toMatch(/^Waiting for you/)
    expect(app.paid).not.toContain('bob')
  })
})

type Ordered = { readonly data: { readonly orders: readonly { readonly productId: string }[] } }

const call = (tool: string, input: object): Promise<Response> =>
  fetch(`${app.url}/v1/tools/${tool}/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.ann}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })

describe('a browser of little means', () => {
  test('on a phone nothing has to be pushed sideways, in light or dark', async () => {
    const long = 'a-very-long-word-without-any-place-to-break-'.repeat(12)
    const { id } = await app.ask('bank.transfer', 'on-a-phone', {
      amount: '7 EUR',
      recipient: 'zoe',
      note: long,
    })
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await app.openAsAnn({
        viewport: PHONE,
        deviceScaleFactor: 2,
        hasTouch: true,
        isMobile: true,
        colorScheme,
      })
      for (const [name, path] of [
        ['list', '/approvals'],
        ['question', `/approvals/${id}`],
        ['start', '/'],
        ['sign-in', '/sign-in'],
      ]) {
        await page.goto(app.url + path)
        expect([name, await overflow(page)]).toEqual([name, 0])
        await app.picture(page, `${name}-phone-${colorScheme}`)
      }
      await openQuestion(page, id)
      // Both are on the screen before anything was scrolled.
      for (const button of [yes(page), no(page)]) {
        const { y = 0, height = 0 } = (await button.boundingBox()) ?? {}
        expect(height).toBeGreaterThanOrEqual(44)
        expect(y + height).toBeLessThanOrEqual(PHONE.height)
      }
    }
  })

  test('without JavaScript everything works', async () => {
    const { id } = await app.ask('bank.transfer', 'without-script', {
      amount: '8 EUR',
      recipient: 'kim',
    })
    const page = await app.openAsAnn({ javaScriptEnabled: false })
    await openQuestion(page, id)
    await yes(page).click()
    await expect.poll(() => page.content()).toContain('paid-')
    expect(app.paid.filter((recipient) => recipient === 'kim')).toHaveLength(1)
  })
})

describe('a page of another origin', () => {
  test('cannot show the approval request in a frame', async () => {
    const { id } = await app.ask('bank.transfer', 'in-a-frame', {
      amount: '9 EUR',
      recipient: 'framed',
    })
    const evil = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<h1>Win a prize</h1><iframe src="${app.url}/approvals/${id}"></iframe>`)
    })
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
    try {
      const context = (await app.openAsAnn()).context()
      const page = await context.newPage()
      const refused = page.waitForEvent('console', (message) =>
        message.text().includes('frame-ancestors'),
      )
      await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`)
      expect((await refused).type()).toBe('error')
      const framed = page.frames().find((frame) => frame !== page.mainFrame())
      expect(await framed?.content()).not.toContain('framed')
      // the one complaint that is wanted
      app.complaints.splice(
        0,
        app.complaints.length,
        ...app.complaints.filter((text) => !text.includes('frame-ancestors')),
      )
    } finally {
      evil.close()
    }
  })
})

describe('a question that deceives', () => {
  test('has its direction-changing and invisible characters spelled out, in the heading too', async () => {
    const { id } = await app.ask('bank.transfer', 'trick-characters', {
      amount: '1\u202E000,1\u202C EUR',
      recipient: 'a\u200Bnn\u2066@bank\u00AD',
    })
    const page = await app.openAsAnn()
    await openQuestion(page, id)
    const text = await read(page)
    expect(text).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\u00AD\uFEFF]/)
    for (const part of ['1⟨U+202E⟩000,1⟨U+202C⟩ EUR', 'a⟨U+200B⟩nn⟨U+2066⟩@bank⟨U+00AD⟩'])
      expect(text.split(part)).toHaveLength(3)
    expect(text).toContain('It contains invisible or direction-changing characters.')
    expect(await page.locator('h1 mark').count()).toBe(5)
    // as it is drawn: from left to right, in the order it was written
    const places = await page.evaluate<number[]>(
      `[...document.querySelectorAll('h1 mark')].slice(0, 2).map((mark) => mark.getBoundingClientRect().left)`,
    )
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    await app.picture(page, 'trick-desktop')
  })

  test('of 200 KB is there to its end, and approving is emphasized only there', async () => {
    const danger = 'AND ALSO DELETE ALL BACKUPS'
    const note = `${'All is well. '.repeat(16_000)}${danger}`
    const { id } = await app.ask('bank.transfer', 'trick-length', {
      amount: '1 EUR',
      recipient: 'pat',
      note,
    })
    const page = await app.openAsAnn({ viewport: PHONE })
    await openQuestion(page, id)
    const text = await read(page)
    expect(text).toContain(`A long text of ${note.length} characters.`)
    expect(text.indexOf(danger)).toBeGreaterThan(200_000)
    // Nothing hides part of it.
    const end = await page.getByText(danger).boundingBox()
    expect(end?.height).toBeGreaterThan(10_000)
    expect(await overflow(page)).toBe(0)
    const colours = (): Promise<string[]> =>
      page.evaluate(
        `[...document.querySelectorAll('.decide button')].map((button) => getComputedStyle(button).backgroundColor)`,
      )
    const neutral = 'rgba(0, 0, 0, 0)'
    expect(await colours()).toEqual([neutral, neutral])
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
    expect(await colours()).toEqual([neutral, neutral])
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await expect.poll(colours).toEqual([neutral, 'rgb(11, 93, 42)'])
    await app.picture(page, 'long-phone', 'screen')
  })
})

// the last one: every page of every test above was drawn under its policy
test('no page broke its own policy', () => {
  expect(app.complaints).toEqual([])
})
