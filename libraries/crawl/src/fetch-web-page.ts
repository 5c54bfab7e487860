import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import { canonicalUrl } from './canonical-url.ts'
import type { Fetch, FetchedText } from './fetch-text.ts'
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

/** The canonical form of a URL from a caller, or an error that says what is wrong with it. */
export function requireUrl(url: string): string {
  const canonical = canonicalUrl(url)
  if (canonical !== undefined) return canonical
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    'The address is not an http or https URL without a password. Give the address of a web page.',
    { effect: 'none' },
  )
}

/** The error for a page that robots.txt does not allow. */
export function robotsError(url: string): ToolError {
  const { host, pathname } = new URL(url)
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `robots.txt of ${host} does not allow programs to read ${pathname}, or it cannot be read now. The page was not read. Use another source.`,
    { effect: 'none', details: { source_code: 'robots_disallowed' } },
  )
}

/** The error for a page that was asked for by its address and could not be read. */
export function notReadError(
  url: string,
  fetched: Exclude<FetchedText, { kind: 'text' }>,
): ToolError {
  const { host } = new URL(url)
  if (fetched.kind === 'redirect')
    return new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `${host} redirects this page to an address that cannot be followed. Use the final address.`,
    )
  const { status, retryAfterMs, cause } = fetched
  switch (fetched.reason) {
    case 'status':
      return fromProviderStatus(status ?? 0, `${host} answered with the status ${status}.`, {
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      })
    case 'media_type':
      return new ToolError(
        'TOOL_INVALID_FIELD_VALUE',
        `The address leads to a file of the type ${fetched.mediaType}, not to a page. Give the address of a page.`,
        { effect: 'none' },
      )
    case 'unreachable':
    case 'unreadable':
      return isToolError(cause) ? cause : fromNetworkFailure(cause, host)
  }
}
