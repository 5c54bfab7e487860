import type { Caller } from '../call/caller.ts'
import type { Maybe } from '../call/maybe.ts'
import type { Tool } from '../define/tool.ts'
import { mayUse } from '../permissions/may-use.ts'
import type { RegistryContext } from './context.ts'
import { isEnabled, type TenantPolicy } from './policy.ts'

/**
 * The newest versions of what a caller may use now, by id. The same list while nothing has changed.
 */
export type VisibleTools = (caller: Caller) => Maybe<readonly Tool[]>

type Seen = {
  readonly revision: number
  readonly policy: TenantPolicy | undefined
  readonly minute: number
  readonly tools: readonly Tool[]
}

// cached lists of recurring callers; a list costs one pointer per tool
const MOST_LISTS = 500
// rights that depend on the time change at full minutes only
const MINUTE_MS = 60_000

/** Judges every tool by the tenant's policy and the caller's rights, once a minute and caller. */
export function createVisibleTools({
  administration,
  registryOf,
  scheme,
  clock,
  policyOf,
}: RegistryContext): VisibleTools {
  const lists = new Map<string, Seen>()

  function listVisible(caller: Caller): readonly Tool[] {
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
    const tools = registry
      .list()
      .filter((tool) => isEnabled(tool, policy) && mayUse({ tool, caller, startedAt }, scheme))
    lists.delete(key)
    lists.set(key, { revision, policy, minute, tools })
    for (const oldest of lists.keys()) {
      if (lists.size <= MOST_LISTS) break
      lists.delete(oldest)
    }
    return tools
  }

  return (caller) => {
    // a policy that this process has not read yet must not be treated as no policy
    const loading = administration.ready(caller.tenant)
    return loading === undefined ? listVisible(caller) : loading.then(() => listVisible(caller))
  }
}
