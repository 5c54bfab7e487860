import type { Row } from '@surehand/core/internal'
import type { Share } from './shares-port.ts'

/** A row of `travel_shares`. PostgreSQL sends large integers as text. */
export function toShare({ id, plan_id, created_at, expires_at, revoked_at }: Row): Share {
  return {
    shareId: String(id),
    planId: String(plan_id),
    createdAt: new Date(Number(created_at)).toISOString(),
    expiresAt: new Date(Number(expires_at)).toISOString(),
    ...(revoked_at === null ? {} : { revokedAt: new Date(Number(revoked_at)).toISOString() }),
  }
}
