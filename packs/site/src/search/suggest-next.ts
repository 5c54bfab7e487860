import { defineTool } from '@surehand/core'
import { z } from 'zod'
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

type Context = 'catalog' | 'blog' | 'docs'

const WORDS: Readonly<Record<string, Readonly<Record<Context, (title: string) => string>>>> = {
  en: {
    catalog: (title) => `Look at ${title}`,
    blog: (title) => `Read “${title}”`,
    docs: (title) => `How it works: ${title}`,
  },
  de: {
    catalog: (title) => `${title} ansehen`,
    blog: (title) => `„${title}“ lesen`,
    docs: (title) => `So geht es: ${title}`,
  },
  fr: {
    catalog: (title) => `Voir ${title}`,
    blog: (title) => `Lire « ${title} »`,
    docs: (title) => `Comment faire : ${title}`,
  },
  es: {
    catalog: (title) => `Ver ${title}`,
    blog: (title) => `Leer «${title}»`,
    docs: (title) => `Cómo funciona: ${title}`,
  },
}

/** The language of a locale, if follow-ups are known in it; otherwise English. */
function languageOf(locale: string | undefined): string {
  const language = locale?.split('-')[0]?.toLowerCase() ?? 'en'
  return language in WORDS ? language : 'en'
}

/** A follow-up about a page, in the visitor's language. */
function followUpWords(language: string, context: Context, title: string): string {
  const words = WORDS[language] ?? WORDS.en
  return words === undefined ? title : words[context](title)
}
