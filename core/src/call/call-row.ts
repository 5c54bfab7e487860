import type { Caller } from './caller.ts'
import type { ToolErrorCode } from './errors.ts'

/** A moment on the monotonic clock of one boot of one machine. */
export type BootTime = { readonly boot: string; readonly ticks: number }

/** An idempotency key with its scope: two tenants, principals or tools never share one. */
export type KeyScope = {
  readonly tenant: string
  readonly principal: string
  readonly toolId: string
  readonly key: string
}

export type CallState =
  | 'waiting'
  | 'queued'
  /** A run that waits for a step or an answer; no worker holds it. */
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
  /**
   * Canonical JSON of the validated input, without its key: a later execution uses this, not what
   * is sent again.
   */
  readonly input: string
  /** The idempotency key that the provider gets; fixed at the first claim. */
  readonly providerKey: string
  /** The scope of each capability when the answer was made. */
  readonly scopes: Readonly<Record<string, string>>
  /**
   * It cannot be undone: the duplicate guard compares such a call with others of the same input.
   */
  readonly irreversible: boolean
  /**
   * Its input or its output holds fields marked `sensitive`: a store that outlives the process
   * encrypts both.
   */
  readonly isSecret: boolean
  readonly caller: Caller
  readonly surface: string
  readonly requestId: string
  /** The webhook that is called when it ends. */
  readonly notify?: string | undefined
  /** The run it is a step of; its end wakes that run. */
  readonly parentId?: string | undefined
}

export type KeySource = 'caller' | 'derived' | 'host' | 'step' | 'fresh'

export type CallRow = NewCall & {
  readonly state: CallState
  /** The fencing token: counts claims, and every later write carries it. */
  readonly fence: number
  /** By the store's clock. 0: the claim was given up on purpose. */
  readonly leaseUntil: number | undefined
  /** The same moment on the monotonic clock of the claimant's machine. */
  readonly leaseBoot: BootTime | undefined
  /**
   * How many processes died with the call in hand, one after another. A run counts anew from each
   * step that it has finished.
   */
  readonly deaths: number
  readonly approvalId: string | undefined
  readonly effect: StartedEffect | undefined
  readonly answer: StoredAnswer | undefined
  /** It was asked to stop. */
  readonly isToStop: boolean
  /** How long a run has worked so far; waiting does not count. */
  readonly spentMs: number
  readonly createdAt: number
  readonly updatedAt: number
  /**
   * The store's time when it read this: a lease is compared with it, never with a node's own clock.
   */
  readonly readAt: number
}

/**
 * When it was first sent, from which a provider's deduplication window counts, and when it was last
 * sent and may still be in transit.
 */
export type StartedEffect = EffectMark & {
  readonly startedAt: number
  readonly lastStartedAt: number
  /** The same moments on the monotonic clock of the machine that sent it last. */
  readonly bootTimes?: EffectBootTimes | undefined
}

/** `startedTicks`: undefined when it was first sent in an earlier boot, or by another machine. */
export type EffectBootTimes = {
  readonly boot: string
  readonly startedTicks: number | undefined
  readonly lastStartedTicks: number
}

/** Which effect was sent, so that recovery knows which port to query. */
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

/** A call as it may be listed, without its input. */
export type OpenCall = Pick<
  CallRow,
  'callId' | 'tenant' | 'principal' | 'toolId' | 'toolVersion' | 'createdAt' | 'updatedAt'
> & {
  readonly state: 'queued' | 'parked' | 'claimed' | 'effect_started' | 'unknown'
}

/** A call whose outcome is unknown, as the pack of its tool reads it. */
export type UnknownCall = {
  readonly callId: string
  readonly input: unknown
  /** What is known of it, for people. */
  readonly reason: string
}

export type UnknownCallFilter = {
  readonly tenant: string
  readonly tool: string
  readonly limit: number
}

/**
 * Has its lease expired by the store's clock? That clock may be set while the call is executed, so
 * a node asks `Leases.isAbandoned`, which also knows the monotonic clock.
 */
export function hasLeaseExpired(row: CallRow): boolean {
  return row.leaseUntil !== undefined && row.leaseUntil <= row.readAt
}

/** A call under way as programs outside read it. */
export type OpenCallView = {
  readonly call_id: string
  readonly principal: string
  readonly tool: string
  readonly tool_version: string
  readonly state: string
  readonly created_at: string
  readonly updated_at: string
}

export function openCallView({
  callId,
  principal,
  toolId,
  toolVersion,
  state,
  createdAt,
  updatedAt,
}: OpenCall): OpenCallView {
  return {
    call_id: callId,
    principal,
    tool: toolId,
    tool_version: toolVersion,
    state,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  }
}
