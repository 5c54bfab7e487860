import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import type { Command, ToolCommand } from '../src/page/messages.ts'
import type { Report } from '../src/widget/read-report.ts'
import { reachForWidget } from './reach-for-widget.ts'

/** The widget's frame, which loads when the visitor reaches for it, once it is connected. */
export async function widgetOf(page: Page): Promise<Frame> {
  // Not waitForSelector: it waits on the page's clock, which some tests stop.
  for (let look = 0; look < 6_000; look += 1) {
    const frame = page.frames().find((one) => one.url().includes('/site/widget'))
    if (!frame) await reachForWidget(page)
    const isConnected = await frame
      ?.evaluate(() => window.connections?.length > 0)
      .catch(() => false)
    if (frame && isConnected) return frame
    await setTimeout(10)
  }
  throw new Error('The widget is not connected.')
}

/** Has the widget send a command to its page. Ids differ unless one is given. */
export async function execute(
  page: Page,
  command: Command | ToolCommand,
  id?: string,
): Promise<Report> {
  const frame = await widgetOf(page)
  return frame.evaluate((order) => window.link.execute(order), {
    id: id ?? `c${Math.random().toString(36).slice(2)}`,
    command,
  })
}

export async function statuses(page: Page): Promise<readonly Report[]> {
  return (await widgetOf(page)).evaluate(() => window.statuses)
}

/** A new visitor's tab at this address. */
export async function openTab(context: Browser | BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return page
}
