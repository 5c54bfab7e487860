import type { Caller } from '@surehand/core'
import type { DeliveryPlace, PageRequest, WebhookDelivery } from '@surehand/core/ports'
import type { WebhookDeliverySchema } from '@surehand/edge/api'
import { z } from 'zod'

/** What an administrator sets of a webhook; the server makes its secret. */
export const webhookSettings = () =>
  z.strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'is not an http(s) address' })
      .max(2_048)
      .describe('Where the ends of calls are posted.'),
    is_enabled: z
      .boolean()
      .default(true)
      .describe('While it is false nothing is sent; what is due waits for the usual pauses.'),
    new_secret: z
      .boolean()
      .default(false)
      .describe('Replaces the secret, which is in the answer. A new webhook has a new one anyway.'),
  })
export type WebhookSettings = z.output<ReturnType<typeof webhookSettings>>

export type WebhookView = {
  readonly id: string
  readonly version: number
  readonly url: string | null
  readonly is_enabled: boolean
  readonly problem: string | null
}

/** What became of a test message. */
export type TestedWebhook = {
  readonly sent: boolean
  readonly status: number | null
  readonly trouble: string | null
}

/** The webhooks of a tenant, for administrators. */
export type HttpWebhooks = {
  readonly list: (by: Caller, page: PageRequest) => Promise<readonly WebhookView[]>
  /** Creates or changes a webhook; `secret` only where it is new. */
  readonly put: (
    by: Caller,
    webhook: WebhookSettings & { readonly id: string },
    expected: number | undefined,
  ) => Promise<WebhookView & { readonly secret?: string }>
  readonly remove: (by: Caller, id: string, expected: number | undefined) => Promise<void>
  /** The newest first. */
  readonly deliveries: (
    by: Caller,
    id: string,
    page: { readonly limit: number; readonly before: DeliveryPlace | undefined },
  ) => Promise<readonly WebhookDelivery[]>
  /** Sends a message of the type `test` once, also while it is switched off. */
  readonly test: (by: Caller, id: string) => Promise<TestedWebhook>
}

/** A delivery as clients see it. */
export function viewDelivery(found: WebhookDelivery): z.output<typeof WebhookDeliverySchema> {
  const { callId, toolId, state, endedAt, delivery: status, tries, nextAttemptAt } = found
  const { lastResult } = found
  const time = (at: number): string => new Date(at).toISOString()
  return {
    id: callId,
    tool: toolId,
    call_state: state,
    ended_at: time(endedAt),
    ...{ status, tries },
    next_attempt_at: nextAttemptAt === undefined ? null : time(nextAttemptAt),
    last_result:
      lastResult === undefined
        ? null
        : {
            at: time(lastResult.at),
            status: 'status' in lastResult ? lastResult.status : null,
            trouble: 'trouble' in lastResult ? lastResult.trouble : null,
          },
  }
}
