import type { Caller } from '../call/caller.ts'
import type { Maybe } from '../call/maybe.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { mayUse } from '../permissions/access.ts'
import type { PermissionScheme } from '../permissions/permission-scheme.ts'
import type { AuditStore } from '../ports/audit.ts'
import type { Clock } from '../ports/clock.ts'
import { nextPart } from '../ports/small-parts.ts'
import type { TextIndex } from '../ports/text-index.ts'
import type { RegistryContext } from './context.ts'
import { isEnabled, type TenantPolicy } from './policy.ts'
import type { Registry, RegistryOf } from './registry.ts'

/** A tool that a search found, and which of its texts matched. */
type FoundTool = {
  readonly tool: Tool
  readonly score: number
  readonly matched: 'id' | 'name' | 'description' | 'category' | 'text'
}

type ToolSearch = {
  readonly find: (query: string, tenant: string) => readonly FoundTool[]
  readonly prepare: (query: string, tenant: string) => Promise<void>
}

const BOOSTS = { id: 8, name: 5, aliases: 4, keywords: 2, phrases: 3, description: 2, category: 1 }
const EXACT_ID = 1_000_000
const EXACT_NAME = 500_000

/** Finds tools by their names and descriptions. The index is filled by the first search. */
function createToolSearch(registryOf: RegistryOf, index: TextIndex): ToolSearch {
  const indexed = new Map<string, Tool>()
  const revisions = new Map<string, number>()

  function refresh(tenant: string): void {
    const registry = registryOf(tenant)
    if (revisions.get(tenant) === registry.revision()) return
    revisions.set(tenant, registry.revision())
    for (const tool of registry.list()) {
      const key = keyOf(tool.id, tenant)
      // the shared tools are the same objects for every tenant
      if (indexed.get(tool.id) === tool || indexed.get(key) === tool) continue
      const isTenantTool = registry.isTenantTool(tool.id)
      index.put({
        id: isTenantTool ? key : tool.id,
        fields: textsOf(tool),
      })
      indexed.set(isTenantTool ? key : tool.id, tool)
    }
  }

  return {
    async prepare(query, tenant) {
      if (index.prepare === undefined) return
      refresh(tenant)
      await index.prepare(query)
    },
    find(query, tenant) {
      refresh(tenant)
      const registry = registryOf(tenant)
      const exact = registry.find(query.trim())
      const wanted = query.trim().toLowerCase()
      const hits = index.search(query, BOOSTS).flatMap(({ id, score }) => {
        const tool = indexed.get(id)
        // another tenant's, or one that this tenant has no more
        return tool === undefined || registry.find(tool.id) !== tool
          ? []
          : [rankHit(tool, score, wanted)]
      })
      const all =
        exact === undefined
          ? hits
          : [
              { tool: exact, score: EXACT_ID, matched: 'id' as const },
              ...hits.filter((hit) => hit.tool.id !== exact.id),
            ]
      // equal scores in one order, whatever order the index found them in
      return [...all].sort(
        (left, right) => right.score - left.score || (left.tool.id < right.tool.id ? -1 : 1),
      )
    },
  }
}

// Getters, so that an index can read the texts of thousands of tools bit by bit.
function textsOf(tool: Tool): Readonly<Record<string, string>> {
  return {
    id: tool.id,
    get name() {
      return tool.title
    },
    aliases: tool.aliases.join(' '),
    get description() {
      return tool.description
    },
    category: tool.category,
    get keywords() {
      return tool.keywords ?? ''
    },
    get phrases() {
      return tool.phrases ?? ''
    },
  }
}

// an id holds no blank
function keyOf(id: string, tenant: string): string {
  return `${tenant} ${id}`
}

function rankHit(tool: Tool, score: number, wanted: string): FoundTool {
  if (tool.title.toLowerCase() === wanted) return { tool, score: EXACT_NAME, matched: 'name' }
  const words = wanted.split(/\s+/)
  const holds = (text: string): boolean => words.some((word) => text.toLowerCase().includes(word))
  if (holds(tool.id)) return { tool, score, matched: 'id' }
  if (holds(tool.title)) return { tool, score, matched: 'name' }
  if (holds(tool.description)) return { tool, score, matched: 'description' }
  return { tool, score, matched: holds(tool.category) ? 'category' : 'text' }
}

/**
 * What libraries that publish or manage tools work with; `@surehand/documents` is one.
 * An application needs only `tools`, `visibleTools` and `searchTools` of the runtime.
 */
export type RegistryAccess = {
  /** The tools that every tenant shares. */
  readonly shared: Registry
  /** The shared tools and those of one tenant. */
  readonly of: RegistryOf
  readonly search: ToolSearch
  readonly scheme: PermissionScheme
  readonly policyOf: (tenant: string) => TenantPolicy | undefined
  readonly audit: AuditStore
  readonly clock: Clock
  readonly newId: (prefix: string) => string
}

/** The part of a runtime that lists and finds tools. */
export type ToolDirectory = {
  /**
   * Await this before a tenant's tools are shown.
   * Otherwise a policy that this process has not read yet would be taken for no policy.
   * With a query, a search for it ranks by meaning as well, where the index can.
   */
  readonly ready: (tenant: string, query?: string) => Promise<void> | undefined
  /** The tools that a caller may use now. Waits for the tenant's policy where it is not loaded. */
  readonly visibleTools: VisibleTools
  /** Finds tools that a caller may use, best first. Needs `textIndex`. */
  readonly searchTools: (
    caller: Caller,
    query: string,
    accepts?: (tool: Tool) => boolean,
  ) => readonly FoundTool[]
  readonly registry: RegistryAccess
}

