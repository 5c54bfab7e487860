import { ToolError } from '@surehand/core'
import type { WebSearchPort } from '../web-search-port.ts'

/** Where no search engine is configured: it says so, instead of results that nothing supports. */
export function noWebSearch(): WebSearchPort {
  return {
    async search() {
      throw new ToolError(
        // Not a failure of a service: the circuit breaker would replace this message by its own.
        'TOOL_CONFIGURATION_ERROR',
        'No web search is configured, so nothing was searched. Use travel.crawlUrl for a page whose address is known. An administrator can set FIRECRAWL_API_KEY.',
        {
          effect: 'none',
          details: { source_code: 'not_configured', engine: 'none' },
          suggestions: ['Read a page whose address is known with travel.crawlUrl.'],
        },
      )
    },
  }
}
