import type { CallState } from '../call/call-row.ts'
import type { ToolErrorCode } from '../call/errors.ts'
import type { Maybe } from '../call/maybe.ts'

/** The end of a call for which a webhook is to be called. */
export type Notice = {
  readonly tenant: string
  readonly callId: string
  readonly toolId: string
  readonly toolVersion: string
  /** The webhook it goes to, by its id. */
  readonly webhook: string
  readonly state: CallState
  /** Why it failed, where that was kept. */
  readonly code: ToolErrorCode | undefined
  readonly endedAt: number
  /** How often it was sent before. */
  readonly tries: number
}

/**
 * `again`: try again after this time. `given_up`: the webhook could not be reached and is not tried
 * again.
 */
export type Hearing =
  | { readonly kind: 'heard' }
  | { readonly kind: 'again'; readonly afterMs: number }
  | { readonly kind: 'given_up' }

/** What one attempt met: the status of the receiver, or why it could not be reached. */
export type DeliveryResult = { readonly status: number } | { readonly trouble: string }

/** What has become of a notice so far. */
export type WebhookDelivery = Pick<Notice, 'callId' | 'toolId' | 'state' | 'endedAt'> & {
  /** `settled`: it ended before results were stored. */
  readonly delivery: 'waiting' | 'delivered' | 'abandoned' | 'settled'
  /** Attempts that were begun. */
  readonly tries: number
  /** Undefined: it is due, or there is no further attempt. */
  readonly nextAttemptAt: number | undefined
  readonly lastResult: (DeliveryResult & { readonly at: number }) | undefined
}

/** Where a page of deliveries goes on: after this one, towards the older. */
export type DeliveryPlace = Pick<WebhookDelivery, 'endedAt' | 'callId'>

/** A webhook of a tenant. */
export type Endpoint = Pick<Notice, 'tenant' | 'webhook'>

/**
 * Webhooks to call when calls end. The wish is stored in the call's row, so that a crash loses
 * none.
 */
export type NoticeStore = {
  /** The endpoints for which a notice is due. */
  readonly endpoints: () => Maybe<readonly Endpoint[]>
  /**
   * The oldest notices that are due for one endpoint; for `holdMs` no other node gets them. One
   * endpoint at a time, so that none has to wait for another's.
   */
  readonly due: (endpoint: Endpoint, limit: number, holdMs: number) => Maybe<readonly Notice[]>
  /** `result` is stored, for people who look at the deliveries. */
  readonly settle: (
    notice: Pick<Notice, 'tenant' | 'callId'>,
    hearing: Hearing,
    result?: DeliveryResult,
  ) => Maybe<void>
  /** The notices of ended calls for one endpoint, the newest first, as long as calls are stored. */
  readonly list: (
    endpoint: Endpoint,
    page: { readonly limit: number; readonly before?: DeliveryPlace | undefined },
  ) => Maybe<readonly WebhookDelivery[]>
}
