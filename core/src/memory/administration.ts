import { scopedKey } from '../call/scope.ts'
import type { AdminItem, AdminStore } from '../ports/administration.ts'
import type { Clock } from '../ports/clock.ts'
import type { MemoryAudit } from './audit.ts'

/**
 * What administrators may change, in memory. Synchronous, so that a claim compares the version in
 * the same step.
 */
type MemoryAdministration = AdminStore & { readonly version: (tenant: string) => number }

export function memoryAdministration(audit: MemoryAudit, clock: Clock): MemoryAdministration {
  const items = new Map<string, AdminItem>()
  const versions = new Map<string, number>()
  // A removed item keeps its count: if it began again at 1, an old version could pass as the
  // current one.
  const counts = new Map<string, number>()

  return {
    version: (tenant) => versions.get(tenant) ?? 0,
    get: (tenant, kind, id) => items.get(scopedKey(tenant, kind, id)),
    list: (tenant, kind) =>
      [...items.values()]
        .filter((item) => item.tenant === tenant && item.kind === kind)
        .sort((left, right) => (left.id < right.id ? -1 : 1)),
    change({ tenant, kind, id, value, expected }, entry) {
      const name = scopedKey(tenant, kind, id)
      const before = items.get(name)
      if (before?.version !== expected) return { kind: 'stale', item: before }
      const version = (counts.get(name) ?? 0) + 1
      const adminVersion = (versions.get(tenant) ?? 0) + 1
      const item =
        value === undefined
          ? undefined
          : { tenant, kind, id, value, version, updatedAt: clock.now() }
      if (item === undefined) items.delete(name)
      else items.set(name, item)
      counts.set(name, version)
      versions.set(tenant, adminVersion)
      audit.append(entry)
      return { kind: 'changed', item, adminVersion }
    },
  }
}
