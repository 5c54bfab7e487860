import { defineTool } from '@surehand/core'
import { Filter, PageCursor, Query } from '@surehand/documents'
import { z } from 'zod'
import { siteSearch as siteSearchPort } from './search-port.ts'

export const siteSearch = defineTool({
  id: 'search.siteSearch',
  title: 'Search the site',
  category: 'search',
  description:
    'Searches the pages of the site: products, articles, help. Each result has a link to the page and a score. Filters limit the results by fields such as price (minor units), colour, kind or language.',
  input: z.object({
    query: Query,
    filters: z.array(Filter).max(20).optional(),
    page: PageCursor.optional(),
  }),
  output: z.object({
    items: z.array(
      z.object({
        title: z.string(),
        snippet: z.string(),
        url: z.string(),
        score: z.number(),
        productId: z.string().optional(),
      }),
    ),
    nextPage: PageCursor.optional(),
    missing: z
      .array(z.string())
      .optional()
      .describe('Sources that did not answer: there may be more to find.'),
  }),
  contract: {
    effect: 'none',
    auth: 'none',
    latencyBudget: '350ms',
    timeout: '3s',
    retries: 0,
    // Short: an answer that lacks a source must not stay for long.
    cache: { ttl: '15s', shared: true },
  },
  ports: { search: siteSearchPort },
  examples: [
    {
      name: 'roses under 40 euros',
      input: { query: 'red roses', filters: [{ field: 'price', op: 'lte', value: 4000 }] },
    },
    { name: 'a question', input: { query: 'how long do cut roses last?' } },
  ],
  execute: async ({ input: { query, filters = [], page }, caller, ports, signal }) => {
    const found = await ports.search.search(
      { tenant: caller.tenant, query, filters, page, locale: undefined },
      signal,
    )
    return {
      items: found.items.map(({ productId, ...item }) => ({
        ...item,
        ...(productId === undefined ? {} : { productId }),
      })),
      ...(found.nextPage === undefined ? {} : { nextPage: found.nextPage }),
      ...(found.missing.length === 0 ? {} : { missing: [...found.missing] }),
    }
  },
})
