import { ToolError } from '@surehand/core'
import { canonicalUrl } from './canonical-url.ts'
import type { Fetch } from './fetch-text.ts'
import { notReadError, requireUrl, robotsError } from './page-errors.ts'
import type { WebPage } from './read-page.ts'
import { DEFAULT_USER_AGENT, fetchPage, fetchRobots } from './site-access.ts'

const MAX_ORIGINS = 5

export type FetchWebPageOptions = {
  /** A `fetch` that goes through egress. */
  readonly fetch: Fetch
  readonly signal: AbortSignal
  readonly userAgent?: string
  readonly maxBytes?: number
}

/**
 * Reads one page. Redirects are followed, also to other sites; robots.txt of every site on the way
 * is obeyed.
 *
 * @example
 * const page = await fetchWebPage('https://example.com/', { fetch: egressFetch, signal })
 */
export async function fetchWebPage(url: string, options: FetchWebPageOptions): Promise<WebPage> {
  const access = { userAgent: DEFAULT_USER_AGENT, ...options }
  let current = requireUrl(url)
  for (let origins = 0; origins < MAX_ORIGINS; origins++) {
    const robots = await fetchRobots(new URL(current).origin, access)
    if (!robots.isAllowed(current)) throw robotsError(current)
    const result = await fetchPage(current, { ...access, mayFetch: robots.isAllowed })
    if (result.kind === 'page') return result.page
    const { fetched } = result
    const target = fetched.kind === 'redirect' ? canonicalUrl(fetched.to ?? '') : undefined
    const leaves = target !== undefined && new URL(target).origin !== new URL(current).origin
    if (!leaves) throw notReadError(current, fetched)
    current = target
  }
  throw new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${new URL(url).host} redirects too often. Use the address of the final page.`,
  )
}

/** Throws where robots.txt does not allow the page, for readers that do not ask themselves. */
export async function requireAllowed(url: string, options: FetchWebPageOptions): Promise<void> {
  const canonical = requireUrl(url)
  const access = { userAgent: DEFAULT_USER_AGENT, ...options }
  const robots = await fetchRobots(new URL(canonical).origin, access)
  if (!robots.isAllowed(canonical)) throw robotsError(canonical)
}
