import { RESOURCES } from '../booking/resources.ts'
import { CATEGORIES, PRODUCTS } from '../catalog/catalog.ts'
import { HELP } from '../content/help.ts'
import { JOURNAL } from '../content/journal.ts'
import type { Operation } from '../openapi/operation.ts'
import { BOOKINGS, ORDERS } from '../openapi/ordering.ts'
import { SCHEMAS } from '../openapi/schemas.ts'
import { CART, CATALOG } from '../openapi/shopping.ts'
import { notFound } from '../refusal.ts'
import { json, text } from '../web/respond.ts'
import type { Route } from '../web/route.ts'
import { ACTIONS_FILE } from './actions.ts'

const PUBLIC = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' }

export const DISCOVERY_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/openapi.json',
    handle: ({ shop }) => json(openApiDocument(shop.origin), 200, PUBLIC),
  },
  { method: 'GET', path: '/actions.json', handle: () => json(ACTIONS_FILE, 200, PUBLIC) },
  {
    method: 'GET',
    path: '/robots.txt',
    handle: ({ shop }) => text(robotsText(shop.origin), 'text/plain'),
  },
  {
    method: 'GET',
    path: '/sitemap.xml',
    handle: ({ shop }) => text(sitemapIndex(shop.origin), 'application/xml'),
  },
  {
    method: 'GET',
    path: '/sitemaps/:name.xml',
    handle({ shop, params }) {
      const entries = Object.hasOwn(SITEMAPS, params.name ?? '') && SITEMAPS[params.name ?? '']
      if (!entries) throw notFound('This sitemap')
      return text(sitemap(shop.origin, entries), 'application/xml')
    },
  },
  {
    method: 'GET',
    path: '/opensearch.xml',
    handle: ({ shop }) =>
      text(
        `<?xml version="1.0" encoding="UTF-8"?>\n<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Thorn &amp; Thimble</ShortName><Description>Search the shop.</Description><Url type="text/html" template="${shop.origin}/search?q={searchTerms}"/></OpenSearchDescription>\n`,
        'application/opensearchdescription+xml',
      ),
  },
]

type Entry = { readonly path: string; readonly lastmod: string }

/** When the catalogue in the code was last changed: its pages have no date of their own. */
const CATALOG_CHANGED = '2026-11-14'

const toDatedEntry =
  (folder: string) => (article: { readonly slug: string; readonly updated: string }) => ({
    path: `/${folder}/${article.slug}`,
    lastmod: article.updated,
  })
const toEntry = (path: string): Entry => ({ path, lastmod: CATALOG_CHANGED })

/** The sitemaps by name; the index lists them. */
const SITEMAPS: Readonly<Record<string, readonly Entry[]>> = {
  pages: [
    '/',
    '/shop',
    '/appointments',
    '/journal',
    '/help',
    '/contact',
    ...CATEGORIES.map(({ slug }) => `/shop/${slug}`),
    ...RESOURCES.map(({ id }) => `/appointments/${id}`),
  ].map(toEntry),
  products: PRODUCTS.map(({ id }) => toEntry(`/products/${id}`)),
  texts: [...JOURNAL.map(toDatedEntry('journal')), ...HELP.map(toDatedEntry('help'))],
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

function sitemapIndex(origin: string): string {
  const items = Object.entries(SITEMAPS).map(([name, entries]) => {
    const newest =
      entries
        .map(({ lastmod }) => lastmod)
        .sort()
        .at(-1) ?? CATALOG_CHANGED
    return `  <sitemap><loc>${origin}/sitemaps/${name}.xml</loc><lastmod>${newest}</lastmod></sitemap>`
  })
  return `${XML}<sitemapindex xmlns="${NAMESPACE}">\n${items.join('\n')}\n</sitemapindex>\n`
}

function sitemap(origin: string, entries: readonly Entry[]): string {
  const items = entries.map(
    ({ path, lastmod }) => `  <url><loc>${origin}${path}</loc><lastmod>${lastmod}</lastmod></url>`,
  )
  return `${XML}<urlset xmlns="${NAMESPACE}">\n${items.join('\n')}\n</urlset>\n`
}

/** RFC 9309. What is personal or costs something is not for crawlers. */
function robotsText(origin: string): string {
  const closed = [
    '/cart',
    '/checkout',
    '/pay/',
    '/orders',
    '/bookings/',
    '/appointments/holds',
    '/search',
    '/api/',
    '/graphql',
    '/newsletter',
    '/contact/preview',
  ]
  return [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    'Allow: /',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}

/** Every operation of the API; the router is compared with it by a test. */
export const OPERATIONS: readonly Operation[] = [...CATALOG, ...CART, ...ORDERS, ...BOOKINGS]

const PROBLEM = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
}

/**
 * The document at /openapi.json. Every failure is a problem (RFC 9457) whose `code` is listed in
 * the description of its status. Amounts are minor units. Writes accept an `Idempotency-Key`:
 * a repetition has the same answer with `Idempotent-Replayed: true`; the same key with another
 * request is refused with 422 and the code `key_reused`. Keys are remembered for 30 days.
 */
export function openApiDocument(origin: string): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of OPERATIONS) {
    const item = paths[operation.path] ?? {}
    item[operation.method] = operationObject(operation)
    paths[operation.path] = item
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Thorn & Thimble',
      version: '1.0.0',
      description: 'Shop and appointments of a florist and tailor. A demo: nothing is delivered.',
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: SCHEMAS,
      securitySchemes: { ownerKey: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function operationObject(operation: Operation): Readonly<Record<string, unknown>> {
  const { id, summary, tag, agent, sideEffects, body, isSecured } = operation
  const parameters = parametersOf(operation)
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(agent === undefined
      ? { 'x-agent': { action: false } }
      : { 'x-agent': { action: true, sideEffects, ...agent } }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: responsesOf(operation),
    ...(isSecured && { security: [{ ownerKey: [] }] }),
  }
}

function parametersOf({ path, query = {}, keyed, conditional }: Operation): readonly object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 128 },
  }))
  const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema }))
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    schema: { type: 'string', minLength: 8, maxLength: 255 },
  }
  const condition = {
    name: 'If-Match',
    in: 'header',
    description: 'The revision of the cart, in quotes. If it is another, nothing is changed.',
    schema: { type: 'string' },
  }
  return [...inPath, ...inQuery, ...(keyed ? [key] : []), ...(conditional ? [condition] : [])]
}

function responsesOf({ answers, keyed }: Operation): Readonly<Record<string, unknown>> {
  const listed = Object.entries(answers).map(([status, [description, schema]]) => [
    status,
    {
      description,
      content: schema === undefined ? PROBLEM : { 'application/json': { schema } },
    },
  ])
  return {
    ...Object.fromEntries(listed),
    400: { description: 'invalid_request', content: PROBLEM },
    ...(keyed && {
      422: {
        description: ['key_reused, key_missing', answers[422]?.[0]].filter(Boolean).join(', '),
        content: PROBLEM,
      },
    }),
    429: { description: 'too_many_requests', content: PROBLEM },
  }
}
