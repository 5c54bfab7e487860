import { accessDenied } from './egress-errors.ts'
import type { OutgoingRequest } from './request.ts'
import { formatTarget, readTarget, type Target } from './target.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

// The headers that are sent to another origin. A list of headers to remove would leak every
// credential it does not name.
const CROSS_ORIGIN_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-language',
  'content-type',
  'idempotency-key',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
])

/** The request that a redirect leads to, or undefined where the response is not a redirect. */
export function nextRequest(
  outgoing: OutgoingRequest,
  { status, headers }: { readonly status: number; readonly headers: Headers },
): OutgoingRequest | undefined {
  const location = headers.get('location')
  if (!REDIRECTS.has(status) || location === null) return undefined
  // Servers write UTF-8 into the header, which Node decodes as Latin-1.
  const text = Buffer.from(location, 'latin1').toString('utf8')
  if (!URL.canParse(text, outgoing.target.url.href)) throw invalidLocation(outgoing.target)
  const target = readTarget(text, outgoing.target.url)
  const next = { ...rewriteMethod(outgoing, status), target }
  if (target.url.origin === outgoing.target.url.origin) return next
  if (outgoing.target.url.protocol === 'https:' && target.url.protocol === 'http:')
    refuseDowngrade(next, outgoing.target)
  return {
    ...next,
    headers: new Map(
      [...next.headers].filter(
        ([name]) => CROSS_ORIGIN_HEADERS.has(name) && !next.credentials.has(name),
      ),
    ),
  }
}

function invalidLocation(from: Target): Error {
  return accessDenied({
    where: formatTarget(from),
    why: 'it redirects to an invalid URL',
    todo: 'Use the final URL instead.',
  })
}

// As browsers do: after a POST, the page with the result is fetched with GET.
function rewriteMethod(outgoing: OutgoingRequest, status: number): OutgoingRequest {
  const { method } = outgoing
  const turns =
    status === 303
      ? method !== 'GET' && method !== 'HEAD'
      : (status === 301 || status === 302) && method === 'POST'
  if (!turns) return outgoing
  const headers = new Map([...outgoing.headers].filter(([name]) => !name.startsWith('content-')))
  return { ...outgoing, method: 'GET', headers, body: undefined }
}

function refuseDowngrade(next: OutgoingRequest, from: Target): void {
  const isBare =
    next.body === undefined && ![...next.headers.keys()].some((name) => next.credentials.has(name))
  if (isBare) return
  throw accessDenied({
    where: formatTarget(next.target),
    why: `${formatTarget(from)} redirects there from https to http, and the request has credentials or a body`,
    todo: 'Use an https URL.',
  })
}
