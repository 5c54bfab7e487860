import { ANONYMOUS, type Caller } from '../call/caller.ts'
import { scopedKey } from '../call/scope.ts'
import { ToolError } from '../call/tool-error.ts'
import type { RequiredCapability, ResourceNeed } from '../define/contract.ts'
import { type Scope, scopeNamed } from '../define/data-scope.ts'
import type { NormalContract } from '../define/normal.ts'
import type { Tool } from '../define/tool.ts'
import { type AccessQuery, attributesOf, judgeRule } from './attribute-rules.ts'
import {
  bestGrant,
  capabilitiesFor,
  holdsUnconditionally,
  isDelegated,
  isMet,
  scopeByName,
  type Terms,
  termsOf,
  type UsableGrant,
} from './grants.ts'
import { hasRole, isCleared, type PermissionScheme } from './permission-scheme.ts'

/**
 * May this caller use this tool, now? The bare answer, on the way of every call: where all is plain
 * nothing is made.
 */
export function mayUse(query: AccessQuery, scheme: PermissionScheme): boolean {
  const { caller } = query
  const { contract } = query.tool
  return (
    isSignedIn(caller, contract.auth) &&
    hasAnyRole(caller, contract.roles, scheme) &&
    hasCapabilities(query, contract, scheme) &&
    isCleared(caller, contract.securityLevel) &&
    (contract.resources.length === 0 ||
      contract.resources.every((resource) => hasResource(resource, query, scheme))) &&
    (contract.when === undefined || judgeRule(contract.when, attributesOf(query)) !== false)
  )
}

export function isSignedIn(caller: Caller, auth: NormalContract['auth']): boolean {
  if (auth === 'none') return true
  return (
    caller.principal !== ANONYMOUS.principal && (auth === 'service' || caller.session !== undefined)
  )
}

/** Any of the roles is enough; where none is named, everybody is meant. */
export function hasAnyRole(
  caller: Caller,
  roles: readonly string[],
  scheme: PermissionScheme,
): boolean {
  if (roles.length === 0) return true
  for (const role of roles) if (hasRole(caller.roles, role, scheme)) return true
  return false
}

function hasCapabilities(
  query: AccessQuery,
  contract: NormalContract,
  scheme: PermissionScheme,
): boolean {
  for (const need of contract.capabilities) if (!isMet(need, query, scheme)) return false
  return true
}

/**
 * Any capability that opens the resource is enough; where the table knows none, nothing is query.
 */
export function hasResource(
  resource: ResourceNeed,
  query: AccessQuery,
  scheme: PermissionScheme,
): boolean {
  const openers = capabilitiesFor(resource)
  return openers.length === 0 || openers.some((opener) => isMet(opener, query, scheme))
}

/** A limit that comes from a condition, with the key its calls are counted under. */
export type ConditionLimit = {
  readonly calls: number
  readonly windowMs: number
  readonly key: string
}

export type Access = {
  /**
   * The scope within which the tool may act for this caller: the narrower of what it asks for and
   * what is held.
   */
  readonly scopeOf: (capability: string) => Scope
  /**
   * Whether the caller has a capability that the contract does not require for every call: some
   * inputs need more than others. A capability held under a condition does not count: its approval
   * would not be requested and its limit not be counted.
   */
  readonly holds: (capability: string) => boolean
  /**
   * The scope of each capability the tool asks for: an answer made under other scopes is another
   * answer.
   */
  readonly scopes: () => readonly (readonly [capability: string, scope: Scope])[]
}

/** What an authorized call may do with the data it reads and writes. */
export function accessOf(query: AccessQuery, scheme: PermissionScheme): Access {
  return {
    scopeOf: (capability) => scopeFor(capability, query, scheme),
    holds: (capability) =>
      isDelegated(query.caller, capability) &&
      holdsUnconditionally({ name: capability }, query.caller, scheme),
    scopes: () => scopesOf(query, scheme),
  }
}

