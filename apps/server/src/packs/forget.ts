import type { Caller } from '@surehand/core'
import { systemEntropy } from '@surehand/core/ports'
import type { Erased } from '@surehand/sql'
import type { App } from '../app.ts'

/**
 * Forgets a person's contents outside the packs' own tables: what calls, approvals and records hold of them goes, a tombstone stays,
 * and the audit still verifies. Their feed is closed. What a pack keeps of them its own tool deletes (data.delete_all).
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
