import { isToolError } from '@surehand/core'
import type { AdminItem } from '@surehand/core/ports'
import { z } from 'zod'
import type { VaultItems } from './vault-items.ts'

export type Resealed = {
  readonly resealed: number
  /** Under the newest key already. */
  readonly current: number
  /** What does not open: its key is lost, or it was changed. It stays as it is. */
  readonly unopened: readonly string[]
}

const AnyRecord = z.looseObject({})

/** Seals everything of a house under the first key; when all of it opened, the older keys can go. */
export async function reseal(items: VaultItems, tenant: string): Promise<Resealed> {
  const ends = new Map<string, 'resealed' | 'current' | 'unopened'>()
  // again until all are done: what was changed meanwhile is looked at once more
  for (let pending = await items.list(tenant); pending.length > 0; ) {
    const stale: string[] = []
    for (const item of pending) {
      const end = await resealOne(items, item)
      if (end === 'stale') stale.push(item.id)
      else ends.set(item.id, end)
    }
    pending =
      stale.length === 0 ? [] : (await items.list(tenant)).filter(({ id }) => stale.includes(id))
  }
  const ended = (how: string) => [...ends].filter(([, end]) => end === how).map(([id]) => id)
  return {
    resealed: ended('resealed').length,
    current: ended('current').length,
    unopened: ended('unopened'),
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
