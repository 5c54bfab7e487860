import type { RequiredCapability, ResourceNeed } from '../define/contract.ts'
import { KNOWN_CAPABILITIES } from '../define/standard-capabilities.ts'

const WRITES: readonly string[] = ['write', 'create', 'update']

const known = new WeakMap<ResourceNeed, readonly RequiredCapability[]>()

/**
 * The capabilities of which any one gives access to a declared resource; to create and to update is to write.
 * None for a resource and mode that the table doesn't know: nobody could hold a right to it, so the tool's own capabilities guard it.
 */
export function openersOf(need: ResourceNeed): readonly RequiredCapability[] {
  const earlier = known.get(need)
  if (earlier !== undefined) return earlier
  const mode = WRITES.includes(need.mode) ? 'write' : need.mode
  const fresh = [...KNOWN_CAPABILITIES]
    .filter(([, capability]) => capability.resource === need.type && capability.mode === mode)
    .map(([name]) => (need.scope === undefined ? { name } : { name, scope: need.scope }))
  known.set(need, fresh)
  return fresh
}
