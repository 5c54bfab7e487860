import { definePort, sameKey } from '@surehand/core'

/** A message that a tool sends. */
export type MessageOrder = {
  readonly tenant: string
  readonly requestId: string
  /** A vendor's id; without it the message goes to the client. */
  readonly vendorId?: string | undefined
  readonly text: string
  readonly options?: readonly string[] | undefined
  readonly by: 'user' | 'ai_agent' | 'system'
  readonly idempotencyKey: string
}

/** Without `provider_message_id` the message is queued and is sent by itself. */
export type MessageReceipt = {
  readonly provider_message_id?: string
  readonly outreach_id?: string
}

export type ConsentOrder = {
  readonly tenant: string
  readonly requestId: string
  readonly scope: string
  readonly reason: string
  readonly by: 'user' | 'ai_agent' | 'system'
  readonly idempotencyKey: string
}

export type ConsentReceipt = { readonly consent_id: string; readonly message_sent: boolean }

export type CallOrder = {
  readonly tenant: string
  readonly consentId: string
  readonly idempotencyKey: string
}

export type CallReceipt = {
  readonly call_attempt_id: string
  readonly provider_call_id: string
}

export type ErasureOrder = {
  readonly tenant: string
  /** Any request of the client. */
  readonly requestId: string
  readonly idempotencyKey: string
}

/** How many of each were erased. */
export type ErasureReceipt = {
  readonly requests: number
  readonly messages: number
  readonly pictures: number
  /** Calls of tools whose inputs and answers were emptied. */
  readonly calls: number
}

/**
 * What takes several steps, each a call of its own with a key: preparing, giving to the provider,
 * recording. Driven again after a crash, it continues where it stopped, so it deduplicates by key.
 */
export type Market = {
  readonly sendMessage: (order: MessageOrder, signal: AbortSignal) => Promise<MessageReceipt>
  readonly requestConsent: (order: ConsentOrder, signal: AbortSignal) => Promise<ConsentReceipt>
  readonly startCall: (order: CallOrder, signal: AbortSignal) => Promise<CallReceipt>
  readonly eraseClient: (order: ErasureOrder, signal: AbortSignal) => Promise<ErasureReceipt>
  /** Acts on what arrived by webhook. */
  readonly handleEvent: (
    order: { readonly tenant: string; readonly event: unknown; readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<{ readonly done: string }>
  /** Does what is due: queued messages, vendors who did not answer, pictures, expiry. */
  readonly runDueWork: (
    order: { readonly tenant: string; readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<{ readonly done: Readonly<Record<string, number>> }>
}

// Events are stored with their calls, so they outlast any outage.
const KEPT = { validFor: '30d' } as const
// A sending whose outcome WhatsApp has not reported is asked about again for this long; then it is
// unknown, for a person to settle.
const REPORTED = { validFor: '10m' } as const

export const marketPort = definePort<Market>(
  'market',
  {
    sendMessage: sameKey(REPORTED),
    requestConsent: sameKey(REPORTED),
    startCall: sameKey(REPORTED),
    eraseClient: sameKey(KEPT),
    handleEvent: sameKey(KEPT),
    runDueWork: sameKey(KEPT),
  },
  // A message whose outcome is unknown must not stop the work on all others, and an event that was
  // in hand when processes were killed must not be lost.
  { callsTools: true },
)
