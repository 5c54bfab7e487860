import { isToolError } from '@surehand/core'
import type { AdminItem } from '@surehand/core/ports'
import { z } from 'zod'
import type { VaultItems } from './vault-items.ts'

export type ResealResult = {
  readonly resealed: number
  /** Sealed under the newest key before. */
  readonly current: number
  /**
   * The ids of items that cannot be decrypted, because their key is lost or they were changed. They
   * stay as they are.
   */
  readonly unopened: readonly string[]
}

const AnyRecord = z.looseObject({})

/**
 * Encrypts everything of a tenant under the first key. If nothing is left unopened, the older keys
 * can be deleted.
 */
export async function reseal(items: VaultItems, tenant: string): Promise<ResealResult> {
  const results = new Map<string, 'resealed' | 'current' | 'unopened'>()
  // Repeated until all are done: an item that changed meanwhile is tried again.
  for (let pending = await items.list(tenant); pending.length > 0; ) {
    const stale: string[] = []
    for (const item of pending) {
      const result = await resealOne(items, item)
      if (result === 'stale') stale.push(item.id)
      else results.set(item.id, result)
    }
    pending =
      stale.length === 0 ? [] : (await items.list(tenant)).filter(({ id }) => stale.includes(id))
  }
  const idsWith = (wanted: string) =>
    [...results].flatMap(([id, result]) => (result === wanted ? [id] : []))
  return {
    resealed: idsWith('resealed').length,
    current: idsWith('current').length,
    unopened: idsWith('unopened'),
  }
}

async function resealOne(
  items: VaultItems,
  item: AdminItem,
): Promise<'resealed' | 'current' | 'unopened' | 'stale'> {
  try {
    const { tenant, id, record, secrets, version } = items.open(item, AnyRecord)
    if (items.isCurrent(item)) return 'current'
    const written = await items.write({
      tenant,
      id,
      next: { record, secrets },
      expected: version,
      principal: 'system',
      outcome: 'resealed',
    })
    return written === 'stale' ? 'stale' : 'resealed'
  } catch (thrown) {
    if (
      isToolError(thrown) &&
      (thrown.code === 'TOOL_DATA_CORRUPTION' || thrown.code === 'TOOL_CONFIGURATION_ERROR')
    )
      return 'unopened'
    throw thrown
  }
}
