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

export const embedPages = defineTool({
  id: 'site.embed_pages',
  title: 'Compute the meaning of pages',
  category: 'site',
  description:
    'Computes the meaning of English pages that are new or have changed, so that a search finds them by other words too. Runs every five minutes by itself; does nothing where the model is not installed.',
  input: z.object({
    maxPages: z.int().min(1).max(2_000).default(200).describe('A page takes about 50 ms of CPU.'),
  }),
  output: z.object({ embedded: z.int(), left: z.int() }),
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
    { name: 'some', input: {} },
    { name: 'at most 20 pages', input: { maxPages: 20 } },
  ],
  execute: async ({ input: { maxPages }, caller, ports, idempotencyKey, signal }) => {
    const { tenant } = caller
    const { embedded, left } = await ports.crawler.embed(
      { tenant, maxPages, idempotencyKey },
      signal,
    )
    return { embedded, left }
  },
})
