import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'

export type HttpResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}
export type HttpRequest = {
  readonly fetch: typeof globalThis.fetch
  /** The name of the provider, for messages. */
  readonly provider: string
  readonly url: string
  readonly init: RequestInit
}

/** Sends a request and reads the whole response; a failed connection is a `ToolError`. */
export async function sendRequest({
  fetch: send,
  provider,
  url,
  init,
}: HttpRequest): Promise<HttpResponse> {
  try {
    const response = await send(url, init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (thrown) {
    throw isToolError(thrown) ? thrown : fromNetworkFailure(thrown, provider)
  }
}

const MAX_RETRY_AFTER_MS = 3_600_000

/** The `ToolError` for an error status, with the delay that the provider asks for in seconds. */
export function statusError({ status, headers }: HttpResponse, message: string): ToolError {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const details =
    Number.isFinite(seconds) && seconds >= 0
      ? { retry_after_ms: Math.min(seconds * 1000, MAX_RETRY_AFTER_MS) }
      : {}
  return fromProviderStatus(status, message, details)
}

/** The effect may have happened: an unreadable answer does not tell. */
export function unreadableAnswer(provider: string, cause: unknown): ToolError {
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${provider} sent a response that cannot be read.`,
    { effect: 'possible', cause },
  )
}
