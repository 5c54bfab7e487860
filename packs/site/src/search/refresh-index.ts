import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { backgroundGates } from '../siteops/siteops-contract.ts'
import { operatorOnly } from '../write-request.ts'
import { siteCrawler } from './crawler-port.ts'

export const refreshIndex = defineTool({
  id: 'site.refresh_index',
  title: 'Refresh the search index',
  category: 'site',
  description:
    "Reads the pages of the site's sitemap that are new or have changed into the search index, as robots.txt allows. Runs every hour by itself, never while a visitor waits.",
  input: z.object({ maxPages: z.int().min(1).max(20_000).default(10_000) }),
  output: z.object({
    read: z.int(),
    unchanged: z.int(),
    removed: z.int(),
    forbidden: z.int(),
    problems: z.array(z.string()),
  }),
  contract: {
    ...operatorOnly,
    effect: 'writes.index',
    reversible: true,
    idempotency: 'caller',
    latencyBudget: '60s',
    timeout: '15m',
    gates: backgroundGates,
  },
  ports: { crawler: siteCrawler },
  examples: [
    { name: 'everything', input: {} },
    { name: 'at most 100 pages', input: { maxPages: 100 } },
  ],
  execute: async ({ input: { maxPages }, caller, ports, idempotencyKey, signal }) => {
    const { tenant } = caller
    const report = await ports.crawler.refresh({ tenant, maxPages, idempotencyKey }, signal)
    return { ...report, problems: [...report.problems] }
  },
})
