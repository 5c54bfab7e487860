import type { Caller } from '../call/caller.ts'
import { scoped } from '../call/scope.ts'
import { ToolError } from '../call/tool-error.ts'
import type { RequiredCapability } from '../define/contract.ts'
import { type Scope, scopeNamed } from '../define/data-scope.ts'
import type { Tool } from '../define/tool.ts'
import type { Asked } from './attributes.ts'
import { bestGrant, holdsPlainly, isDelegated, isMet, type Usable } from './grants.ts'
import type { PermissionScheme } from './permissions.ts'
import { openersOf } from './resources.ts'
import { type Terms, termsOf } from './terms.ts'

/** A limit that comes from a condition, with the key its calls are counted under. */
export type ConditionLimit = {
  readonly calls: number
  readonly windowMs: number
  readonly key: string
}

export type Access = {
  /** The scope within which the tool may act for this caller: the narrower of what it asks for and what is held. */
  readonly scopeOf: (capability: string) => Scope
  /**
   * Whether the caller has a capability that the contract does not ask for with every call: some inputs want more than others.
   * One that is held under a condition is not had: nobody would ask for its yes or count its limit.
   */
  readonly holds: (capability: string) => boolean
  /** The scope of each capability the tool asks for: an answer made under other scopes is another answer. */
  readonly scopes: () => ReadonlyMap<string, Scope>
}

/** What an authorized call may do, for whoever must keep it on the data. */
export function accessOf(asked: Asked, scheme: PermissionScheme): Access {
  return {
    scopeOf: (capability) => scopeFor(capability, asked, scheme),
    holds: (capability) =>
      isDelegated(asked.caller, capability) &&
      holdsPlainly({ name: capability }, asked.caller, scheme),
    scopes: () =>
      new Map(
        asked.tool.contract.capabilityNames.map((name) => [name, scopeFor(name, asked, scheme)]),
      ),
  }
}

function scopeFor(capability: string, asked: Asked, scheme: PermissionScheme): Scope {
  const { tool } = asked
  const need = tool.contract.capabilities.find(({ name }) => name === capability)
  if (need === undefined)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `${tool.id} acts by ${capability}, which its contract does not ask for.`,
    )
  if (!isMet(need, asked, scheme)) throw lacking(capability, asked)
  // what is held covers what is asked for, so what is asked for is the narrower
  if (need.scope !== undefined) return scopeNamed(need.scope)
  const best = bestGrant([need], asked, scheme)
  if (best === undefined) throw lacking(capability, asked)
  return best.scope
}

function lacking(capability: string, { tool, caller }: Asked): ToolError {
  return new ToolError(
    'TOOL_CAPABILITY_MISSING',
    `${tool.id} needs ${capability}, which ${caller.principal} lacks.`,
  )
}

const NO_LIMITS: readonly ConditionLimit[] = []

/** The limits that conditions add: the tool's count its own calls, a grant's count every use of the grant; both by principal. */
export function conditionLimits(asked: Asked, scheme: PermissionScheme): readonly ConditionLimit[] {
  const { tool, caller } = asked
  if (isUnconditional(tool, caller, scheme)) return NO_LIMITS
  const rates = [
    ...tool.contract.capabilities.flatMap(({ name, conditions }) =>
      keyed(['tool', tool.id, name], termsOf(conditions), caller),
    ),
    ...burdens(asked, scheme).flatMap(({ grant, terms }) =>
      keyed(['grant', grant.name, grant.scope ?? ''], terms, caller),
    ),
  ]
  // a grant that serves two needs of one call is used once
  return [...new Map(rates.map((rate) => [rate.key, rate])).values()]
}

function keyed(
  whose: readonly string[],
  { limits }: Terms,
  { tenant, principal }: Caller,
): readonly ConditionLimit[] {
  return limits.map(({ calls, windowMs }) => ({
    calls,
    windowMs,
    key: scoped('condition', tenant, principal, ...whose, `${calls}/${windowMs}`),
  }))
}

/** Whose yes the conditions ask for. An administrator's is the stronger. */
export function conditionApproval(
  asked: Asked,
  scheme: PermissionScheme,
): 'consent' | 'admin' | undefined {
  const { tool, caller } = asked
  if (isUnconditional(tool, caller, scheme)) return undefined
  const kinds = [
    ...tool.contract.capabilities.map(({ conditions }) => termsOf(conditions).approval),
    ...burdens(asked, scheme).map(({ terms }) => terms.approval),
  ]
  return kinds.includes('admin') ? 'admin' : kinds.find((kind) => kind !== undefined)
}

/** The grants with conditions that this call rests on, because the caller has no better ones. */
export function burdens(asked: Asked, scheme: PermissionScheme): readonly Usable[] {
  const { capabilities, resources } = asked.tool.contract
  const needs: readonly (readonly RequiredCapability[])[] = [
    ...capabilities.map((need) => [need]),
    ...resources.map(openersOf),
  ]
  return needs.flatMap((anyOf) => {
    const ways = anyOf.filter((need) => isDelegated(asked.caller, need.name))
    if (ways.some((need) => holdsPlainly(need, asked.caller, scheme))) return []
    const best = bestGrant(ways, asked, scheme)
    return best === undefined ? [] : [best]
  })
}

// on the way of every call: looks at nothing but whether there is a condition anywhere
function isUnconditional(tool: Tool, caller: Caller, scheme: PermissionScheme): boolean {
  if (scheme.hasConditions) return false
  for (const need of tool.contract.capabilities) if (need.conditions !== undefined) return false
  for (const held of caller.capabilities)
    if (typeof held !== 'string' && held.conditions !== undefined) return false
  return true
}
