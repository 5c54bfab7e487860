import type { ServerResponse } from 'node:http'
import { launch } from './launch.ts'
import { openPages } from './open-pages.ts'

// How much main-thread time the bridge adds to a page: median of 10 loads with it and without it.
// `node bridge/testing/measure-page.ts [CHROMIUM]`. The widget is on another site, as it is in
// production, so that its frame has a process of its own. Wall time grows with other work on the
// machine; processor time does not.

const LOADS = 10
const SETTLE_MS = 1_500
const ARTICLE = '<article><h2>Roses</h2><p>Red, in a vase.</p><a href="/more">More</a></article>'
const DOMAINS = { 'wall time': 'timeTicks', 'processor time': 'threadTicks' } as const

const pages = await openPages()
const browser = await launch(process.argv[2] ?? '/usr/bin/chromium')
const html = (tag: string) => (_: unknown, response: ServerResponse) => {
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<!doctype html><title>Page</title>${tag}<main>${ARTICLE.repeat(200)}</main>`)
}
pages.site.pages
  .set('/with', html(pages.tag.replace('127.0.0.1', 'localhost')))
  .set('/without', html(''))

async function load(path: string, timeDomain: 'timeTicks' | 'threadTicks'): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain })
  await page.goto(`${pages.site.origin}${path}`)
  await page.waitForTimeout(SETTLE_MS)
  const { metrics } = await session.send('Performance.getMetrics')
  const frames = await page.locator('iframe').count()
  if ((frames === 1) !== (path === '/with')) throw new Error(`${path} has ${frames} frames.`)
  await context.close()
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

for (const [name, domain] of Object.entries(DOMAINS)) {
  const loads: Record<'/with' | '/without', number[]> = { '/with': [], '/without': [] }
  for (let count = 0; count < LOADS; count += 1)
    for (const path of ['/with', '/without'] as const) loads[path].push(await load(path, domain))
  const [added, bare] = [median(loads['/with']), median(loads['/without'])]
  console.log(
    `TaskDuration, ${name}: ${added.toFixed(1)} ms with, ${bare.toFixed(1)} ms without, adds ${(added - bare).toFixed(1)} ms`,
  )
}
await browser.close()
await pages.close()
