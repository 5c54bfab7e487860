import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { deriveKey } from './derive-key.ts'

const State = z.strictObject({
  tenant: z.string(),
  principal: z.string(),
  credential: z.string(),
  /** Its hash is stored until the state is used, which makes the state valid once. */
  nonce: z.string(),
  expiresAt: z.number(),
})
export type AuthorizationState = z.infer<typeof State>

/**
 * Writes and checks the `state` parameter of an authorization. It is signed, so a client can
 * neither forge one nor change whose it is.
 */
export type StateSigner = {
  readonly sign: (state: AuthorizationState) => string
  /** Undefined where the signature is not ours. */
  readonly verify: (text: string) => AuthorizationState | undefined
}

const MAX_STATE_LENGTH = 2_000

export function createStateSigner(keys: readonly Uint8Array[]): StateSigner {
  const signing = keys.map((key) => deriveKey(key, 'state'))
  const signatures = (body: string) =>
    signing.map((key) => createHmac('sha256', key).update(body).digest('base64url'))
  return {
    sign(state) {
      const body = Buffer.from(JSON.stringify(state)).toString('base64url')
      return `${body}.${signatures(body)[0]}`
    },
    verify(text) {
      const [body = '', signature = '', ...rest] =
        text.length > MAX_STATE_LENGTH ? [] : text.split('.')
      if (rest.length > 0 || !signatures(body).some((ours) => isSameSignature(ours, signature)))
        return undefined
      return State.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
    },
  }
}

function isSameSignature(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
