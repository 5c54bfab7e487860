import { z } from 'zod'
import { Count, Time } from './tool-schemas.ts'

/** A session of a person in a browser. */
export const OpenSessionSchema = z
  .looseObject({
    id: z.string(),
    client: z.string().describe('The kind of client, as in "Firefox on Linux".'),
    signed_in_with: z.enum(['token', 'link', 'issuer']),
    started_at: Time,
    last_used_at: Time.describe('To the minute.'),
    expires_at: Time,
    is_current: z.boolean().describe('Whether this request was sent with it.'),
  })
  .meta({ id: 'OpenSession' })

const Result = z.looseObject({
  at: Time,
  status: z.int().nullable().describe('The HTTP status that the receiver answered.'),
  trouble: z.string().nullable().describe('Why there is no answer.'),
})

export const WebhookSchema = z
  .looseObject({
    id: z.string(),
    version: z.int().min(1).describe('Send it as If-Match with the next change.'),
    url: z.string().nullable().describe('Null where the stored webhook cannot be decrypted.'),
    is_enabled: z.boolean(),
    problem: z.string().nullable(),
  })
  .meta({ id: 'Webhook' })

export const WebhookDeliverySchema = z
  .looseObject({
    id: z.string().describe('The id of the call, which is also sent as webhook-id.'),
    tool: z.string(),
    call_state: z.string(),
    ended_at: Time.describe('When the call ended.'),
    status: z
      .enum(['waiting', 'delivered', 'abandoned', 'settled'])
      .describe('settled: it ended before results were stored.'),
    tries: Count,
    next_attempt_at: Time.nullable(),
    last_result: Result.nullable(),
  })
  .meta({ id: 'WebhookDelivery' })
