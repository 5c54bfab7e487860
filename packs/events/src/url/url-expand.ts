import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { pagesPort } from './pages-port.ts'

const Facts = z.record(z.string(), z.unknown())

export const urlExpand = defineTool({
  id: 'url.expand',
  title: 'Read the metadata of a link',
  category: 'integration',
  description:
    'The metadata of the page behind a link: title, description, picture and site, from oEmbed and Open Graph. If the page cannot be read, only the site is returned: continue with the link as it is.',
  aliases: ['UrlExpand', 'url_expand'],
  input: z.object({
    url: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).max(2_000),
  }),
  output: z.object({
    title: z.string().optional(),
    description: z.string().optional(),
    imageUrl: z.string().optional(),
    siteName: z.string().optional(),
    oEmbed: Facts.optional(),
    openGraph: Facts.optional(),
  }),
  contract: {
    effect: 'read',
    timeout: '10s',
    retries: 1,
    fallback: ({ input }) => ({ siteName: new URL(input.url).hostname }),
  },
  ports: { pages: pagesPort },
  examples: [{ name: 'a page', input: { url: 'https://example.com/events/summer-concert' } }],
  execute: async ({ input, caller, ports, signal }) => {
    const { title, description, imageUrl, siteName, oEmbed, openGraph } = await ports.pages.expand(
      { tenant: caller.tenant, url: input.url },
      signal,
    )
    return { title, description, imageUrl, siteName, oEmbed, openGraph }
  },
})
