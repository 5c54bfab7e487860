import type { Edge } from './authenticate.ts'
import { paceWork } from './fair-turns.ts'
import type { RemoteClient } from './remote-address.ts'

// Larger bodies are rare. Each part of this size counts as one further request of its token, since
// reading and parsing it takes as long.
const PART_BYTES = 65_536

type Sender = Pick<RemoteClient, 'header'>
type Limits = Pick<Edge, 'tokenLimiter' | 'listings'>

/**
 * Counts the body of a request against the limit of its token, by the length that it announces:
 * before it is read, so that bodies which arrive at the same time all count. One that is larger
 * than `maxBytes` is refused unread and costs nothing.
 */
export function chargeBody(
  request: Sender,
  { maxBytes, credential }: { readonly maxBytes: number; readonly credential: string },
  { tokenLimiter }: Limits,
): void {
  const bytes = Number(request.header('content-length') ?? 0)
  if (bytes <= maxBytes) charge(bytes, credential, tokenLimiter)
}

/**
 * How a body that has arrived is worked on: a large one in parts of a few milliseconds, one part in
 * a turn of the event loop, the tokens in turn; undefined for others. A body in chunks, whose length
 * was not announced, is counted here.
 */
export function paceBody(
  request: Sender,
  { bytes, credential }: { readonly bytes: number; readonly credential: string },
  { tokenLimiter, listings }: Limits,
): ReturnType<typeof paceWork> | undefined {
  if (bytes < PART_BYTES) return undefined
  if (request.header('content-length') === undefined) charge(bytes, credential, tokenLimiter)
  return paceWork((order) => listings.next(credential, { order }))
}

/** A job and the message of its end take as long as several calls, and count as so many requests. */
const NOTICE_COST = 3

/** Counts a call whose end is sent to a webhook. */
export function chargeNotice(
  credential: string,
  { tokenLimiter }: Pick<Limits, 'tokenLimiter'>,
): void {
  tokenLimiter.charge(credential, NOTICE_COST)
}

function charge(bytes: number, credential: string, tokenLimiter: Limits['tokenLimiter']): void {
  const parts = Math.floor(bytes / PART_BYTES)
  if (parts > 0) tokenLimiter.charge(credential, parts)
}
