import { type Clock, systemClock } from '@surehand/core/ports'
import { createEgress, fetchThrough } from '@surehand/egress'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CrawlOptions, type CrawlProgress, crawlSite } from './crawl-site.ts'
import { type Site, startHostileSite, startOutside } from './fixtures/hostile-site.ts'

let outside: Site
let site: Site
const clock = systemClock()

beforeAll(async () => {
  outside = await startOutside()
  site = await startHostileSite(outside.url)
})
afterAll(async () => {
  await site.stop()
  await outside.stop()
})

function crawl(options: Partial<CrawlOptions> = {}) {
  return crawlSite({
    startUrl: site.url,
    fetch,
    clock,
    signal: new AbortController().signal,
    maxPages: 1_000,
    deadlineMs: 100_000,
    delayMs: 0,
    concurrency: 8,
    requestTimeoutMs: 5_000,
    ...options,
  })
}

describe('a site of 300 pages with loops, traps, and huge, broken and silent pages', () => {
  test('is read whole and politely, with reasons for what was not read', async () => {
    const before = site.requested.length
    const progress: CrawlProgress[] = []
    const result = await crawl({ onProgress: (one) => progress.push(one) })
    const requested = site.requested.slice(before)

    expect(result.stopped).toBe('finished')
    const read = new Set(result.pages.map(({ url }) => new URL(url).pathname))
    const missing = Array.from({ length: 299 }, (_, index) => `/page/${index + 1}`)
    expect(missing.filter((path) => !read.has(path))).toEqual([])
    for (const path of ['/', '/huge', '/nested', '/unclosed', '/charset', '/throttled'])
      expect(read).toContain(path)

    // Nothing was fetched twice but the page that asked to be asked again, and targets of redirects.
    expect(requested.filter((path) => path === '/page/200')).toHaveLength(1)
    expect(requested.length).toBeLessThan(800)
    expect(requested.filter((path) => path.startsWith('/calendar')).length).toBeLessThanOrEqual(22)
    expect(requested.filter((path) => path.startsWith('/next')).length).toBeLessThanOrEqual(8)
    expect(requested.filter((path) => path.startsWith('/loop')).length).toBeLessThanOrEqual(4)
    expect(requested.filter((path) => /^\/private\/|\.pdf/.test(path))).toEqual([])
    expect(outside.requested).toEqual([])
    expect(progress.length).toBeGreaterThan(300)
    expect(progress.at(-1)?.pages).toBe(result.pages.length)

    const reasons = new Map(result.skipped.map(({ url, why }) => [new URL(url).pathname, why]))
    expect(Object.fromEntries(reasons)).toMatchObject({
      '/private/secret': 'robots',
      '/file.pdf': 'robots',
      '/missing': 'error',
      '/redirect-out': 'outside',
      '/redirect-private': 'robots',
      '/redirect-loop/1': 'error',
      '/broken-gzip': 'error',
      '/reset': 'error',
      '/silent': 'error',
      '/binary': 'not_a_page',
      '/redirect/5': 'duplicate',
    })
    expect(result.pages.find(({ url }) => url.endsWith('/huge'))).toMatchObject({
      isTruncated: true,
    })
    expect(result.pages.find(({ url }) => url.endsWith('/page/260'))?.lastModified).toBe(
      '2026-10-11',
    )
  })

  test.each([1, 7, 50])('of which at most %i are wanted', async (maxPages) => {
    const { pages, stopped, requests } = await crawl({ maxPages })
    expect([pages.length, stopped]).toEqual([maxPages, 'max_pages'])
    expect(requests).toBeLessThan(maxPages * 4 + 60)
  })

  test('ends at its deadline with the pages that it has', async () => {
    const due: (() => void)[] = []
    const deadlineMs = 1_500
    const { pages, stopped } = await crawl({
      // The deadline falls due with the fifth page, however long the pages take.
      clock: {
        ...clock,
        after: (ms, run) => {
          if (ms !== deadlineMs) return clock.after(ms, run)
          due.push(run)
          return () => undefined
        },
      },
      onProgress: (progress) => progress.pages === 5 && due[0]?.(),
      deadlineMs,
      concurrency: 1,
    })
    expect([stopped, pages.length]).toEqual(['deadline', 5])
  })

  test('is left at once when the crawl is cancelled', async () => {
    const leave = new AbortController()
    const reason = new Error('The caller has left.')
    let fetched = 0
    const running = crawl({
      signal: leave.signal,
      onProgress: ({ pages }) => pages === 5 && leave.abort(reason),
      fetch: (...request) => {
        fetched++
        return fetch(...request)
      },
    })
    await expect(running).rejects.toBe(reason)
    const before = fetched
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(fetched).toBe(before)
  })

  test('is read through egress, which decompresses and refuses other addresses', async () => {
    const { port } = new URL(site.url)
    const egress = createEgress({
      policyOf: () => ({ allow: [{ host: '127.0.0.1', port: Number(port) }] }),
    })
    try {
      const { pages } = await crawl({
        maxPages: 20,
        fetch: fetchThrough(egress, { tenant: 'acme' }),
      })
      expect(pages).toHaveLength(20)
      expect(pages.find(({ url }) => url.endsWith('/page/3'))?.markdown).toContain('Number iii ')
    } finally {
      await egress.close()
    }
  })
})

