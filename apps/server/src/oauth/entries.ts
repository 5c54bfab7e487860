import { sha256 } from '@surehand/core/internal'
import type { ValueStore } from '@surehand/core/ports'
import { type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'

export type EntriesOptions = {
  readonly values: ValueStore
  /** The tenant that the entries are stored under: a token is looked up before its tenant is known. */
  readonly home: string
  readonly now: () => number
  /** Ends the consent that a grant stands for. */
  readonly onGrantEnded: (grantId: string, accountId: string) => Promise<void>
}

/** What the OAuth library stores, and the clients that are kept as long as a consent to them. */
export type Entries = {
  readonly adapter: AdapterFactory
  readonly keepClient: (id: string, lifeMs: number) => Promise<void>
}

// A client that registered and was never consented to is forgotten.
const UNUSED_CLIENT_MS = 24 * 3_600_000

/**
 * The library's storage, on the store of values that all nodes share. Tokens, codes and sessions
 * are stored by their hash, so that the database does not reveal them, and every entry expires.
 */
export function storedEntries({ values, home, now, onGrantEnded }: EntriesOptions): Entries {
  const keyOf = (model: string, id: string): string => `surehand.oauth:${model}:${sha256(id)}`

  async function read(model: string, id: string): Promise<Stored | undefined> {
    const text = await values.get(home, keyOf(model, id))
    // Only `upsert` and `consume` write these keys.
    return text === undefined ? undefined : { text, payload: JSON.parse(text) as AdapterPayload }
  }

  async function endGrant(id: string | undefined): Promise<void> {
    const stored = id === undefined ? undefined : await read('Grant', id)
    if (id === undefined || stored === undefined) return
    // The consent first: it is what access tokens are checked against.
    await onGrantEnded(id, stored.payload.accountId ?? '')
    await values.delete(home, keyOf('Grant', id))
  }

  const adapter: AdapterFactory = (model) => ({
    async upsert(id, { jti: _, ...payload }, expiresInSeconds) {
      const lifeMs = expiresInSeconds === undefined ? UNUSED_CLIENT_MS : expiresInSeconds * 1_000
      await values.set(home, keyOf(model, id), JSON.stringify(payload), lifeMs)
    },
    async find(id) {
      const stored = await read(model, id)
      if (stored === undefined) return undefined
      return model === 'Client' ? stored.payload : { ...stored.payload, jti: id }
    },
    // Of two requests with the same code or refresh token only one gets through. The other means
    // that the text was stolen, so neither keeps what was issued for it.
    async consume(id) {
      const stored = await read(model, id)
      if (stored !== undefined && stored.payload.consumed === undefined) {
        const nowSeconds = Math.floor(now() / 1_000)
        const isFirst = await values.replace(home, keyOf(model, id), {
          expected: stored.text,
          value: JSON.stringify({ ...stored.payload, consumed: nowSeconds }),
          ttlMs: Math.max(1, ((stored.payload.exp ?? nowSeconds) - nowSeconds) * 1_000),
        })
        if (isFirst) return
      }
      await endGrant(stored?.payload.grantId)
      throw new errors.InvalidGrant('it was used already')
    },
    async destroy(id) {
      if (model === 'Grant') await endGrant(id)
      else await values.delete(home, keyOf(model, id))
    },
    // Everything that was issued for a grant is refused once the grant is gone, and expires.
    revokeByGrantId: async (grantId) => endGrant(grantId),
    // Device codes and sessions that end their tokens are not offered.
    findByUserCode: async () => undefined,
    findByUid: async () => undefined,
  })

  return {
    adapter,
    async keepClient(id, lifeMs) {
      const stored = await read('Client', id)
      if (stored !== undefined) await values.set(home, keyOf('Client', id), stored.text, lifeMs)
    },
  }
}

type Stored = { readonly text: string; readonly payload: AdapterPayload }
