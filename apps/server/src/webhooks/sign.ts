import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'

/** A message as Standard Webhooks signs it: id, time in seconds, body. */
export type Signable = { readonly id: string; readonly at: number; readonly body: string }

/** The signature: `v1,` and the base64 HMAC-SHA256 of id, time and body. */
export function signWebhook(secret: string, { id, at, body }: Signable): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}
