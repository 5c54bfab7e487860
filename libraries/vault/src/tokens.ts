import { ToolError } from '@surehand/core'
import { canRenew, consentRequiredFor, renewTokens, type TokensOptions } from './renew-tokens.ts'
import type { Secret } from './secret.ts'
import { isFresh, isSameSecret, type TokenSet } from './token-record.ts'
import { areGrantedFor, readTokens, type TokenOwner, writeTokens } from './token-store.ts'
import { requireSecret } from './vault-items.ts'

/**
 * Access tokens, renewed before they expire: by one request for all callers of this process, and by
 * one node for all nodes.
 */
export type Tokens = {
  /**
   * The scopes that were granted, or undefined where a person must consent first. Sends nothing.
   */
  readonly getScopes: (owner: TokenOwner) => Promise<readonly string[] | undefined>
  readonly getAccessToken: (owner: TokenOwner, signal: AbortSignal) => Promise<Secret>
  /** The provider rejected this token, whatever its expiry says: the next call renews it. */
  readonly markRejected: (owner: TokenOwner, token: Secret) => Promise<void>
  readonly consentRequired: (owner: TokenOwner) => ToolError
}

export function createTokens(options: TokensOptions): Tokens {
  const { clock } = options
  const renewals = new Map<string, Promise<TokenSet>>()

  return {
    async getScopes(owner) {
      const stored = await readTokens(options, owner)
      const tokens = areGrantedFor(owner, stored) ? stored : undefined
      if (!canRenew(owner, stored) && (tokens === undefined || !isFresh(tokens, clock.now())))
        return undefined
      return tokens?.record.scopes ?? owner.stored.record.scopes
    },
    async getAccessToken(owner, signal) {
      // Always read from the store, so that a withdrawn consent takes effect at once. A network
      // request follows anyway.
      const stored = await readTokens(options, owner)
      if (areGrantedFor(owner, stored) && isFresh(stored, clock.now()))
        return requireSecret(stored, 'access')
      const key = JSON.stringify([owner.tenant, owner.credential, owner.principal ?? null])
      const renewal =
        renewals.get(key) ?? renewTokens(options, owner).finally(() => renewals.delete(key))
      renewals.set(key, renewal)
      return requireSecret(await raceWithAbort(renewal, signal), 'access')
    },
    async markRejected(owner, token) {
      const stored = await readTokens(options, owner)
      if (
        !areGrantedFor(owner, stored) ||
        stored.record.state !== 'held' ||
        !isSameSecret(stored.secrets.access, token)
      )
        return
      const record = canRenew(owner, stored)
        ? { ...stored.record, freshUntil: 0 }
        : { ...stored.record, state: 'consent' as const }
      // A stale version needs no second attempt: another process has renewed the tokens.
      await writeTokens(options, owner, {
        expected: stored.version,
        change: { record, secrets: stored.secrets, outcome: 'refused' },
      })
    },
    consentRequired: (owner) => consentRequiredFor(options, owner),
  }
}

// A caller that cancels stops waiting, while the renewal goes on for the callers that share it.
function raceWithAbort<T>(renewal: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () =>
      reject(
        new ToolError('TOOL_CANCELLED', 'The caller cancelled the call. Nothing was sent.', {
          effect: 'none',
        }),
      )
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    renewal.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
