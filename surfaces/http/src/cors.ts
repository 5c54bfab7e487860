import type { Surface } from './options.ts'
import type { Visit } from './visit.ts'

const METHODS = 'GET, POST, PUT, DELETE'
const SENT =
  'authorization, content-type, idempotency-key, if-match, prefer, surehand-notify, surehand-repeat, x-request-id'
const READ = 'location, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after'

/** What a browser must be told before a page of a listed origin may read the answer; undefined for everybody else. */
export function corsHeaders(
  visit: Visit,
  { corsOrigins }: Surface,
): Readonly<Record<string, string>> | undefined {
  const origin = visit.header('origin')
  if (origin === undefined || !corsOrigins.has(origin)) return undefined
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': SENT,
    'access-control-expose-headers': READ,
    'access-control-max-age': '600',
    vary: 'Origin',
  }
}
