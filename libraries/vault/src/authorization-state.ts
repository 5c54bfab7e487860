import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { derivedKey } from './derived-key.ts'

const State = z.strictObject({
  tenant: z.string(),
  principal: z.string(),
  credential: z.string(),
  /** Of one beginning: what is kept of it tells whether it was used. */
  nonce: z.string(),
  expiresAt: z.number(),
})
export type AuthorizationState = z.infer<typeof State>

/** The `state` of an authorization: only this house can make one, and nobody can change whose it is. */
export type AuthorizationStates = {
  readonly write: (state: AuthorizationState) => string
  /** Undefined for what is none of ours. */
  readonly read: (text: string) => AuthorizationState | undefined
}

const LONGEST = 2_000

export function authorizationStates(keys: readonly Uint8Array[]): AuthorizationStates {
  const signing = keys.map((key) => derivedKey(key, 'state'))
  const signatures = (body: string) =>
    signing.map((key) => createHmac('sha256', key).update(body).digest('base64url'))
  return {
    write(state) {
      const body = Buffer.from(JSON.stringify(state)).toString('base64url')
      return `${body}.${signatures(body)[0]}`
    },
    read(text) {
      const [body = '', signature = '', ...rest] = text.length > LONGEST ? [] : text.split('.')
      if (rest.length > 0 || !signatures(body).some((ours) => isSame(ours, signature)))
        return undefined
      return State.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
    },
  }
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
