import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contractSuite } from '@surehand/conformance'
import { createEgress, fetchThrough } from '@surehand/egress'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANN, localWorld, openRuntime } from '../fixtures/local-world.ts'
import { digestPage, readPage } from './providers/read-page.ts'
import { loadOEmbedProviders, oEmbedEndpoint, webPages } from './providers/web-pages.ts'
import { urlExpand } from './url-expand.ts'

const PAGE = `<!doctype html><html><head><title>Fallback</title>
  <meta property="og:title" content="Summer concert &amp; picnic"><meta property="og:description" content="Bring a blanket.">
  <meta property="og:image" content="/poster.png"><meta property="og:site_name" content="Town Hall">
  <script type="application/ld+json">{"@type":"MusicEvent","name":"Summer concert","startDate":"2026-07-04T19:00:00+02:00"}</script>
  <script type="application/ld+json">{ broken</script></head><body>Hello</body></html>`

const pages: Readonly<
  Record<string, readonly [status: number, type: string, body: string | Buffer]>
> = {
  '/concert': [200, 'text/html; charset=utf-8', PAGE],
  '/old': [
    200,
    'text/html; charset=iso-8859-1',
    Buffer.from('<title>Caf\xe9</title><meta property="og:title" content="Caf\xe9">', 'latin1'),
  ],
  '/pdf': [200, 'application/pdf', '%PDF'],
  '/gone': [404, 'text/html', 'no'],
}

