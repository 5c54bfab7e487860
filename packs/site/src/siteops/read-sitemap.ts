import { defineTool } from '@surehand/core'
import { Rfc3339DateTime, Url } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { requireSite } from '../visitor-contract.ts'
import { siteReader } from './site-reader-port.ts'
import { backgroundGates, operatorPermissions } from './siteops-contract.ts'

const MOST_PAGES = 50_000

export const readSitemap = defineTool({
  id: 'siteops.readSitemap',
  title: 'Read the sitemap',
  category: 'siteops',
  description:
    "Reads the site's sitemap, its index files and compressed parts, and lists its pages with the time of their last change. With `since`, only pages that changed later or do not say when. Runs in the background only.",
  input: z.object({
    url: Url.optional().describe("Another sitemap than the contract's."),
    since: Rfc3339DateTime.optional(),
    max: z.int().min(1).max(MOST_PAGES).default(1_000),
  }),
  output: z.object({
    pages: z.array(z.object({ url: z.string(), lastmod: z.string().optional() })),
    sitemaps: z.array(z.string()),
    problems: z.array(z.string()),
  }),
  contract: {
    effect: 'none',
    auth: 'service',
    permissions: operatorPermissions,
    latencyBudget: '2s',
    timeout: '60s',
    retries: 1,
    gates: backgroundGates,
  },
  ports: { reader: siteReader, sites: siteContracts },
  examples: [
    { name: 'all pages', input: {} },
    { name: 'what is new', input: { since: '2026-11-01T00:00:00Z', max: 100 } },
  ],
  execute: async ({ input: { url, since, max }, caller, ports, signal }) => {
    const { contract } = await requireSite(ports.sites, caller, signal)
    const address = url ?? contract.sitemap ?? `${contract.origins[0]}/sitemap.xml`
    const { tenant } = caller
    const found = await ports.reader.sitemap({ tenant, url: address, max: MOST_PAGES }, signal)
    return {
      pages: found.pages
        .filter(({ lastmod }) => isLater(lastmod, since))
        .slice(0, max)
        .map(({ url: page, lastmod }) => ({
          url: page,
          ...(lastmod === undefined ? {} : { lastmod }),
        })),
      sitemaps: [...found.sitemaps],
      problems: [...found.problems],
    }
  },
})

// W3C datetime: a year, a month, a day or a moment; Date reads them all.
function isLater(lastmod: string | undefined, since: string | undefined): boolean {
  if (lastmod === undefined || since === undefined) return true
  const at = Date.parse(lastmod)
  return Number.isNaN(at) || at > Date.parse(since)
}
