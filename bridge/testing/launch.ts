import { type Browser, chromium, type Page } from 'playwright-core'

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']

/** Chromium without a window, for tests. */
export const launch = (executablePath: string, more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...FLAGS, ...more] })

/**
 * The visitor reaches for the widget's button, if it is there by now. Not by a locator: some pages of
 * the tests hide `document.querySelectorAll`.
 */
export const reachForWidget = (place: Page): Promise<unknown> =>
  place.evaluate(REACH).catch(() => undefined)
const REACH = `for (const child of document.documentElement.children)
  if (child.localName === 'button') child.dispatchEvent(new Event('pointerenter'))`
