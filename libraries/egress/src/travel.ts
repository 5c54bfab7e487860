import type { Clock } from '@surehand/core/ports'
import type { EgressStream } from './answer.ts'
import { decoded } from './decode.ts'
import type { EgressLimits } from './limits.ts'
import { type Patience, patience, unlessHalted } from './patience.ts'
import { admitAddresses, admitTarget, type EgressPolicy } from './policy.ts'
import type { Pools } from './pools.ts'
import { followUp } from './redirect.ts'
import { refusal } from './refusal.ts'
import type { EgressRequest, Outgoing } from './request.ts'
import { type Resolve, someAddress } from './resolve.ts'
import { type Head, send } from './send.ts'
import { type Target, whereOf } from './target.ts'
import { troubleOf } from './trouble.ts'

/** What is true of all hops of one request. */
export type Trip = {
  readonly request: EgressRequest
  readonly policy: EgressPolicy
  readonly limits: EgressLimits
  readonly whole: Patience
  readonly clock: Clock
  readonly resolve: Resolve
  readonly pools: Pools
}

const MAX_DRAINED = 64 * 1024

/** Goes from redirect to redirect until an answer comes; each hop is judged like the first. */
export async function travel(first: Outgoing, trip: Trip): Promise<EgressStream> {
  let outgoing = first
  let head: Head | undefined
  let hasLeft = false
  const onLeave = () => {
    hasLeft = true
  }
  try {
    for (let redirects = 0; ; redirects++) {
      head = await hop(outgoing, trip, onLeave)
      const next = trip.request.redirect === 'stop' ? undefined : followUp(outgoing, head)
      if (next === undefined) return answered(outgoing, head, trip)
      if (redirects >= trip.limits.maxRedirects) throw tooManyRedirects(first, trip.limits)
      await drained(head)
      outgoing = next
    }
  } catch (thrown) {
    head?.wire.destroy()
    throw troubleOf(thrown, {
      where: whereOf(outgoing.target),
      effect: hasLeft ? 'possible' : 'none',
      ...(head === undefined ? {} : { cameFrom: whereOf(first.target) }),
    })
  }
}

// what is looked up here is what is connected to, and nobody looks again
async function hop(outgoing: Outgoing, trip: Trip, onLeave: () => void): Promise<Head> {
  const { url, host, port, isAddress } = outgoing.target
  const { clock, limits, pools, request } = trip
  const addresses = await addressesOf(outgoing.target, trip)
  const { signal } = trip.whole
  // the connection of an answer that has just ended is free a turn later; without the wait a second one would be opened
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
  return send(pools.along(request.tenant, route), outgoing, {
    clock,
    signal,
    headersMs: limits.headersMs,
    onLeave,
  })
}

async function addressesOf(
  target: Target,
  { clock, limits, policy, resolve, whole }: Trip,
): Promise<readonly string[]> {
  const reach = admitTarget(target, policy)
  if (target.isAddress) return admitAddresses(target, reach, [target.host])
  const limit = patience({
    clock,
    limitMs: limits.connectMs,
    failing: 'could not be looked up',
    signal: whole.signal,
  })
  try {
    const found = await unlessHalted(resolve(target.host, limit.signal), limit.signal)
    return admitAddresses(target, reach, someAddress(found, target.host))
  } finally {
    limit.end()
  }
}

function answered(outgoing: Outgoing, head: Head, { limits, whole }: Trip): EgressStream {
  const where = whereOf(outgoing.target)
  const headers = new Headers(head.headers)
  if (headers.has('content-encoding'))
    for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  async function* chunks() {
    try {
      yield* decoded(head, { ...limits, where })
    } catch (thrown) {
      throw troubleOf(thrown, { where, effect: 'possible' })
    } finally {
      whole.end()
    }
  }
  function discard(): void {
    head.wire.destroy()
    whole.end()
  }
  return {
    status: head.status,
    headers,
    url: outgoing.target.url.href,
    body: leavable(chunks(), discard),
    discard,
  }
}

// a generator that was never begun runs no `finally` when it is left, and its connection would be held
function leavable<Item>(items: AsyncGenerator<Item>, discard: () => void): AsyncIterable<Item> {
  const iterator = {
    next: () => items.next(),
    return: () => {
      discard()
      return items.return(undefined)
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

// a short body is read so that the connection can be used again, a long one costs it
async function drained({ wire }: Head): Promise<void> {
  let bytes = 0
  for await (const chunk of wire as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_DRAINED) break
  }
}

function tooManyRedirects({ target }: Outgoing, { maxRedirects }: EgressLimits): Error {
  return refusal({
    where: whereOf(target),
    why: `it redirects more than ${maxRedirects} times`,
    todo: 'Send the URL it ends at.',
  })
}
