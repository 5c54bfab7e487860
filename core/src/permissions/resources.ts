import type { RequiredCapability, ResourceNeed } from '../define/contract.ts'
import { KNOWN_CAPABILITIES } from '../define/standard-capabilities.ts'
import type { Tool } from '../define/tool.ts'
import type { AccessMode, ResourceAccess, ResourceType } from '../registry/documents.ts'

/** What a tool touches: as it declares, else as its capabilities say. */
export function resourceAccessOf(tool: Tool): readonly ResourceAccess[] {
  const { resources, capabilities } = tool.contract
  if (resources.length > 0)
    return resources.map(({ type, mode, scope }) => access(type, mode, scope))
  return capabilities.flatMap(({ name, scope }) => {
    const known = KNOWN_CAPABILITIES.get(name)
    if (known === undefined || known.resource === 'any') return []
    // the table's words are the document's
    return [access(known.resource as ResourceType, known.mode as AccessMode, scope ?? known.scope)]
  })
}

function access(type: ResourceType, mode: AccessMode, scope: string | undefined): ResourceAccess {
  return {
    resource_type: type,
    access_mode: mode,
    ...(scope === undefined ? {} : { scope_filter: scope }),
  }
}

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
