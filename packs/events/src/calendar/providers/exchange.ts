import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'

export type Exchange = { readonly status: number; readonly headers: Headers; readonly text: string }
export type Sending = {
  readonly fetch: typeof globalThis.fetch
  /** Who is asked, as a person calls them. */
  readonly provider: string
  readonly url: string
  readonly init: RequestInit
}

/**
 * Sends a request and reads the whole answer; what goes wrong on the way is an error of the table.
 */
export async function exchange({ fetch: send, provider, url, init }: Sending): Promise<Exchange> {
  try {
    const response = await send(url, init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (thrown) {
    throw isToolError(thrown) ? thrown : fromNetworkFailure(thrown, provider)
  }
}

const MOST_WAIT_MS = 3_600_000

/**
 * A status that is no success, as an error of the table; with how long to wait where the provider
 * said it in seconds.
 */
export function refusalOf({ status, headers }: Exchange, message: string): ToolError {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const details =
    Number.isFinite(seconds) && seconds >= 0
      ? { retry_after_ms: Math.min(seconds * 1000, MOST_WAIT_MS) }
      : {}
  return fromProviderStatus(status, message, details)
}

/** The effect may have happened: an unreadable answer proves nothing. */
export function unreadable(provider: string, cause: unknown): ToolError {
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${provider} answered something unreadable.`,
    { effect: 'possible', cause },
  )
}
