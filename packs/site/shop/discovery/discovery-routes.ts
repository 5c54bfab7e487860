import { openApiDocument } from '../openapi.ts'
import { notFound } from '../refusal.ts'
import { json, text } from '../web/respond.ts'
import type { Route } from '../web/route.ts'
import { ACTIONS_FILE } from './actions.ts'
import { robotsText, SITEMAPS, sitemap, sitemapIndex } from './sitemaps.ts'

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
