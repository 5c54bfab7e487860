import { z } from 'zod'
import { type Secret, secret } from './secret.ts'
import type { IssuedTokens } from './token-endpoint.ts'
import type { Secrets, StoredItem } from './vault-items.ts'

/** Everything that is stored about tokens except the tokens themselves. */
export const TokenRecord = z.strictObject({
  kind: z.literal('tokens'),
  /** A hash of the client and server that they were issued for, see `grantOf`. */
  grant: z.string(),
  /**
   * `none`: not requested yet. `consent`: the server rejects them, and a person must consent again.
   */
  state: z.enum(['none', 'held', 'consent']),
  /**
   * On the clock of the node that requested them, with a margin: from then on they are renewed.
   * Undefined: the server named no lifetime.
   */
  freshUntil: z.number().exactOptional(),
  scopes: z.array(z.string()).exactOptional(),
  /**
   * Held by the node that renews them. Two nodes must not use a rotating refresh token at once: the
   * server would revoke both.
   */
  lease: z.strictObject({ id: z.string(), until: z.number() }).exactOptional(),
})
export type TokenRecord = z.infer<typeof TokenRecord>
export type StoredTokens = StoredItem<TokenRecord>

export type TokenSet = { readonly record: TokenRecord; readonly secrets: Secrets }

const MAX_MARGIN_MS = 30_000
const MARGIN_SHARE = 0.1

/**
 * What the server leaves out of a renewal stays as it was `before`. The lifetime counts from
 * `requestedAt`, before the request was sent, so that network time never makes a token look fresh
 * for longer than it is.
 */
export function toTokenSet(
  issued: IssuedTokens,
  grant: string,
  {
    requestedAt,
    before,
  }: { readonly requestedAt: number; readonly before: StoredTokens | undefined },
): TokenSet {
  const { access, expiresInMs } = issued
  const refresh = issued.refresh === undefined ? before?.secrets.refresh : secret(issued.refresh)
  const scopes = issued.scopes ?? before?.record.scopes
  const record: TokenRecord = {
    kind: 'tokens',
    grant,
    state: 'held',
    ...(expiresInMs === undefined
      ? {}
      : {
          freshUntil:
            requestedAt + expiresInMs - Math.min(MAX_MARGIN_MS, expiresInMs * MARGIN_SHARE),
        }),
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
  }
  return {
    record,
    secrets: { access: secret(access), ...(refresh === undefined ? {} : { refresh }) },
  }
}

export function isFresh({ record }: StoredTokens, now: number): boolean {
  return record.state === 'held' && (record.freshUntil === undefined || now < record.freshUntil)
}

export function isSameSecret(one: Secret | undefined, other: Secret | undefined): boolean {
  return one?.reveal() === other?.reveal()
}
