import { definePort } from '@surehand/core'
import { z } from 'zod'
import type { SearchContext } from '../travel-context.ts'

/** One page that a search found. */
export const WebResult = z.object({
  url: z.string(),
  title: z.string().optional(),
  snippet: z.string().optional(),
  /** When it was published, as the search engine says it. */
  publishedAt: z.string().optional(),
  source: z.string().optional().describe('The site or the index that it comes from.'),
})
export type WebResult = z.output<typeof WebResult>

export type WebSearchQuery = SearchContext & {
  readonly query: string
  readonly limit: number
  /** A provider with a cache of its own must not answer from it. */
  readonly fresh: boolean
}

export type WebSearchAnswer = {
  readonly results: readonly WebResult[]
  /** `firecrawl`, or what else supplied the results. */
  readonly provider: string
}

/**
 * Searches the web. A provider that cannot search throws `TOOL_EXTERNAL_SERVICE_ERROR`: an empty
 * list means that nothing was found.
 */
export type WebSearchPort = {
  readonly search: (query: WebSearchQuery, signal: AbortSignal) => Promise<WebSearchAnswer>
}

export const webSearchPort = definePort<WebSearchPort>('travelWebSearch', { search: 'read' })
