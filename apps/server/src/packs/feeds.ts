import { createHmac } from 'node:crypto'
import { sha256 } from '@surehand/core/internal'
import type { Maybe, ValueStore } from '@surehand/core/ports'

type Wanted = {
  readonly tenant: string
  readonly principal: string
  readonly idempotencyKey: string
  readonly change: 'keep' | 'renew' | 'close'
}

export type Feeds = {
  readonly address: (wanted: Wanted) => Promise<{ readonly url: string | null }>
  /** The principal whose feed has this file name; undefined where there is none. */
  readonly ownerOf: (tenant: string, file: string) => Promise<string | undefined>
}

export type FeedContext = {
  readonly values: ValueStore
  readonly key: Uint8Array
  readonly publicUrl: string
}

const FILE = /^([A-Za-z0-9_-]{43})\.ics$/

/**
 * Secret addresses of calendar feeds. Lookups use the hash of a secret. The secret is derived from
 * the idempotency key, so that a repeated call returns the same address.
 */
export function createFeeds({ values, key, publicUrl }: FeedContext): Feeds {
  const secretOf = ({ tenant, principal, idempotencyKey }: Wanted): string =>
    createHmac('sha256', key)
      .update(JSON.stringify(['feed', tenant, principal, idempotencyKey]))
      .digest('base64url')
  const ownKey = ({ principal }: Pick<Wanted, 'principal'>): string =>
    `feed-of/${encodeURIComponent(principal)}`
  const forget = async (tenant: string, secret: string): Promise<Maybe<boolean>> =>
    values.delete(tenant, `feed/${sha256(secret)}`)
  const addressOf = (tenant: string, secret: string): string =>
    `${publicUrl}/feeds/${encodeURIComponent(tenant)}/${secret}.ics`

  return {
    async address(wanted) {
      const { tenant, principal, change } = wanted
      const before = await values.get(tenant, ownKey(wanted))
      if (before !== undefined && change === 'keep') return { url: addressOf(tenant, before) }
      if (before !== undefined) await forget(tenant, before)
      if (change === 'close') {
        await values.delete(tenant, ownKey(wanted))
        return { url: null }
      }
      const secret = secretOf(wanted)
      await values.set(tenant, `feed/${sha256(secret)}`, principal)
      await values.set(tenant, ownKey(wanted), secret)
      return { url: addressOf(tenant, secret) }
    },
    async ownerOf(tenant, file) {
      const [, secret] = FILE.exec(file) ?? []
      return secret === undefined ? undefined : values.get(tenant, `feed/${sha256(secret)}`)
    },
  }
}
