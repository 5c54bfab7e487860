import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import { canonicalUrl } from './canonical-url.ts'
import type { FetchedText } from './fetch-text.ts'

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
