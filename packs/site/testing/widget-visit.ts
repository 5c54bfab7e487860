import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type {
  Browser,
  BrowserContextOptions,
  Frame,
  FrameLocator,
  Locator,
  Page,
} from 'playwright-core'
import { SCRIPTED_SPEECH } from './scripted-speech.ts'

// A visitor in Chromium, for tests of the widget. Nothing here waits for a time: only for what the
// visitor sees, for as long as a busy machine may need.

export const PATIENT = { timeout: 60_000 }
export { launch } from '@surehand/testing/fixtures/launch.ts'

export type Turn = { readonly type: string; readonly text?: string; readonly at: number }

/** Opens a page of the site as a new visitor. Errors of its scripts go into `complaints`. */
export async function visit(
  browser: Browser,
  url: string,
  { complaints = [], ...options }: BrowserContextOptions & { readonly complaints?: string[] } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  await context.addInitScript(SCRIPTED_SPEECH)
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  const page = await context.newPage()
  await page.goto(url)
  return page
}

export const widget = (page: Page): FrameLocator => page.frameLocator('iframe[title="Assistant"]')

/** By the page's button, or by the widget's own where the tab has opened it before. */
export async function openWidget(page: Page): Promise<void> {
  const launcher = page.locator('html > button')
  await launcher.or(page.locator('iframe[title="Assistant"]')).first().waitFor(PATIENT)
  if ((await launcher.count()) > 0) await launcher.click(PATIENT)
  else await widget(page).getByRole('button', { name: 'Open the assistant' }).click(PATIENT)
  await widget(page).getByLabel('Message').waitFor(PATIENT)
}

export async function type(page: Page, text: string): Promise<void> {
  await widget(page).getByLabel('Message').fill(text, PATIENT)
  await widget(page).getByLabel('Message').press('Enter')
}

/** Something that the agent has said. */
export const sentence = (page: Page, text: string | RegExp): Locator =>
  widget(page).locator('#log').getByText(text).last()

export const approval = (page: Page): Locator => widget(page).locator('#approval')

/**
 * The agent moves the tab while it speaks: waits until it is at this page and the widget there
 * shows the sentence.
 */
export async function arrive(page: Page, path: string, text: string | RegExp): Promise<void> {
  try {
    await page.waitForURL(`**${path}`, PATIENT)
    await sentence(page, text).waitFor(PATIENT)
  } catch (error) {
    const said = await widget(page).locator('#log').textContent({ timeout: 1_000 })
    throw new Error(`The tab is at ${page.url()}, and the agent said: ${said}`, { cause: error })
  }
}

export function frameOf(page: Page): Frame {
  const frame = page.frames().find((one) => one.url().includes('/site/widget'))
  if (frame === undefined) throw new Error('The page has no widget.')
  return frame
}

/** The turn events of the tab, over all its pages. */
export const turns = (page: Page): Promise<readonly Turn[]> =>
  frameOf(page).evaluate('window.readTurns()')

export const hear = (page: Page, text: string): Promise<unknown> =>
  frameOf(page).evaluate(`window.hear(${JSON.stringify(text)})`)

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds in a page, or in the frame of the widget. */
export async function findViolations(place: Page | Frame): Promise<readonly string[]> {
  await place.evaluate(AXE)
  const found = await place.evaluate('axe.run({ resultTypes: ["violations"] })')
  const { passes, violations } = found as AxeResults
  if (passes.length < 5) throw new Error('There was nothing for axe to look at.')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
