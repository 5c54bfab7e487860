import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { webSiteReader } from './web-site-reader.ts'

const signal = new AbortController().signal
const reader = webSiteReader(() => fetch)
let server: Server
let url: string
let robotsStatus = 200

beforeAll(async () => {
  server = createServer(({ url: path = '' }, response) => {
    const [status, body] = respond(path)
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function respond(path: string): readonly [number, string | Buffer] {
  switch (path) {
    case '/robots.txt':
      return [
        robotsStatus,
        `User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 2\nSitemap: ${url}/sitemap.xml\n`,
      ]
    case '/sitemap.xml':
      return [
        200,
        `<sitemapindex><sitemap><loc>${url}/a.xml.gz</loc></sitemap><sitemap><loc>${url}/b.xml</loc></sitemap>
         <sitemap><loc>${url}/sitemap.xml</loc></sitemap><sitemap><loc>${url}/gone.xml</loc></sitemap>
         <sitemap><loc>https://evil.example/sitemap.xml</loc></sitemap></sitemapindex>`,
      ]
    case '/a.xml.gz':
      return [
        200,
        gzipSync(`<urlset><url><loc>${url}/one</loc><lastmod>2026-11-01</lastmod></url></urlset>`),
      ]
    case '/b.xml':
      return [
        200,
        `<urlset><url><loc>${url}/two</loc></url><url><loc>https://evil.example/x</loc></url></urlset>`,
      ]
    default:
      return [404, 'not found']
  }
}

test('an index with compressed parts is read once, and only pages of the site are listed', async () => {
  const request = { tenant: 'shop', url: `${url}/sitemap.xml`, max: 100 }
  expect(await reader.sitemap(request, signal)).toEqual({
    pages: [
      { url: `${url}/one`, lastmod: '2026-11-01' },
      { url: `${url}/two`, lastmod: undefined },
    ],
    sitemaps: [`${url}/sitemap.xml`, `${url}/a.xml.gz`, `${url}/b.xml`, `${url}/gone.xml`],
    problems: [`${url}/gone.xml answered with the status 404.`],
  })
})

test.each([
  ['/', 200, true],
  ['/private/page', 200, false],
  ['/private/open', 200, true],
  ['/robots.txt', 200, true],
  // RFC 9309: a missing file allows everything, one that cannot be read now nothing.
  ['/private/page', 404, true],
  ['/', 503, false],
])('%s with a robots.txt of the status %d: %s', async (path, status, allowed) => {
  robotsStatus = status
  const request = { tenant: 'shop', url: `${url}${path}`, userAgent: 'SurehandBot' }
  expect((await reader.robots(request, signal)).allowed).toBe(allowed)
})