describe('a start that cannot be read', () => {
  test.each([
    ['/private/secret', { code: 'TOOL_GATE_CLOSED' }],
    ['/missing', { code: 'TOOL_RESOURCE_NOT_FOUND' }],
    ['/redirect-out', { code: 'TOOL_INVALID_FIELD_VALUE' }],
    ['/binary', { code: 'TOOL_INVALID_FIELD_VALUE' }],
  ])('%s is an error that says why', async (path, error) => {
    await expect(crawl({ startUrl: `${site.url}${path}` })).rejects.toMatchObject(error)
  })

  test('of a site that cannot be reached, or that egress refuses, is not blamed on robots.txt', async () => {
    const egress = createEgress()
    const refused = crawl({ fetch: fetchThrough(egress, { tenant: 'acme' }) })
    await expect(refused).rejects.toMatchObject({ code: 'TOOL_RESOURCE_ACCESS_DENIED' })
    await egress.close()
    const unreachable = crawl({ startUrl: 'http://127.0.0.1:9/' })
    await expect(unreachable).rejects.toMatchObject({ code: 'TOOL_NETWORK_ERROR' })
  })

  test('is refused where its address is none', async () => {
    await expect(crawl({ startUrl: 'file:///etc/passwd' })).rejects.toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
    })
  })
})

test('requests are sent no faster than the site asks for', async () => {
  const hurried = hurriedClock()
  const times: number[] = []
  const fake: typeof fetch = async (input) => {
    times.push(hurried.now())
    return String(input).endsWith('/robots.txt')
      ? new Response('User-agent: *\nCrawl-delay: 0.3')
      : new Response(`<a href="/${times.length}">on</a> ${'x'.repeat(times.length)}`, {
          headers: { 'content-type': 'text/html' },
        })
  }
  await crawl({ startUrl: 'http://polite.example/', fetch: fake, maxPages: 4, clock: hurried })
  const gaps = times.slice(2).map((time, index) => time - (times[index + 1] ?? 0))
  expect(gaps.length).toBeGreaterThanOrEqual(3)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(300)
})

/** A clock that goes on to the next timer as soon as it is awaited; deadlines never fall due. */
function hurriedClock(): Clock {
  let now = clock.now()
  return {
    ...clock,
    now: () => now,
    after(ms, run) {
      if (ms > 10_000) return () => undefined
      const at = now + ms
      const timer = setImmediate(() => {
        now = Math.max(now, at)
        run()
      })
      return () => clearImmediate(timer)
    },
  }
}

test('a site that refuses again and again is left', async () => {
  const fake: typeof fetch = async (input) => {
    const { pathname } = new URL(String(input))
    if (pathname === '/robots.txt') return new Response(null, { status: 404 })
    if (pathname !== '/')
      return new Response(null, { status: 429, headers: { 'retry-after': '0' } })
    const links = Array.from({ length: 50 }, (_, index) => `<a href="/${index}x">a</a>`)
    return new Response(links.join(''), { headers: { 'content-type': 'text/html' } })
  }
  const { stopped, requests } = await crawl({ startUrl: 'http://busy.example/', fetch: fake })
  expect(stopped).toBe('refused')
  expect(requests).toBeLessThan(20)
})
