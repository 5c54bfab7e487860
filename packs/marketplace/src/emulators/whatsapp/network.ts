import type { EmulatorReply, EmulatorRequest } from '@surehand/testing'
import { errorReply, type GraphError, graphError } from './graph-error.ts'
import type { WhatsAppState } from './whatsapp-state.ts'

/** What the routes of the emulator share. */
export type Network = {
  readonly state: WhatsAppState
  readonly now: () => number
  readonly newMessageId: () => string
  readonly newCallId: () => string
  readonly newMediaId: () => string
  readonly limiter: Limiter
  /** A reply that refuses the request, or undefined where its token and its number are right. */
  readonly authorize: (request: EmulatorRequest) => EmulatorReply | undefined
  readonly files: MediaFiles
}

/** The bytes of media. They are stored before the record that names them. */
export type MediaFiles = {
  readonly write: (id: string, bytes: Uint8Array) => void
  readonly read: (id: string) => Uint8Array | undefined
}

/** Meta's limits of messages: for the business, and for each pair of business and phone. */
export type Limiter = { readonly take: (phone: string) => GraphError | undefined }

// A burst to one phone is paid back with one message in six seconds.
const PAIR_REFILL_MS = 6_000

export function createLimiter(state: WhatsAppState, now: () => number): Limiter {
  let second = 0
  let inSecond = 0
  const pairs = new Map<string, { tokens: number; atMs: number }>()
  return {
    take(phone) {
      const { messagesPerSecond, burstPerPhone } = state.settings
      const atMs = now()
      if (Math.floor(atMs / 1_000) !== second) {
        second = Math.floor(atMs / 1_000)
        inSecond = 0
      }
      if (inSecond >= messagesPerSecond)
        return graphError('rateLimit', 'Cloud API message throughput has been reached.')
      const pair = pairs.get(phone) ?? { tokens: burstPerPhone, atMs }
      const tokens = Math.min(
        burstPerPhone,
        pair.tokens + Math.max(0, atMs - pair.atMs) / PAIR_REFILL_MS,
      )
      if (tokens < 1)
        return graphError(
          'pairRateLimit',
          'Too many messages sent from this phone number to the same phone number in a short period of time.',
        )
      inSecond += 1
      pairs.set(phone, { tokens: tokens - 1, atMs })
      return undefined
    },
  }
}

/** Checks the token, and the number where the path has one. */
export function createAuthorize(state: WhatsAppState): Network['authorize'] {
  return ({ headers, params, method }) => {
    const { accessToken, phoneNumberId } = state.settings
    if (headers.authorization !== `Bearer ${accessToken}`)
      return errorReply(graphError('invalidToken', 'Cannot parse access token.'))
    if (params.phoneNumberId !== undefined && params.phoneNumberId !== phoneNumberId)
      return errorReply(
        graphError(
          'invalidParameter',
          `Unsupported ${method.toLowerCase()} request. Object with ID '${params.phoneNumberId}' does not exist.`,
        ),
      )
    return undefined
  }
}
