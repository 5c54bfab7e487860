import type { Caller } from '@surehand/core'
import { systemEntropy } from '@surehand/core/ports'
import type { Erased } from '@surehand/sql'
import type { App } from '../app.ts'

/**
 * Erases a person's contents from calls, approvals and audit records and closes their feed.
 * Tombstones remain, so the audit still verifies. Data in the tables of a pack is deleted by that
 * pack's own tool (data.delete_all).
 */
export async function erasePrincipal(
  { stores, keys, feeds }: App,
  by: Caller,
  principal: string,
): Promise<Erased> {
  const { tenant } = by
  await feeds.address({ tenant, principal, idempotencyKey: 'forgotten', change: 'close' })
  const id = systemEntropy().newId('aud', Date.now())
  return stores.erase({ tenant, principal, by: by.principal, actor: by.actor, id }, keys.audit)
}
