import { type Browser, chromium } from 'playwright-core'

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']

/** Chromium without a window, for tests. */
export const launch = (executablePath: string, more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...FLAGS, ...more] })
