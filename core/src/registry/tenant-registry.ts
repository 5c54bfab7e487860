import type { Tool } from '../define/tool.ts'
import type { TenantTool, TenantTools } from '../ports/tenant-tools.ts'
import { type Registry, wireName } from './registry.ts'
import { fold, pickVersion, similarIds } from './tool-names.ts'

/** The tools that all tenants share, together with those that one tenant imported. */
export type RegistryOf = (tenant: string) => Registry

type Known = { readonly tenantTools: readonly TenantTool[]; readonly registry: Registry }

/** A tenant's imported tools are added to the shared ones and never replace one. */
export function tenantRegistries(shared: Registry, imported: TenantTools | undefined): RegistryOf {
  if (imported === undefined) return () => shared
  const known = new Map<string, Known>()
  let made = 0
  return (tenant) => {
    const list = imported.of(tenant)
    const before = known.get(tenant)
    if (before?.tenantTools === list) return before.registry
    // also for a tenant whose list has become empty: what was derived from the longer list is
    // outdated
    const registry =
      list.length === 0 && before === undefined ? shared : extendRegistry(shared, list, ++made)
    known.set(tenant, { tenantTools: list, registry })
    return registry
  }
}

// revisions of different lists must differ, whatever is added to the shared tools meanwhile
const APART = 1_000_000_000

function extendRegistry(
  shared: Registry,
  imported: readonly TenantTool[],
  number: number,
): Registry {
  const byName = new Map<string, TenantTool>()
  // compared as people read them: a name that could be mistaken for another tool's is not
  // registered
  const taken = new Set(
    shared.list().flatMap(({ id, aliases }) => [id, wireName(id), ...aliases].map(fold)),
  )
  for (const one of imported) {
    const { id } = one.tool
    const names = [...new Set([id, wireName(id)])]
    if (names.some((name) => taken.has(fold(name)))) continue
    for (const name of names) {
      taken.add(fold(name))
      byName.set(name, one)
    }
  }
  const ours = [...new Set(byName.values())]
  const open = ours
    .filter(({ quarantineReason }) => quarantineReason === undefined)
    .map(({ tool }) => tool)
  let listed: { readonly shared: readonly Tool[]; readonly all: readonly Tool[] } | undefined

  function findOurs(name: string): Tool | undefined {
    const plain = byName.get(name)?.tool
    if (plain !== undefined) return plain
    const at = name.lastIndexOf('@')
    const tool = at < 0 ? undefined : byName.get(name.slice(0, at))?.tool
    return tool === undefined ? undefined : pickVersion([tool], name.slice(at + 1))
  }

  return {
    ...shared,
    find: (name) => shared.find(name) ?? findOurs(name),
    list() {
      const own = shared.list()
      if (listed?.shared !== own)
        listed = {
          shared: own,
          all: [...own, ...open].sort((left, right) => (left.id < right.id ? -1 : 1)),
        }
      return listed.all
    },
    versions(id) {
      const tool = byName.get(id)?.tool
      return tool === undefined ? shared.versions(id) : [tool]
    },
    similar: (name) =>
      similarIds(
        name,
        [...shared.list(), ...open].map(({ id }) => id),
      ),
    isTenantTool: (id) => byName.has(id),
    quarantineReason: (id) => byName.get(id)?.quarantineReason ?? shared.quarantineReason(id),
    revision: () => number * APART + shared.revision(),
  }
}
