import { isToolError, ToolError } from '@surehand/core'
import { errorRow, fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import type { z } from 'zod'

export type Fetch = typeof globalThis.fetch

export type JsonRequest = {
  /** The vendor's name, for messages. */
  readonly vendor: string
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal: AbortSignal
}

const MAX_MESSAGE_CHARACTERS = 300

/**
 * Sends a request to a vendor and parses its JSON response. Every failure is a `ToolError` with a
 * code of the error table; an abort is rethrown as it is.
 */
export async function sendJson<S extends z.ZodType>(
  fetch: Fetch,
  request: JsonRequest,
  answer: S,
): Promise<z.output<S>> {
  const { vendor, url, method = 'GET', headers = {}, body, signal } = request
  const response = await sendRequest(fetch, vendor, url, {
    method,
    signal,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await readText(response, vendor)
  if (!response.ok) throw statusError(vendor, response, text)
  return parseAnswer(vendor, text, answer)
}

async function sendRequest(
  fetch: Fetch,
  vendor: string,
  url: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (thrown) {
    throw isToolError(thrown) || isAbort(thrown) ? thrown : fromNetworkFailure(thrown, vendor)
  }
}

async function readText(response: Response, vendor: string): Promise<string> {
  try {
    return await response.text()
  } catch (thrown) {
    throw isToolError(thrown) || isAbort(thrown) ? thrown : fromNetworkFailure(thrown, vendor)
  }
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'TimeoutError')
}

function statusError(vendor: string, response: Response, text: string): ToolError {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return fromProviderStatus(
    response.status,
    `${vendor} answered with the status ${response.status}: ${errorMessageIn(text)}`,
    {
      ...(Number.isFinite(retryAfter) ? { retryAfterMs: retryAfter * 1000 } : {}),
    },
  )
}

// The shapes of vendors: Google's { error: { message } }, { error }, Duffel's { errors: [{ message }] },
// PostgREST's { message }. Other bodies are cut to a short text.
type ErrorBody = {
  readonly error?: { readonly message?: unknown } | string
  readonly errors?: readonly { readonly message?: unknown }[]
  readonly message?: unknown
}

function errorMessageIn(text: string): string {
  try {
    const { error, errors, message: own } = JSON.parse(text) as ErrorBody
    const message =
      typeof error === 'string' ? error : (error?.message ?? errors?.[0]?.message ?? own)
    if (typeof message === 'string') return message.slice(0, MAX_MESSAGE_CHARACTERS)
  } catch {
    // Not JSON: the text itself is the message.
  }
  return text.trim() === '' ? 'the response has no body.' : text.slice(0, MAX_MESSAGE_CHARACTERS)
}

function parseAnswer<S extends z.ZodType>(vendor: string, text: string, answer: S): z.output<S> {
  const parsed = answer.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `${vendor} sent a response that cannot be read.`,
    {
      effect: 'possible',
      cause: parsed.error,
    },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * For a read whose tool has a fallback: rethrows a refusal by the vendor (an invalid key, an
 * unknown resource) as `TOOL_EXTERNAL_SERVICE_ERROR`, so that the fallback answers. A refusal by
 * our own egress is rethrown unchanged: a blocked address must not look like a vendor's failure.
 *
 * @example
 * const answer = await sendJson(fetchFor(tenant), request, Answer).catch(asServiceError)
 */
export function asServiceError(thrown: unknown): never {
  if (!isToolError(thrown) || !isPermanent(thrown) || !isFromVendor(thrown)) throw thrown
  throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', thrown.message, {
    cause: thrown,
    details: thrown.details ?? {},
  })
}

function isPermanent({ code }: ToolError): boolean {
  return errorRow(code).status === 'failed' && !errorRow(code).retryable
}

// Only errors made from a vendor's response have a `provider_status`.
function isFromVendor({ code, details }: ToolError): boolean {
  return code === 'TOOL_RESOURCE_NOT_FOUND' || details?.provider_status !== undefined
}