let server: Server
let base = ''
beforeAll(async () => {
  server = createServer((request, response) => {
    const [status, type, body] = pages[request.url ?? ''] ?? [302, 'text/html', '']
    response
      .writeHead(status, {
        'content-type': type,
        ...(status === 302 ? { location: '/concert' } : {}),
      })
      .end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const egress = createEgress()
afterAll(() => egress.close())
const here = () => ({ host: '127.0.0.1', port: Number(new URL(base).port) })
const opened = webPages({
  fetchFor: (tenant) => fetchThrough(egress, { tenant, allow: [here()], maxBytes: 5_000_000 }),
})
const signal = new AbortController().signal

// The tool's example is a real page: here it is read without a network.
const recordedPages = { expand: ({ url }: { readonly url: string }) => readPage(PAGE, url) }
contractSuite(urlExpand, { open: localWorld(() => ({ providers: { pages: recordedPages } })) })

describe('a page', () => {
  test('gives its metadata and its final URL', async () => {
    const page = await opened.expand({ tenant: 'home', url: `${base}/moved` }, signal)
    expect(page).toMatchObject({
      url: `${base}/concert`,
      title: 'Summer concert & picnic',
      description: 'Bring a blanket.',
      imageUrl: `${base}/poster.png`,
      siteName: 'Town Hall',
      jsonLd: [
        { '@type': 'MusicEvent', name: 'Summer concert', startDate: '2026-07-04T19:00:00+02:00' },
      ],
    })
  })

  test('is decoded with its own charset', async () => {
    expect(await opened.expand({ tenant: 'home', url: `${base}/old` }, signal)).toMatchObject({
      title: 'Café',
    })
  })

  test.each([
    ['/pdf', 'TOOL_EXTERNAL_SERVICE_ERROR'],
    ['/gone', 'TOOL_EXTERNAL_SERVICE_ERROR'],
  ])('that is none (%s) is refused with %s', async (path, code) => {
    await expect(opened.expand({ tenant: 'home', url: base + path }, signal)).rejects.toMatchObject(
      { code },
    )
  })

  test('with a private address is not fetched', async () => {
    const closed = webPages({ fetchFor: (tenant) => fetchThrough(egress, { tenant }) })
    const runtime = openRuntime([urlExpand], { pages: closed })
    const answer = await runtime.call({
      tool: 'url.expand',
      input: { url: `${base}/concert` },
      caller: ANN,
      surface: 'test',
    })
    expect(answer).toMatchObject({
      status: 'done',
      degraded: true,
      data: { siteName: new URL(base).hostname },
    })
  })
})

test.each([400, 403, 404, 410])(
  'a page that answers with %i gives the fallback, marked as degraded',
  async (status) => {
    const refused = webPages({
      fetchFor: () => async () =>
        new Response('no', { status, headers: { 'content-type': 'text/html' } }),
    })
    const runtime = openRuntime([urlExpand], { pages: refused })
    const answer = await runtime.call({
      tool: 'url.expand',
      input: { url: 'https://town-hall.example/x' },
      caller: ANN,
      surface: 'test',
    })
    expect(answer).toMatchObject({
      status: 'done',
      degraded: true,
      data: { siteName: 'town-hall.example' },
    })
  },
)

describe('a hostile page', () => {
  const tagsIn = (html: string): number => html.split('<').length - 1

  test.each([
    ['nests tags', '<div>'.repeat(100_000)],
    [
      'hides nested tags where the end of a tag is ambiguous',
      `<meta "><div><div><div>">${'<meta a=b="><p><b><i>" x=\'">'.repeat(1_000)}`,
    ],
    ['hides nested tags in its title', `<title>${'<div>'.repeat(10_000)}</title>`],
    [
      'has very many tags',
      '<meta property="og:image" content="https://x.example/a.png">'.repeat(40_000),
    ],
    ['opens tags and closes none', '<meta '.repeat(500_000)],
    ['opens comments and scripts and closes none', '<!-- <script>'.repeat(200_000)],
  ])('that %s gives a small digest', (_, html) => {
    const digest = digestPage(html).html
    expect(digest).not.toMatch(/<(?:div|p|b|i)>/)
    expect([tagsIn(digest) <= 1_000, digest.length <= 250_000]).toEqual([true, true])
  })

  test('still gives the metadata behind nested tags', async () => {
    const html = `${'<div>'.repeat(50_000)}${PAGE}`
    expect(await readPage(html, 'https://e.example/')).toMatchObject({
      title: 'Summer concert & picnic',
      jsonLd: [{ '@type': 'MusicEvent' }],
    })
  })

  test('loses its JSON-LD if that is nested too deeply', async () => {
    const block = `<script type="application/ld+json">${'['.repeat(50_000)}${']'.repeat(50_000)}</script>`
    expect((await readPage(`${block}${PAGE}`, 'https://e.example/')).jsonLd).toHaveLength(1)
  })
})

test.each(['ftp://example.com/x', 'javascript:alert(1)', 'file:///etc/passwd', 'nothing'])(
  '%s is refused',
  async (url) => {
    const runtime = openRuntime([urlExpand], { pages: opened })
    const answer = await runtime.call({
      tool: 'UrlExpand',
      input: { url },
      caller: ANN,
      surface: 'test',
    })
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'TOOL_INVALID_FIELD_VALUE' } })
  },
)

describe('oEmbed', () => {
  const keys = (many: number) =>
    Object.fromEntries(Array.from({ length: many }, (_, index) => [`k${index}`, 'x']))

  test.each([
    ['https://www.youtube.com/watch?v=abc', 'https://www.youtube.com/oembed?'],
    ['https://vimeo.com/12345', 'https://vimeo.com/api/oembed.json?'],
    ['https://www.tiktok.com/@user/video/1', 'https://www.tiktok.com/oembed?'],
  ])('has an endpoint for %s', async (url, endpoint) => {
    expect(oEmbedEndpoint(url, await loadOEmbedProviders())).toMatch(
      `${endpoint}url=${encodeURIComponent(url)}`,
    )
  })

  test('has no endpoint for a page that is not listed', async () => {
    expect(
      oEmbedEndpoint('https://town-hall.example/concert', await loadOEmbedProviders()),
    ).toBeUndefined()
  })

  test.each([
    ['long texts', { html: 'a'.repeat(400_000) }, {}],
    ['deep nests', { more: { more: { more: { more: 1 } } } }, { more: { more: {} } }],
    ['more than thirty keys', keys(100), keys(29)],
  ])('answers are limited: %s', async (_, answer, limited) => {
    const answers = async (input: unknown) =>
      String(input).includes('/oembed')
        ? Response.json({ title: 'A song', ...answer })
        : new Response('', { status: 500 })
    const pages = webPages({ fetchFor: () => answers as typeof fetch })
    const page = pages.expand(
      { tenant: 'home', url: 'https://www.youtube.com/watch?v=abc' },
      signal,
    )
    expect((await page).oEmbed).toEqual({ title: 'A song', ...limited })
  })

  test('adds what the page lacks, and replaces a page that cannot be read', async () => {
    const url = 'https://www.youtube.com/watch?v=abc'
    const answers = (page: Response) => async (input: unknown) =>
      String(input).includes('/oembed')
        ? Response.json({
            title: 'A song',
            provider_name: 'YouTube',
            thumbnail_url: 'https://i.example/1.jpg',
          })
        : page
    const bare = webPages({
      fetchFor: () =>
        answers(new Response('<p>x', { headers: { 'content-type': 'text/html' } })) as typeof fetch,
    })
    expect(await bare.expand({ tenant: 'home', url }, signal)).toMatchObject({
      title: 'A song',
      imageUrl: 'https://i.example/1.jpg',
    })
    const refused = webPages({
      fetchFor: () => answers(new Response('no', { status: 403 })) as typeof fetch,
    })
    expect(await refused.expand({ tenant: 'home', url }, signal)).toMatchObject({
      title: 'A song',
      siteName: 'YouTube',
      html: '',
    })
  })
})
