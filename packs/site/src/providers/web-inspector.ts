import { ToolError } from '@surehand/core'
import type { Fetch } from '@surehand/vendors'
import { z } from 'zod'
import { readJsonLd } from '../contract/read-json-ld.ts'
import { ActionsFile, type SiteAction } from '../contract/site-action.ts'
import type { SiteInspector } from '../inspect/inspector-port.ts'
import { type HtmlScan, scanHtml } from '../inspect/scan-html.ts'
import type { SiteEvidence } from '../inspect/site-evidence.ts'
import type { SiteReader } from '../siteops/site-reader-port.ts'

const SAMPLE = 8
const HEADERS = { 'user-agent': 'SurehandBot/1.0' }
const MOST_BYTES = 2_000_000

type Page = {
  readonly scan: HtmlScan
  readonly types: readonly string[]
  readonly search: string | undefined
}

/** Looks at a site over the web, through the server's egress rules. */
export function webInspector(
  fetchFor: (tenant: string) => Fetch,
  reader: Pick<SiteReader, 'robots' | 'sitemap'>,
): SiteInspector {
  return {
    async look({ tenant, url }, signal) {
      const fetch = fetchFor(tenant)
      const { origin, hostname } = new URL(url)
      const robotsText = await readText(fetch, `${origin}/robots.txt`, signal)
      const robots = await reader.robots({ tenant, url, userAgent: 'SurehandBot' }, signal)
      const sitemapUrl = robots.sitemaps[0] ?? `${origin}/sitemap.xml`
      const sitemap = await reader.sitemap({ tenant, url: sitemapUrl, max: 10_000 }, signal)
      const start = await readPage(fetch, url, signal)
      if (start === undefined)
        throw new ToolError(
          'TOOL_RESOURCE_UNAVAILABLE',
          `${url} did not answer with a page. Check the address.`,
        )
      const others = robots.allowed
        ? sample(
            sitemap.pages.map((page) => page.url),
            url,
          )
        : []
      const read = await Promise.all(others.map((page) => readPage(fetch, page, signal)))
      const pages = [start, ...read.filter((page) => page !== undefined)]
      const [actions, openapi, graphql, isSearchReadable] = await Promise.all([
        readActions(fetch, origin, signal),
        readOpenApi(fetch, origin, signal),
        readGraphql(fetch, origin, signal),
        answersInJson(fetch, start.search, signal),
      ])
      return {
        origin,
        isLocal: hostname === 'localhost' || /^127\./.test(hostname),
        robots: {
          exists: robotsText !== undefined,
          isAllowed: robots.allowed,
          sitemaps: robots.sitemaps,
        },
        sitemap: {
          url: sitemapUrl,
          pages: sitemap.pages.length,
          withLastmod: sitemap.pages.filter(({ lastmod }) => lastmod !== undefined).length,
        },
        ...describePages(pages, start.scan),
        ...actions,
        openapi,
        graphql,
        search: start.search,
        isSearchReadable,
      }
    },
  }
}

// Spread over the sitemap: its first pages are often all of one kind.
function sample(urls: readonly string[], without: string): readonly string[] {
  const others = urls.filter((one) => one !== without)
  const step = Math.max(1, Math.floor(others.length / SAMPLE))
  return others.filter((_, index) => index % step === 0).slice(0, SAMPLE)
}

function describePages(
  pages: readonly Page[],
  start: HtmlScan,
): Pick<SiteEvidence, 'pages' | 'scan' | 'jsonLdTypes' | 'locales'> {
  const sum = (of: (scan: HtmlScan) => number): number =>
    pages.reduce((total, { scan }) => total + of(scan), 0)
  const count = (has: (page: Page) => boolean): number => pages.filter(has).length
  return {
    jsonLdTypes: [...new Set(pages.flatMap(({ types }) => types))].sort(),
    locales: [...new Set(pages.flatMap(({ scan }) => scan.language ?? []))].sort(),
    pages: {
      read: pages.length,
      withJsonLd: count(({ types }) => types.length > 0),
      withLandmarks: count(({ scan }) =>
        ['main', 'navigation'].every((role) => scan.landmarks.some((one) => one.role === role)),
      ),
      withLanguage: count(({ scan }) => scan.language !== undefined),
      withTitle: count(({ scan }) => scan.title !== '' && scan.description !== ''),
    },
    scan: {
      ...start,
      buttons: sum((scan) => scan.buttons),
      buttonsWithAction: sum((scan) => scan.buttonsWithAction),
      fields: sum((scan) => scan.fields),
      fieldsWithLabel: sum((scan) => scan.fieldsWithLabel),
      forms: uniqueForms(pages.flatMap(({ scan }) => scan.forms)),
    },
  }
}

