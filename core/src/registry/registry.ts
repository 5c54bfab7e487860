import type { Pack, PackPublication, ToolModule } from '../define/pack.ts'
import type { Tool } from '../define/tool.ts'
import type { TenantTool, TenantTools } from '../ports/tenant-tools.ts'
import { compareVersions, fold, pickVersion, similarIds } from './tool-names.ts'

/**
 * A deprecated tool runs with a warning, later its replacement runs in its place, at last calls are
 * refused.
 */
export type Deprecation = {
  readonly toolId: string
  readonly since: number
  readonly replacement: string | undefined
  readonly message: string
  /** From when calls go to the replacement, and from when they are refused. */
  readonly redirectFrom: number | undefined
  readonly disableFrom: number | undefined
}

/** What is known of a tool besides its definition. Times are in milliseconds since 1970. */
export type Registration = {
  /** When the first and the newest version of the tool were defined or registered. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Where its code is, if its pack says so. */
  readonly implementation?: ToolModule
}

/** The tools of a runtime, by every name they answer to. */
export type Registry = {
  readonly find: (name: string) => Tool | undefined
  /** The newest version of every tool, by id. */
  readonly list: () => readonly Tool[]
  /** Oldest first. */
  readonly versions: (id: string) => readonly Tool[]
  /** Ids that resemble this one, to suggest after a typing error. */
  readonly similar: (name: string) => readonly string[]
  /** Adds a tool, or a further version of one. */
  readonly add: (tool: Tool) => void
  readonly deprecate: (deprecation: Deprecation) => void
  /** Of the tool that answers to this name. */
  readonly deprecation: (name: string) => Deprecation | undefined
  /** Why this tool cannot be called for now: it has changed since an administrator accepted it. */
  readonly quarantineReason: (id: string) => string | undefined
  /** Did a tenant import it? */
  readonly isTenantTool: (id: string) => boolean
  /** Counts changes: what was derived from the list is valid while the number stays the same. */
  readonly revision: () => number
  /** When the first version of a tool and this one were registered, and where its code is. */
  readonly registeredAt: (tool: Tool) => Registration
  /** When a tool was last added. */
  readonly changedAt: () => number
}

const LONGEST_WIRE_NAME = 64

/**
 * The id as models get it, since not every API allows dots: `booking.bookSlot` becomes
 * `booking__bookSlot`.
 */
export function wireName(id: string): string {
  return id.replaceAll('.', '__')
}

/** `published`: what the packs say of their tools; others are registered when they are added. */
export function createRegistry(
  tools: Iterable<Tool>,
  now: () => number = () => 0,
  published: ReadonlyMap<Tool, Registration> = new Map(),
): Registry {
  const byId = new Map<string, Tool[]>()
  const names = createNames()
  const deprecations = new Map<string, Deprecation>()
  let sorted: readonly Tool[] | undefined
  let revision = 0
  const dates = trackDates(now, published)

  function add(tool: Tool): void {
    if (wireName(tool.id).length > LONGEST_WIRE_NAME)
      throw new TypeError(
        `The id "${tool.id}" is too long: as ${wireName(tool.id)} it must fit into ${LONGEST_WIRE_NAME} characters.`,
      )
    const versions = byId.get(tool.id) ?? []
    if (versions.some((known) => known.version === tool.version))
      throw new TypeError(`${tool.id}@${tool.version} is registered already.`)
    names.reserve(tool)
    byId.set(
      tool.id,
      [...versions, tool].sort((left, right) => compareVersions(left.version, right.version)),
    )
    dates.record(tool, versions[0])
    sorted = undefined
    revision++
  }

  for (const tool of tools) add(tool)

  return {
    find(name) {
      const newest = byId.get(names.idOf(name) ?? '')?.at(-1)
      if (newest !== undefined) return newest
      const at = name.lastIndexOf('@')
      return at < 0
        ? undefined
        : pickVersion(byId.get(names.idOf(name.slice(0, at)) ?? '') ?? [], name.slice(at + 1))
    },
    list() {
      sorted ??= [...byId.values()]
        .flatMap((versions) => versions.at(-1) ?? [])
        .sort((left, right) => (left.id < right.id ? -1 : 1))
      return sorted
    },
    versions: (id) => byId.get(id) ?? [],
    similar: (name) => similarIds(name, byId.keys()),
    add,
    deprecate(deprecation) {
      deprecations.set(deprecation.toolId, deprecation)
      revision++
    },
    deprecation: (name) =>
      deprecations.size === 0 ? undefined : deprecations.get(names.idOf(name) ?? name),
    quarantineReason: () => undefined,
    isTenantTool: () => false,
    revision: () => revision,
    registeredAt: dates.of,
    changedAt: dates.changedAt,
  }
}

/**
 * Which id each name belongs to. Names that people could mistake for each other belong to one tool
 * only.
 */
function createNames(): {
  readonly reserve: (tool: Tool) => void
  readonly idOf: (name: string) => string | undefined
} {
  const ids = new Map<string, string>()
  const folded = new Map<string, string>()
  return {
    reserve(tool) {
      const names = new Set([tool.id, wireName(tool.id), ...tool.aliases])
      for (const name of names) {
        const taken = folded.get(fold(name))
        if (taken !== undefined && taken !== tool.id)
          throw new TypeError(`The name "${name}" of ${tool.id} is taken by ${taken}.`)
      }
      for (const name of names) {
        folded.set(fold(name), tool.id)
        ids.set(name, tool.id)
      }
    },
    idOf: (name) => ids.get(name),
  }
}

function trackDates(
  now: () => number,
  published: ReadonlyMap<Tool, Registration>,
): {
  readonly record: (tool: Tool, firstVersion: Tool | undefined) => void
  readonly of: (tool: Tool) => Registration
  readonly changedAt: () => number
} {
  const startedAt = now()
  let changedAt = startedAt
  const dates = new Map<Tool, Registration>()
  const of = (tool: Tool): Registration =>
    published.get(tool) ?? dates.get(tool) ?? { createdAt: startedAt, updatedAt: startedAt }
  return {
    record(tool, firstVersion) {
      changedAt = now()
      const first = firstVersion === undefined ? undefined : of(firstVersion)
      dates.set(tool, { ...first, createdAt: first?.createdAt ?? changedAt, updatedAt: changedAt })
    },
    of,
    changedAt: () => changedAt,
  }
}

/** What the packs say of their tools, by tool. */
export function publishedTools(
  packs: readonly Pick<Pack, 'publication' | 'tools'>[],
): ReadonlyMap<Tool, Registration> {
  return new Map(
    packs.flatMap(({ publication, tools }) =>
      publication === undefined
        ? []
        : tools.map((tool) => [tool, toRegistration(tool, publication)] as const),
    ),
  )
}

function toRegistration(
  { id }: Tool,
  { created, updated, implementation }: PackPublication,
): Registration {
  const named = implementation?.(id)
  return {
    createdAt: Date.parse(created),
    updatedAt: Date.parse(updated),
    ...(named === undefined ? {} : { implementation: named }),
  }
}

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
