import { Buffer } from 'node:buffer'
import type { ToolError } from '@surehand/core'
import {
  type EdgeRequest,
  type FastPathResponse,
  httpStatusOf,
  rateLimitHeaders,
  readBearerToken,
  retryAfterSeconds,
} from '@surehand/edge'
import { challenge, type McpHttpOptions } from './http-options.ts'

const REFUSED = -32_000

/** A refusal as a JSON-RPC error. */
export function writeRefusal(
  status: number,
  message: string,
  {
    data,
    headers,
  }: { readonly data?: object; readonly headers?: FastPathResponse['headers'] } = {},
): FastPathResponse {
  const error = { code: REFUSED, message, ...(data === undefined ? {} : { data }) }
  const text = JSON.stringify({ jsonrpc: '2.0', id: null, error })
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    },
    text,
  }
}

/** The refusal where an exception is no error of the edge: its text may contain secrets. */
export function refuseUnexpected(): FastPathResponse {
  return writeRefusal(500, 'Something unexpected failed on the server.')
}

/** An error of the edge as a JSON-RPC error, with the headers that tell a client what to do. */
export function toRefusal(
  error: ToolError,
  request: Pick<EdgeRequest, 'header'>,
  options: McpHttpOptions,
): FastPathResponse {
  const { message, code, details = {} } = error
  const status = mcpStatusOf(error)
  const seconds = retryAfterSeconds(error)
  const headers = {
    ...(status === 401
      ? { 'www-authenticate': challenge(options, readBearerToken(request)) }
      : undefined),
    // The rest of the body is not read, and must not be taken for the next request.
    ...(status === 408 || status === 413 ? { connection: 'close' } : undefined),
    ...limitHeaders(details),
    ...(seconds === undefined ? undefined : { 'retry-after': String(seconds) }),
  }
  return writeRefusal(status, message, { data: { code, ...details }, headers })
}

function limitHeaders({
  limit,
  retry_after_ms: afterMs,
}: NonNullable<ToolError['details']>): FastPathResponse['headers'] | undefined {
  if (typeof limit !== 'number' || typeof afterMs !== 'number') return undefined
  return rateLimitHeaders({ limit, remaining: 0, resetSeconds: Math.ceil(afterMs / 1_000) })
}

// MCP clients and the SDK's own host check know 403 for a foreign host, where HTTP clients get 421.
function mcpStatusOf(error: ToolError): number {
  const status = httpStatusOf(error)
  return status === 421 ? 403 : status
}
