import { RESOURCES } from '../booking/resources.ts'
import { CATEGORIES, PRODUCTS } from '../catalog/catalog.ts'
import { HELP } from '../content/help.ts'
import { JOURNAL } from '../content/journal.ts'

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
export const SITEMAPS: Readonly<Record<string, readonly Entry[]>> = {
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

export function sitemapIndex(origin: string): string {
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

export function sitemap(origin: string, entries: readonly Entry[]): string {
  const items = entries.map(
    ({ path, lastmod }) => `  <url><loc>${origin}${path}</loc><lastmod>${lastmod}</lastmod></url>`,
  )
  return `${XML}<urlset xmlns="${NAMESPACE}">\n${items.join('\n')}\n</urlset>\n`
}

/** RFC 9309. What is personal or costs something is not for crawlers. */
export function robotsText(origin: string): string {
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
