import type { Tool } from '../define/tool.ts'
import type { TenantTool, TenantTools } from '../ports/tenant-tools.ts'
import { fold } from './fold.ts'
import { type Registry, wireName } from './registry.ts'
import { similarIds } from './similar.ts'
import { pickVersion } from './versions.ts'

/** The house's tools, and with them what a tenant brought. */
export type RegistryOf = (tenant: string) => Registry

type Known = { readonly brought: readonly TenantTool[]; readonly registry: Registry }

/** What a tenant brought stands beside the house's own tools and never in their place. */
export function tenantRegistries(house: Registry, brought: TenantTools | undefined): RegistryOf {
  if (brought === undefined) return () => house
  const known = new Map<string, Known>()
  let made = 0
  return (tenant) => {
    const list = brought.of(tenant)
    const before = known.get(tenant)
    if (before?.brought === list) return before.registry
    // also for a tenant that has nothing left: what was made from its longer list is good no more
    const registry =
      list.length === 0 && before === undefined ? house : extended(house, list, ++made)
    known.set(tenant, { brought: list, registry })
    return registry
  }
}

// revisions of different lists must differ, whatever is added to the house meanwhile
const APART = 1_000_000_000

function extended(house: Registry, brought: readonly TenantTool[], number: number): Registry {
  const byName = new Map<string, TenantTool>()
  // as the eye reads them: what could be taken for another tool is none
  const taken = new Set(
    house.list().flatMap(({ id, aliases }) => [id, wireName(id), ...aliases].map(fold)),
  )
  for (const one of brought) {
    const { id } = one.tool
    const names = [...new Set([id, wireName(id)])]
    if (names.some((name) => taken.has(fold(name)))) continue
    for (const name of names) {
      taken.add(fold(name))
      byName.set(name, one)
    }
  }
  const ours = [...new Set(byName.values())]
  const open = ours.filter(({ quarantineReason }) => quarantineReason === undefined).map(({ tool }) => tool)
  let listed: { readonly house: readonly Tool[]; readonly all: readonly Tool[] } | undefined

  function findOurs(name: string): Tool | undefined {
    const plain = byName.get(name)?.tool
    if (plain !== undefined) return plain
    const at = name.lastIndexOf('@')
    const tool = at < 0 ? undefined : byName.get(name.slice(0, at))?.tool
    return tool === undefined ? undefined : pickVersion([tool], name.slice(at + 1))
  }

  return {
    ...house,
    find: (name) => house.find(name) ?? findOurs(name),
    list() {
      const own = house.list()
      if (listed?.house !== own)
        listed = {
          house: own,
          all: [...own, ...open].sort((left, right) => (left.id < right.id ? -1 : 1)),
        }
      return listed.all
    },
    versions(id) {
      const tool = byName.get(id)?.tool
      return tool === undefined ? house.versions(id) : [tool]
    },
    similar: (name) =>
      similarIds(
        name,
        [...house.list(), ...open].map(({ id }) => id),
      ),
    isBrought: (id) => byName.has(id),
    held: (id) => byName.get(id)?.quarantineReason ?? house.held(id),
    revision: () => number * APART + house.revision(),
  }
}
