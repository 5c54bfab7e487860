import type { ServerResponse } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { openPages } from '../../../bridge/testing/open-pages.ts'
import { percentile } from '../harness/statistics.ts'

const LOADS = 10
const SETTLE_MS = 1_500
const ARTICLE = '<article><h2>Roses</h2><p>Red, in a vase.</p><a href="/more">More</a></article>'

async function isConnected(page: Page): Promise<unknown> {
  const frame = page.frames().find((one) => one.url().includes('/site/widget'))
  return frame?.evaluate('window.connections?.length > 0').catch(() => false)
}

/**
 * Main-thread time that the bridge adds to a page: median of 10 loads with it and without it, by
 * TaskDuration of the DevTools protocol. The widget is on another site, as it is in production, so
 * that its frame has a process of its own. Wall time (`timeTicks`) grows with other work on the
 * machine; processor time (`threadTicks`) hardly does.
 */
export async function measureMainThread(
  browser: Browser,
  timeDomain: 'timeTicks' | 'threadTicks',
): Promise<{ readonly bare: number; readonly added: number }> {
  const pages = await openPages()
  const html = (tag: string) => (_: unknown, response: ServerResponse) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Page</title>${tag}<main>${ARTICLE.repeat(200)}</main>`)
  }
  pages.site.pages
    .set('/with', html(pages.tag.replace('127.0.0.1', 'localhost')))
    .set('/without', html(''))

  async function load(path: '/with' | '/without'): Promise<number> {
    const context = await browser.newContext()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable', { timeDomain })
    await page.goto(`${pages.site.origin}${path}`)
    // Looked at in the widget's own process: looking at the page would take its main thread's time.
    while (path === '/with' && !(await isConnected(page))) await page.waitForTimeout(50)
    await page.waitForTimeout(SETTLE_MS)
    const { metrics } = await session.send('Performance.getMetrics')
    const shown = await page.locator('iframe:visible').count()
    if (shown !== (path === '/with' ? 1 : 0)) throw new Error(`${path} shows ${shown} frames.`)
    await context.close()
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }

  const loads = { '/with': [] as number[], '/without': [] as number[] }
  for (let count = 0; count < LOADS; count += 1)
    for (const path of ['/with', '/without'] as const) loads[path].push(await load(path))
  await pages.close()
  const bare = percentile(loads['/without'], 0.5)
  return { bare, added: percentile(loads['/with'], 0.5) - bare }
}
