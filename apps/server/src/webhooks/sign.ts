import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'

/** A message as Standard Webhooks signs it: id, time in seconds, body. */
export type Signable = { readonly id: string; readonly at: number; readonly body: string }

/** `v1,` and the HMAC-SHA256 over id, time and body, in base64. */
export function signWebhook(secret: string, { id, at, body }: Signable): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}
