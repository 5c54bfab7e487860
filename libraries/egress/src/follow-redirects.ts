import type { Clock } from '@surehand/core/ports'
import { type Deadline, raceWithSignal, startDeadline } from './deadline.ts'
import { accessDenied, toEgressError } from './egress-errors.ts'
import type { EgressLimits } from './limits.ts'
import { checkAddresses, checkTarget, type EgressPolicy } from './policy.ts'
import type { Pools } from './pools.ts'
import type { EgressRequest, OutgoingRequest } from './request.ts'
import { type Resolve, requireAddress } from './resolve.ts'
import type { EgressResponseStream } from './response.ts'
import { decodeBody } from './response.ts'
import { type ResponseHead, send } from './send.ts'
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

/** What all requests of one redirect chain share. */
export type RequestContext = {
  readonly request: EgressRequest
  readonly policy: EgressPolicy
  readonly limits: EgressLimits
  readonly deadline: Deadline
  readonly clock: Clock
  readonly resolve: Resolve
  readonly pools: Pools
}

const MAX_DRAINED_BYTES = 64 * 1024

/** Sends a request and follows its redirects. Each target is checked like the first. */
export async function followRedirects(
  first: OutgoingRequest,
  trip: RequestContext,
): Promise<EgressResponseStream> {
  let outgoing = first
  let head: ResponseHead | undefined
  let hasLeft = false
  const onFirstByte = () => {
    hasLeft = true
  }
  try {
    for (let redirects = 0; ; redirects++) {
      head = await sendOnce(outgoing, trip, onFirstByte)
      const next = trip.request.redirect === 'stop' ? undefined : nextRequest(outgoing, head)
      if (next === undefined) return toResponseStream(outgoing, head, trip)
      if (redirects >= trip.limits.maxRedirects) throw tooManyRedirects(first, trip.limits)
      await drainBody(head)
      outgoing = next
    }
  } catch (thrown) {
    head?.wire.destroy()
    throw toEgressError(thrown, {
      where: formatTarget(outgoing.target),
      effect: hasLeft ? 'possible' : 'none',
      ...(head === undefined ? {} : { redirectedFrom: formatTarget(first.target) }),
    })
  }
}

// The addresses that are checked here are the ones connected to; there is no second lookup in which
// they could change.
async function sendOnce(
  outgoing: OutgoingRequest,
  trip: RequestContext,
  onFirstByte: () => void,
): Promise<ResponseHead> {
  const { url, host, port, isAddress } = outgoing.target
  const { clock, limits, pools, request } = trip
  const addresses = await findAddresses(outgoing.target, trip)
  const { signal } = trip.deadline
  // The connection of a response that has just ended is free one turn later; without the wait a
  // second one would be opened.
  await new Promise((resolve) => setImmediate(resolve))
  signal.throwIfAborted()
  const route = {
    origin: url.origin,
    addresses,
    host,
    port,
    isAddress,
    isSecure: url.protocol === 'https:',
  }
  return send(pools.poolFor(request.tenant, route), outgoing, {
    clock,
    signal,
    headersMs: limits.headersMs,
    onFirstByte,
  })
}

async function findAddresses(
  target: Target,
  { clock, limits, policy, resolve, deadline }: RequestContext,
): Promise<readonly string[]> {
  const reach = checkTarget(target, policy)
  if (target.isAddress) return checkAddresses(target, reach, [target.host])
  const limit = startDeadline({
    clock,
    limitMs: limits.connectMs,
    failure: 'could not be resolved',
    signal: deadline.signal,
  })
  try {
    const found = await raceWithSignal(resolve(target.host, limit.signal), limit.signal)
    return checkAddresses(target, reach, requireAddress(found, target.host))
  } finally {
    limit.end()
  }
}

function toResponseStream(
  outgoing: OutgoingRequest,
  head: ResponseHead,
  { limits, deadline }: RequestContext,
): EgressResponseStream {
  const where = formatTarget(outgoing.target)
  const headers = new Headers(head.headers)
  if (headers.has('content-encoding'))
    for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  async function* chunks() {
    try {
      yield* decodeBody(head, { ...limits, where })
    } catch (thrown) {
      throw toEgressError(thrown, { where, effect: 'possible' })
    } finally {
      deadline.end()
    }
  }
  function discard(): void {
    head.wire.destroy()
    deadline.end()
  }
  return {
    status: head.status,
    headers,
    url: outgoing.target.url.href,
    body: withDiscard(chunks(), discard),
    discard,
  }
}

// A generator that was never started runs no `finally` when it is left, so its connection would
// stay open.
function withDiscard<Item>(items: AsyncGenerator<Item>, discard: () => void): AsyncIterable<Item> {
  const iterator = {
    next: () => items.next(),
    return: () => {
      discard()
      return items.return(undefined)
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

// A short body is read so that the connection can be reused; for a long one the connection is
// closed.
async function drainBody({ wire }: ResponseHead): Promise<void> {
  let bytes = 0
  for await (const chunk of wire as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_DRAINED_BYTES) break
  }
}

function tooManyRedirects({ target }: OutgoingRequest, { maxRedirects }: EgressLimits): Error {
  return accessDenied({
    where: formatTarget(target),
    why: `it redirects more than ${maxRedirects} times`,
    todo: 'Use the final URL instead.',
  })
}