/** `scopes` of `accessOf` alone, which the claim of every write asks for. */
export function scopesOf(
  query: AccessQuery,
  scheme: PermissionScheme,
): ReturnType<Access['scopes']> {
  return query.tool.contract.capabilityNames.map((name) => [name, scopeFor(name, query, scheme)])
}

function scopeFor(capability: string, query: AccessQuery, scheme: PermissionScheme): Scope {
  const { tool } = query
  const need = tool.contract.capabilities.find(({ name }) => name === capability)
  if (need === undefined)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `${tool.id} acts by ${capability}, which its contract does not ask for.`,
    )
  if (!isMet(need, query, scheme)) throw missingCapability(capability, query)
  // what is held covers what is query for, so what is query for is the narrower
  if (need.scope !== undefined) return scopeNamed(need.scope)
  const plain = scopeByName(capability, query.caller, scheme)
  if (plain !== undefined) return plain
  const best = bestGrant([need], query, scheme)
  if (best === undefined) throw missingCapability(capability, query)
  return best.scope
}

function missingCapability(capability: string, { tool, caller }: AccessQuery): ToolError {
  return new ToolError(
    'TOOL_CAPABILITY_MISSING',
    `${tool.id} needs ${capability}, which ${caller.principal} lacks.`,
  )
}

const NO_LIMITS: readonly ConditionLimit[] = []

/**
 * The limits that conditions add: the tool's count its own calls, a grant's count every use of the
 * grant; both by principal.
 */
export function conditionLimits(
  query: AccessQuery,
  scheme: PermissionScheme,
): readonly ConditionLimit[] {
  const { tool, caller } = query
  if (isUnconditional(tool, caller, scheme)) return NO_LIMITS
  const rates = [
    ...tool.contract.capabilities.flatMap(({ name, conditions }) =>
      toConditionLimits(['tool', tool.id, name], termsOf(conditions), caller),
    ),
    ...conditionalGrants(query, scheme).flatMap(({ grant, terms }) =>
      toConditionLimits(['grant', grant.name, grant.scope ?? ''], terms, caller),
    ),
  ]
  // a grant that serves two needs of one call is used once
  return [...new Map(rates.map((rate) => [rate.key, rate])).values()]
}

function toConditionLimits(
  whose: readonly string[],
  { limits }: Terms,
  { tenant, principal }: Caller,
): readonly ConditionLimit[] {
  return limits.map(({ calls, windowMs }) => ({
    calls,
    windowMs,
    key: scopedKey('condition', tenant, principal, ...whose, `${calls}/${windowMs}`),
  }))
}

/** Whose yes the conditions ask for. An administrator's is the stronger. */
export function conditionApproval(
  query: AccessQuery,
  scheme: PermissionScheme,
): 'consent' | 'admin' | undefined {
  const { tool, caller } = query
  if (isUnconditional(tool, caller, scheme)) return undefined
  const kinds = [
    ...tool.contract.capabilities.map(({ conditions }) => termsOf(conditions).approval),
    ...conditionalGrants(query, scheme).map(({ terms }) => terms.approval),
  ]
  return kinds.includes('admin') ? 'admin' : kinds.find((kind) => kind !== undefined)
}

/** The grants with conditions that this call rests on, because the caller has no better ones. */
export function conditionalGrants(
  query: AccessQuery,
  scheme: PermissionScheme,
): readonly UsableGrant[] {
  const { capabilities, resources } = query.tool.contract
  const needs: readonly (readonly RequiredCapability[])[] = [
    ...capabilities.map((need) => [need]),
    ...resources.map(capabilitiesFor),
  ]
  return needs.flatMap((anyOf) => {
    const ways = anyOf.filter((need) => isDelegated(query.caller, need.name))
    if (ways.some((need) => holdsUnconditionally(need, query.caller, scheme))) return []
    const best = bestGrant(ways, query, scheme)
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
