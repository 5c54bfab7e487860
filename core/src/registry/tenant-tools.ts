import { Descriptor, type ExecuteTool, type ToolDescriptor } from './definition.ts'
import { isEnabled, type TenantPolicy, tighten } from './policy.ts'
import type { RegistryOf } from './tenant-registry.ts'

type List = {
  readonly revision: number
  readonly policy: TenantPolicy | undefined
  readonly tools: readonly ToolDescriptor[]
}

export type TenantTools = (tenant: string) => readonly ToolDescriptor[]

/** Document 003's one list: deterministic, with the tenant's policy applied; made once while neither changes. */
export function createTenantTools(
  registryOf: RegistryOf,
  policyOf: (tenant: string) => TenantPolicy | undefined,
  execute: ExecuteTool,
): TenantTools {
  const lists = new Map<string, List>()
  return (tenant) => {
    const policy = policyOf(tenant)
    const registry = registryOf(tenant)
    const known = lists.get(tenant)
    if (known !== undefined && known.revision === registry.revision() && known.policy === policy)
      return known.tools
    const enabled = registry.list().filter((tool) => isEnabled(tool, policy))
    const tools = enabled.map(
      (tool) => new Descriptor(policy === undefined ? tool : tighten(tool, policy), execute),
    )
    lists.set(tenant, { revision: registry.revision(), policy, tools })
    return tools
  }
}