function uniqueForms(forms: HtmlScan['forms']): HtmlScan['forms'] {
  return [...new Map(forms.map((form) => [form.selector, form])).values()]
}

async function readText(
  fetch: Fetch,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const response = await fetch(url, { headers: HEADERS, signal })
  const text = await response.text()
  return response.ok && text.length <= MOST_BYTES ? text : undefined
}

async function readPage(fetch: Fetch, url: string, signal: AbortSignal): Promise<Page | undefined> {
  const response = await fetch(url, { headers: { ...HEADERS, accept: 'text/html' }, signal })
  const html = await response.text()
  if (!response.ok || !/html/.test(response.headers.get('content-type') ?? '')) return undefined
  const nodes = readJsonLd(html)
  return {
    scan: scanHtml(html.slice(0, MOST_BYTES)),
    types: nodes.flatMap(({ types }) => types),
    search: searchTemplate(nodes),
  }
}

const SearchAction = z.object({
  potentialAction: z.object({
    '@type': z.literal('SearchAction'),
    target: z.union([z.string(), z.object({ urlTemplate: z.string() })]),
  }),
})

function searchTemplate(nodes: readonly object[]): string | undefined {
  for (const node of nodes) {
    const found = SearchAction.safeParse(node)
    if (!found.success) continue
    const { target } = found.data.potentialAction
    const template = typeof target === 'string' ? target : target.urlTemplate
    return template.replace(/\{[^}]*\}/, '{query}')
  }
  return undefined
}

async function answersInJson(
  fetch: Fetch,
  template: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (template === undefined) return false
  const url = template.replace('{query}', 'a')
  if (!URL.canParse(url)) return false
  const headers = { ...HEADERS, accept: 'application/json' }
  const response = await fetch(url, { headers, signal })
  await response.arrayBuffer()
  return response.ok && /json/.test(response.headers.get('content-type') ?? '')
}

async function readActions(
  fetch: Fetch,
  origin: string,
  signal: AbortSignal,
): Promise<{ readonly actions: readonly SiteAction[]; readonly actionsUrl: string | undefined }> {
  for (const path of ['/actions.json', '/.well-known/actions.json']) {
    const text = await readText(fetch, `${origin}${path}`, signal)
    const file = ActionsFile.safeParse(parseJson(text))
    if (file.success) return { actions: file.data.actions, actionsUrl: `${origin}${path}` }
  }
  return { actions: [], actionsUrl: undefined }
}

const OpenApi = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
})
const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch'])

async function readOpenApi(
  fetch: Fetch,
  origin: string,
  signal: AbortSignal,
): Promise<SiteEvidence['openapi']> {
  const url = `${origin}/openapi.json`
  const document = OpenApi.safeParse(parseJson(await readText(fetch, url, signal)))
  if (!document.success) return undefined
  const operations = Object.values(document.data.paths).flatMap((item) =>
    Object.entries(item).filter(([method]) => METHODS.has(method)),
  )
  const agentActions = operations.filter(([, operation]) => {
    const agent = (operation as { 'x-agent'?: { action?: unknown } })['x-agent']
    return agent?.action === true
  }).length
  return { url, operations: operations.length, agentActions }
}

async function readGraphql(
  fetch: Fetch,
  origin: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const url = `${origin}/graphql`
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
    signal,
  })
  const answer = parseJson(await response.text()) as { data?: { __typename?: unknown } } | undefined
  return typeof answer?.data?.__typename === 'string' ? url : undefined
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
