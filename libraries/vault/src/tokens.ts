import { ToolError } from '@surehand/core'
import { canRenew, noConsent, renewTokens, type TokensOptions } from './renew-tokens.ts'
import type { Secret } from './secret.ts'
import { isFresh, isSameSecret, type TokenForm } from './token-record.ts'
import { areFor, readTokens, type TokenOwner, writeTokens } from './token-shelf.ts'
import { secretNamed } from './vault-items.ts'

/** Access tokens that are good for a while yet; asked for once, by all who want one and over all nodes. */
export type Tokens = {
  /** The scopes they are good for; undefined where somebody must agree first. Nobody outside is asked. */
  readonly scopes: (owner: TokenOwner) => Promise<readonly string[] | undefined>
  readonly access: (owner: TokenOwner, signal: AbortSignal) => Promise<Secret>
  /** The provider did not take this one, whatever its date says: the next call renews it. */
  readonly refused: (owner: TokenOwner, token: Secret) => Promise<void>
  readonly noConsent: (owner: TokenOwner) => ToolError
}

export function createTokens(options: TokensOptions): Tokens {
  const { clock } = options
  const flights = new Map<string, Promise<TokenForm>>()

  return {
    async scopes(owner) {
      const kept = await readTokens(options, owner)
      const ours = areFor(owner, kept) ? kept : undefined
      if (!canRenew(owner, kept) && (ours === undefined || !isFresh(ours, clock.now())))
        return undefined
      return ours?.record.scopes ?? owner.kept.record.scopes
    },
    async access(owner, signal) {
      // always from the store: a credential that was taken back is not used once more, and a network request follows anyway
      const kept = await readTokens(options, owner)
      if (areFor(owner, kept) && isFresh(kept, clock.now())) return secretNamed(kept, 'access')
      const key = JSON.stringify([owner.tenant, owner.credential, owner.principal ?? null])
      const flight =
        flights.get(key) ?? renewTokens(options, owner).finally(() => flights.delete(key))
      flights.set(key, flight)
      return secretNamed(await unlessLeft(flight, signal), 'access')
    },
    async refused(owner, token) {
      const kept = await readTokens(options, owner)
      if (
        !areFor(owner, kept) ||
        kept.record.state !== 'held' ||
        !isSameSecret(kept.secrets.access, token)
      )
        return
      const record = canRenew(owner, kept)
        ? { ...kept.record, freshUntil: 0 }
        : { ...kept.record, state: 'consent' as const }
      // not written: somebody has renewed them
      await writeTokens(options, owner, {
        expected: kept.version,
        change: { record, secrets: kept.secrets, outcome: 'refused' },
      })
    },
    noConsent: (owner) => noConsent(options, owner),
  }
}

// one who leaves must not take the others' token along
function unlessLeft<T>(flight: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () =>
      reject(
        new ToolError('TOOL_CANCELLED', 'The caller has left; nothing was sent.', {
          effect: 'none',
        }),
      )
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    flight.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
