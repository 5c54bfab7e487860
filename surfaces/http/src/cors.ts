import type { HttpRequest } from './http-request.ts'
import type { Surface } from './options.ts'

const ALLOWED_METHODS = 'GET, POST, PUT, DELETE'
const ALLOWED_HEADERS =
  'authorization, content-type, idempotency-key, if-match, prefer, surehand-notify, surehand-repeat, x-request-id'
const EXPOSED_HEADERS =
  'location, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after'

/**
 * The headers that let pages of a configured origin read the response; undefined for every other
 * request.
 */
export function corsHeaders(
  request: HttpRequest,
  { corsOrigins }: Surface,
): Readonly<Record<string, string>> | undefined {
  const origin = request.header('origin')
  if (origin === undefined || !corsOrigins.has(origin)) return undefined
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-expose-headers': EXPOSED_HEADERS,
    'access-control-max-age': '600',
    vary: 'Origin',
  }
}
