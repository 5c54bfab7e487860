import type { Caller } from './caller.ts'
import type { ToolErrorCode } from './errors.ts'

/** Whose key it is: two tenants, principals or tools never share one. */
export type KeyScope = {
  readonly tenant: string
  readonly principal: string
  readonly toolId: string
  readonly key: string
}

export type CallState =
  | 'waiting'
  | 'queued'
  /** A run that waits for a step or an answer; nobody holds it. */
  | 'parked'
  | 'claimed'
  | 'effect_started'
  | 'succeeded'
  | 'failed'
  | 'unknown'
  | 'cancelled'
  | 'released'
  | 'pruned'

/** A keyed call before it has a row. */
export type NewCall = KeyScope & {
  readonly callId: string
  readonly keySource: KeySource
  readonly toolVersion: string
  readonly definitionHash: string
  readonly inputHash: string
  /** Canonical JSON of the validated input, without its key: what runs later is this, not what somebody sends again. */
  readonly input: string
  /** The key the provider sees; fixed at the first claim. */
  readonly providerKey: string
  /** Over whose data each capability reached when the answer was made. */
  readonly scopes: Readonly<Record<string, string>>
  /** Can't be undone: such a call is held against others of the same input. */
  readonly irreversible: boolean
  /** Its input or its output holds fields marked `sensitive`: a store that outlives the process encrypts both. */
  readonly isSecret: boolean
  readonly caller: Caller
  readonly surface: string
  readonly requestId: string
  /** The webhook that hears of its end. */
  readonly notify?: string | undefined
  /** The run it is a step of; its end wakes that run. */
  readonly parentId?: string | undefined
}

export type KeySource = 'caller' | 'derived' | 'host' | 'step' | 'fresh'

export type CallRow = NewCall & {
  readonly state: CallState
  /** Counts claims; every later write carries it. */
  readonly fence: number
  readonly leaseUntil: number | undefined
  readonly approvalId: string | undefined
  readonly effect: StartedEffect | undefined
  readonly answer: StoredAnswer | undefined
  /** Somebody wants it to stop. */
  readonly isToStop: boolean
  /** How long a run has worked so far; waiting does not count. */
  readonly spentMs: number
  readonly createdAt: number
  readonly updatedAt: number
  /** The store's time when it read this: a lease is held against it, never against a node's own clock. */
  readonly readAt: number
}

/** When it first left, which is what a provider's memory is counted from, and when it last did, which is what may still be on its way. */
export type StartedEffect = EffectMark & {
  readonly startedAt: number
  readonly lastStartedAt: number
}

/** Which effect left the house, so that whoever recovers knows whom to ask. */
export type EffectMark = {
  readonly port: string
  readonly method: string
  readonly argsHash: string
}

export type StoredAnswer =
  | { readonly kind: 'output'; readonly json: string; readonly warnings: readonly string[] }
  | { readonly kind: 'invalid_output'; readonly json: string; readonly problem: string }
  | {
      readonly kind: 'error'
      readonly code: ToolErrorCode
      readonly message: string
      readonly details: string
      readonly data: string
    }

/** What may be shown of a call in a list: its input stays where it is. */
export type OpenCall = Pick<
  CallRow,
  'callId' | 'tenant' | 'principal' | 'toolId' | 'toolVersion' | 'createdAt' | 'updatedAt'
> & {
  readonly state: 'queued' | 'parked' | 'claimed' | 'effect_started' | 'unknown'
}
