import { defineTool } from '@surehand/core'
import { Url } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { requireSite } from '../visitor-contract.ts'
import { siteReader } from './site-reader-port.ts'
import { backgroundGates, operatorPermissions } from './siteops-contract.ts'

const AT_ONCE = 4

export const warmupCache = defineTool({
  id: 'siteops.warmupCache',
  title: 'Warm up caches',
  category: 'siteops',
  description:
    'Requests up to 50 pages of the site beforehand, so that visitors get them faster; pages that robots.txt forbids are left out. Where the site supports Speculation Rules, pages of visitors are told to prefetch them. Runs in the background only.',
  input: z.object({ urls: z.array(Url).min(1).max(50) }),
  output: z.object({
    warmed: z.array(z.object({ url: z.string(), status: z.int() })),
    skipped: z.array(z.object({ url: z.string(), why: z.string() })),
    prefetch: z.boolean().describe('Whether pages of visitors prefetch them too.'),
  }),
  contract: {
    effect: 'none',
    auth: 'service',
    permissions: operatorPermissions,
    latencyBudget: '5s',
    timeout: '60s',
    retries: 0,
    gates: backgroundGates,
  },
  ports: { reader: siteReader, sites: siteContracts },
  examples: [{ name: 'the start page', input: { urls: ['https://shop.example/'] } }],
  execute: async ({ input: { urls }, caller, ports, signal }) => {
    const { contract } = await requireSite(ports.sites, caller, signal)
    const { tenant } = caller
    const warmed: { url: string; status: number }[] = []
    const skipped: { url: string; why: string }[] = []
    const queue = [...new Set(urls)]
    async function work(): Promise<void> {
      for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
        const why = await reasonToSkip(url)
        if (why !== undefined) skipped.push({ url, why })
        else warmed.push({ url, ...(await ports.reader.warm({ tenant, url }, signal)) })
      }
    }
    async function reasonToSkip(url: string): Promise<string | undefined> {
      if (!contract.origins.includes(new URL(url).origin)) return 'not a page of the site'
      const request = { tenant, url, userAgent: 'SurehandBot' }
      const { allowed } = await ports.reader.robots(request, signal)
      return allowed ? undefined : 'forbidden by robots.txt'
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    const inOrder = (left: { url: string }, right: { url: string }): number =>
      urls.indexOf(left.url) - urls.indexOf(right.url)
    return {
      warmed: warmed.toSorted(inOrder),
      skipped: skipped.toSorted(inOrder),
      prefetch: contract.speculationRules,
    }
  },
})
