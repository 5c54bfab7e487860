import type { ServerResponse } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { openPages } from '../../../bridge/testing/open-pages.ts'
import { percentile } from '../harness/statistics.ts'

const LOADS = 10
const SETTLE_MS = 1_500
type Kind = 'bare' | 'bridge' | 'frame'
const ARTICLE = '<article><h2>Roses</h2><p>Red, in a vase.</p><a href="/more">More</a></article>'

async function isConnected(page: Page): Promise<unknown> {
  const frame = page.frames().find((one) => one.url().includes('/site/widget'))
  return frame?.evaluate('window.connections?.length > 0').catch(() => false)
}

/**
 * Main-thread time that the bridge adds to a page: median of 10 loads with it and without it, by
 * TaskDuration of the DevTools protocol; `addedWithFrame` where the visitor reaches for the widget
 * as soon as its button is there. The widget is on another site, as it is in production, so that
 * its frame has a process of its own. Wall time (`timeTicks`) grows with other work on the machine;
 * processor time (`threadTicks`) hardly does.
 */
export async function measureMainThread(
  browser: Browser,
  timeDomain: 'timeTicks' | 'threadTicks',
): Promise<{ readonly bare: number; readonly added: number; readonly addedWithFrame: number }> {
  const pages = await openPages()
  const html = (tag: string) => (_: unknown, response: ServerResponse) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Page</title>${tag}<main>${ARTICLE.repeat(200)}</main>`)
  }
  pages.site.pages
    .set('/with', html(pages.tag.replace('127.0.0.1', 'localhost')))
    .set('/without', html(''))

  async function load(kind: Kind): Promise<number> {
    const context = await browser.newContext()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable', { timeDomain })
    await page.goto(`${pages.site.origin}${kind === 'bare' ? '/without' : '/with'}`)
    if (kind === 'frame') {
      await page.locator('html > button').click()
      // Looked at in the widget's own process: looking at the page would take its main thread's time.
      while (!(await isConnected(page))) await page.waitForTimeout(50)
    }
    await page.waitForTimeout(SETTLE_MS)
    const { metrics } = await session.send('Performance.getMetrics')
    const shown = await page.locator('html > button, iframe:visible').count()
    if (shown !== (kind === 'bare' ? 0 : 1)) throw new Error(`The page (${kind}) shows ${shown}.`)
    await context.close()
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }

  const loads: Record<Kind, number[]> = { bare: [], bridge: [], frame: [] }
  for (let count = 0; count < LOADS; count += 1)
    for (const kind of ['bridge', 'frame', 'bare'] as const) loads[kind].push(await load(kind))
  await pages.close()
  const bare = percentile(loads.bare, 0.5)
  return {
    bare,
    added: percentile(loads.bridge, 0.5) - bare,
    addedWithFrame: percentile(loads.frame, 0.5) - bare,
  }
}