const MAX_RESULTS = 50

export function toolDirectory(context: RegistryContext, index: TextIndex = noIndex): ToolDirectory {
  const { registry, registryOf, scheme, clock, policyOf } = context
  const search = createToolSearch(registryOf, index)
  return {
    ready(tenant, query) {
      const ready = context.administration.ready(tenant)
      if (query === undefined || index.prepare === undefined) return ready
      return Promise.resolve(ready).then(() => search.prepare(query, tenant))
    },
    visibleTools: createVisibleTools(context),
    searchTools(caller, query, accepts = isCurrent(registryOf(caller.tenant))) {
      const policy = policyOf(caller.tenant)
      const asked = { caller, startedAt: clock.now() }
      const found: FoundTool[] = []
      for (const hit of search.find(query, caller.tenant)) {
        if (found.length === MAX_RESULTS) break
        const { tool } = hit
        if (!isFor(caller, tool)) continue
        if (accepts(tool) && isEnabled(tool, policy) && mayUse({ ...asked, tool }, scheme))
          found.push(hit)
      }
      return found
    },
    registry: {
      shared: registry,
      of: registryOf,
      search,
      scheme,
      policyOf,
      audit: context.stores.audit,
      clock,
      newId: (prefix) => context.entropy.newId(prefix, clock.now()),
    },
  }
}

/** A model gains nothing from the parts of other tools, and pays for reading about them. */
function isFor({ actor }: Caller, { contract }: Tool): boolean {
  return contract.audience === 'everyone' || actor !== 'ai_agent'
}

function isCurrent(registry: Registry): (tool: Tool) => boolean {
  return (tool) => registry.deprecation(tool.id) === undefined
}

const noIndex: TextIndex = {
  put: () => undefined,
  remove: () => undefined,
  search: () => {
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'Tools cannot be searched: createRuntime was given no `textIndex`.',
      {
        suggestions: [
          'Pass one: createRuntime({ textIndex: miniSearchIndex() }), from @surehand/discovery.',
        ],
      },
    )
  },
}

/**
 * The newest versions of what a caller may use now, by id. The same list while nothing has changed.
 */
type VisibleTools = (caller: Caller) => Maybe<readonly Tool[]>

type Seen = {
  readonly revision: number
  readonly policy: TenantPolicy | undefined
  readonly minute: number
  tools: Maybe<readonly Tool[]>
}

// cached lists of recurring callers; a list costs one pointer per tool
const MOST_LISTS = 500
// rights that depend on the time change at full minutes only
const MINUTE_MS = 60_000

// Tools that are judged at a time: a fifth of a millisecond, so that other requests are served
// between.
const TOOLS_A_TIME = 100

/** Judges every tool by the tenant's policy and the caller's rights, once a minute and caller. */
function createVisibleTools({
  administration,
  registryOf,
  scheme,
  clock,
  policyOf,
}: RegistryContext): VisibleTools {
  const lists = new Map<string, Seen>()

  function remember(key: string, seen: Seen): void {
    lists.delete(key)
    lists.set(key, seen)
    for (const oldest of lists.keys()) {
      if (lists.size <= MOST_LISTS) break
      lists.delete(oldest)
    }
  }

  function listVisible(caller: Caller): Maybe<readonly Tool[]> {
    const policy = policyOf(caller.tenant)
    const registry = registryOf(caller.tenant)
    const startedAt = clock.now()
    const [revision, minute] = [registry.revision(), Math.floor(startedAt / MINUTE_MS)]
    // the whole caller, since a rule may refer to any of its fields
    const key = JSON.stringify(caller)
    const known = lists.get(key)
    if (
      known !== undefined &&
      known.revision === revision &&
      known.policy === policy &&
      known.minute === minute
    )
      return known.tools
    const isVisible = (tool: Tool): boolean =>
      isFor(caller, tool) && isEnabled(tool, policy) && mayUse({ tool, caller, startedAt }, scheme)
    const all = registry.list()
    const tools = all.length <= TOOLS_A_TIME ? all.filter(isVisible) : filterInTurns(all, isVisible)
    // while it is made, other requests of the caller wait for the same list
    const seen: Seen = { revision, policy, minute, tools }
    remember(key, seen)
    if (tools instanceof Promise)
      return tools.then((made) => {
        seen.tools = made
        return made
      })
    return tools
  }

  return (caller) => {
    // a policy that this process has not read yet must not be treated as no policy
    const loading = administration.ready(caller.tenant)
    return loading === undefined ? listVisible(caller) : loading.then(() => listVisible(caller))
  }
}

async function filterInTurns(
  tools: readonly Tool[],
  isVisible: (tool: Tool) => boolean,
): Promise<readonly Tool[]> {
  const visible: Tool[] = []
  for (let from = 0; from < tools.length; from += TOOLS_A_TIME) {
    if (from > 0) await nextPart()
    visible.push(...tools.slice(from, from + TOOLS_A_TIME).filter(isVisible))
  }
  return visible
}

/** How many of the tools, which are sorted by id, come before this id or have it. */
export function countUpTo(tools: readonly Tool[], id: string): number {
  let [low, high] = [0, tools.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tools[middle]?.id ?? '') <= id) low = middle + 1
    else high = middle
  }
  return low
}
