import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type BrowserApp, openBrowserApp, PHONE } from '../fixtures/browser-app.ts'

let app: BrowserApp
beforeAll(async () => {
  app = await openBrowserApp(inject('chromium'))
})
afterAll(() => app.close())

/** What stands on the page as it is drawn: what a style hides is not read. */
const read = (page: Page): Promise<string> =>
  page.evaluate(`document.querySelector('main').innerText`)
const send = (page: Page) => page.getByRole('button', { name: 'Send this answer' })
const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

async function openQuestion(page: Page, key: string): Promise<string> {
  const { id } = await app.ask('trip.book', key, { to: 'Oslo' })
  await page.goto(`${app.url}/questions/${id}`)
  return id
}

/** Loads the page again until it says so. */
async function untilSaid(page: Page, words: string): Promise<void> {
  const again = async (): Promise<string> => {
    await page.reload()
    return read(page)
  }
  await expect.poll(again).toContain(words)
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

// the last one: every page of every test above was drawn under its policy
test('no page broke its own policy', () => {
  expect(app.complaints).toEqual([])
})
