import { z } from 'zod'
import { once } from '../define/once.ts'

export const WEBHOOK_ID: RegExp = /^[A-Za-z0-9_-]{1,64}$/

/** Where ends of calls are told, and what the word is signed with. */
export const webhookForm = once(() =>
  z.strictObject({
    url: z.url({ protocol: /^https?$/, error: 'is not an http(s) address' }),
    /** `whsec_` and 24 to 64 bytes in base64, as Standard Webhooks has it. */
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'is "whsec_" and 24 to 64 bytes in base64'),
  }),
)

export type Webhook = z.infer<ReturnType<typeof webhookForm>>
