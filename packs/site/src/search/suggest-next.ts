import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { followUpWords, languageOf } from './follow-up-words.ts'
import { siteSearch as siteSearchPort } from './search-port.ts'

export const suggestNext = defineTool({
  id: 'search.suggestNext',
  title: 'Suggest what to do next',
  category: 'search',
  description:
    "Returns things that the visitor could look at next, as links with a short sentence in the visitor's language.",
  input: z.object({
    context: z.enum(['catalog', 'blog', 'docs']),
    max: z.int().min(1).max(10).optional().describe('How many; 3 if it is left out.'),
  }),
  output: z.object({
    language: z.string(),
    options: z.array(z.object({ label: z.string(), url: z.string() })),
  }),
  contract: { effect: 'none', auth: 'none', latencyBudget: '300ms', timeout: '3s', retries: 0 },
  ports: { search: siteSearchPort },
  examples: [
    { name: 'products', input: { context: 'catalog' } },
    { name: 'five articles', input: { context: 'blog', max: 5 } },
  ],
  execute: async ({ input: { context, max = 3 }, caller, ports, signal }) => {
    const language = languageOf(caller.locale)
    const pages = await ports.search.pages(
      { tenant: caller.tenant, kind: context, language, max },
      signal,
    )
    return {
      language,
      options: pages.map(({ title, url }) => ({
        label: followUpWords(language, context, title),
        url,
      })),
    }
  },
})
