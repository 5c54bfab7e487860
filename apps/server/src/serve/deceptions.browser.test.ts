import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type BrowserApp, openBrowserApp, PHONE } from '../fixtures/browser-app.ts'
import { DECEPTIONS, type Deception } from '../fixtures/deceptions.ts'

// Every proposal on a phone, on both pages where people decide.

let app: BrowserApp
const ids = new Map<string, string>()
beforeAll(async () => {
  app = await openBrowserApp(inject('chromium'))
  for (const { name, input } of DECEPTIONS)
    ids.set(name, (await app.ask('bank.transfer', `trick-${name}`, input)).id)
})
afterAll(() => app.close())

/** The warning is read without scrolling, and what was to be hidden stands on the page. */
async function expectAnnounced(page: Page, { announced, hidden }: Deception): Promise<void> {
  const warning = page.getByText(announced).first()
  await warning.waitFor()
  const box = await warning.boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect((box?.y ?? 0) + 20).toBeLessThan(PHONE.height)
  const text = await page.evaluate<string>(`document.querySelector('main').innerText`)
  expect(text).toContain(hidden)
  expect(text.split('Input').at(-1)?.length).toBeGreaterThan(10)
}

describe('the page without scripts announces above the fold', () => {
  let page: Page
  beforeAll(async () => {
    page = await app.openAsAnn({ viewport: PHONE })
  })
  test.each(DECEPTIONS)('$name', async (deception) => {
    await page.goto(`${app.url}/approvals/${ids.get(deception.name)}`)
    await expectAnnounced(page, deception)
    await app.picture(page, `trick-${deception.name.replaceAll(' ', '-')}-phone`, 'screen')
  })
})

describe('the console announces above the fold', () => {
  let page: Page
  beforeAll(async () => {
    page = await (await app.open({ viewport: PHONE })).newPage()
    await page.goto(`${app.url}/console`)
    await page.getByLabel('Your access token').fill(app.ann)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  })
  test.each(DECEPTIONS)('$name', async (deception) => {
    await page.goto(`${app.url}/console?item=${ids.get(deception.name)}`)
    await expectAnnounced(page, deception)
    await app.picture(page, `console-trick-${deception.name.replaceAll(' ', '-')}-phone`, 'screen')
  })
})

test('no page broke its own policy', () => {
  expect(app.complaints).toEqual([])
})
