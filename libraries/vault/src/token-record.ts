import { z } from 'zod'
import { type Secret, secret } from './secret.ts'
import type { Granted } from './token-endpoint.ts'
import type { Kept, Secrets } from './vault-items.ts'

/** Tokens as they are kept, but for the tokens themselves. */
export const TokenRecord = z.strictObject({
  kind: z.literal('tokens'),
  /** What they were granted for: see `grantOf`. */
  grant: z.string(),
  /** `none`: not asked for yet. `consent`: the server does not take them any more, and somebody must agree again. */
  state: z.enum(['none', 'held', 'consent']),
  /** On the clock of who asked for them, with a margin: from then on new ones are asked for. Undefined: they do not say. */
  freshUntil: z.number().exactOptional(),
  scopes: z.array(z.string()).exactOptional(),
  /** Somebody is asking for new ones: a refresh token that rotates must not be used by two. */
  lease: z.strictObject({ id: z.string(), until: z.number() }).exactOptional(),
})
export type TokenRecord = z.infer<typeof TokenRecord>
export type KeptTokens = Kept<TokenRecord>

export type TokenForm = { readonly record: TokenRecord; readonly secrets: Secrets }

const MARGIN_MS = 30_000
const MARGIN_SHARE = 0.1

/** `before`: what a server leaves out stays as it was. `askedAt`: their life is counted from before they were sent. */
export function tokensFrom(
  granted: Granted,
  grant: string,
  { askedAt, before }: { readonly askedAt: number; readonly before: KeptTokens | undefined },
): TokenForm {
  const { access, expiresInMs } = granted
  const refresh = granted.refresh === undefined ? before?.secrets.refresh : secret(granted.refresh)
  const scopes = granted.scopes ?? before?.record.scopes
  const record: TokenRecord = {
    kind: 'tokens',
    grant,
    state: 'held',
    ...(expiresInMs === undefined
      ? {}
      : { freshUntil: askedAt + expiresInMs - Math.min(MARGIN_MS, expiresInMs * MARGIN_SHARE) }),
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
  }
  return {
    record,
    secrets: { access: secret(access), ...(refresh === undefined ? {} : { refresh }) },
  }
}

export function isFresh({ record }: KeptTokens, now: number): boolean {
  return record.state === 'held' && (record.freshUntil === undefined || now < record.freshUntil)
}

export function isSameSecret(one: Secret | undefined, other: Secret | undefined): boolean {
  return one?.reveal() === other?.reveal()
}
