import type { PackGiven } from '@surehand/core/host'
import { sha256 } from '@surehand/core/internal'
import { z } from 'zod'
import { callInternal } from '../../call-internal.ts'
import { toShare } from '../share-row.ts'
import { Share, type SharesPort, shareNotFound } from '../shares-port.ts'

const Created = Share.extend({ token: z.string() })

/** Shared links in the runtime's own database. Writes are transactions of internal tools. */
export function ownShares({
  query,
  call,
  publicUrl,
}: Pick<PackGiven, 'query' | 'call'> & { readonly publicUrl: string }): SharesPort {
  return {
    async create({ tenant, userId, planId, expiresAt, idempotencyKey }, signal) {
      const created = await callInternal(call, {
        tool: 'travel.storeShare',
        context: { tenant, userId },
        input: { planId, expiresAt },
        idempotencyKey,
        signal,
      })
      const { token, ...share } = Created.parse(created)
      return { ...share, url: `${publicUrl}/travel/shared/${encodeURIComponent(tenant)}/${token}` }
    },
    async revoke({ tenant, userId, shareId, idempotencyKey }, signal) {
      const revoked = await callInternal(call, {
        tool: 'travel.revokeShare',
        context: { tenant, userId },
        input: { shareId },
        idempotencyKey,
        signal,
      })
      const share = Share.nullable().parse(revoked)
      if (share === null) throw shareNotFound(shareId)
      return share
    },
    async list({ tenant, userId, planId }) {
      const rows = await query(
        `select * from travel_shares where tenant = ? and owner = ? and plan_id = ?
         order by created_at desc, id desc limit 100`,
        [tenant, userId, planId],
      )
      return rows.map(toShare)
    },
    async open({ tenant, token, nowMs }) {
      const [row] = await query(
        `select owner, plan_id from travel_shares
         where tenant = ? and token_hash = ? and revoked_at is null and expires_at > ?`,
        [tenant, sha256(token), nowMs],
      )
      return row === undefined
        ? undefined
        : { userId: String(row.owner), planId: String(row.plan_id) }
    },
  }
}
