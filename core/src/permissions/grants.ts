import { type AttributeRule, ruleTrouble } from '../call/attribute-rule.ts'
import type { Caller, Condition, Grant } from '../call/caller.ts'
import { readCondition, type TimeWindow } from '../define/condition.ts'
import type { RequiredCapability, ResourceNeed } from '../define/contract.ts'
import { type Scope, scopeCovers, scopeNamed, widthOf } from '../define/data-scope.ts'
import { KNOWN_CAPABILITIES, usualScope } from '../define/standard-capabilities.ts'
import { type AccessQuery, attributesOf, judgeRule } from './attribute-rules.ts'
import { coversName, type PermissionScheme } from './permission-scheme.ts'
import { isOpenAt, wallMinute } from './time-window.ts'

/** The combined effect of a list of conditions. */
export type Terms = {
  readonly windows: readonly TimeWindow[]
  readonly limits: readonly { readonly calls: number; readonly windowMs: number }[]
  readonly approval: 'consent' | 'admin' | undefined
  /**
   * How much the conditions demand: a limit counts 1, a consent 2, an administrator's approval 4.
   */
  readonly weight: number
}

const NO_TERMS: Terms = { windows: [], limits: [], approval: undefined, weight: 0 }

const readLists = new WeakMap<readonly Condition[], Terms>()

/** Parses conditions, once per list; throws a TypeError that names one that cannot be enforced. */
export function termsOf(conditions: readonly Condition[] | undefined): Terms {
  if (conditions === undefined) return NO_TERMS
  const earlier = readLists.get(conditions)
  if (earlier !== undefined) return earlier
  const fresh = readTerms(conditions)
  readLists.set(conditions, fresh)
  return fresh
}

function readTerms(conditions: readonly Condition[]): Terms {
  const read = conditions.map(readCondition)
  const limits = read.flatMap((one) =>
    one.type === 'rate_limit' ? [{ calls: one.calls, windowMs: one.windowMs }] : [],
  )
  const needsAdmin = read.some((one) => one.type === 'admin_approval')
  const needsConsent = read.some((one) => one.type === 'user_consent')
  return {
    windows: read.flatMap((one) => (one.type === 'time_restriction' ? [one.window] : [])),
    limits,
    approval: needsAdmin ? 'admin' : needsConsent ? 'consent' : undefined,
    weight: (limits.length > 0 ? 1 : 0) + (needsConsent ? 2 : 0) + (needsAdmin ? 4 : 0),
  }
}

/** Are all the windows open at the call's moment? */
export function areWindowsOpen(windows: readonly TimeWindow[], query: AccessQuery): boolean {
  return windows.every((window) =>
    isOpenAt(window, wallMinute(query.startedAt, zoneOf(window, query))),
  )
}

/** The zone a window is judged in: its own, else the caller's, else UTC. */
export function zoneOf(window: TimeWindow, query: AccessQuery): string {
  return window.timeZone ?? query.caller.timeZone ?? 'UTC'
}

const WRITES: readonly string[] = ['write', 'create', 'update']

const openersByNeed = new WeakMap<ResourceNeed, readonly RequiredCapability[]>()

/**
 * The capabilities of which any one gives access to a declared resource; to create and to update is
 * to write. None for a resource and mode that the table does not contain: no caller could hold a
 * right to it, so the tool's own capabilities protect it.
 */
export function capabilitiesFor(need: ResourceNeed): readonly RequiredCapability[] {
  const earlier = openersByNeed.get(need)
  if (earlier !== undefined) return earlier
  const mode = WRITES.includes(need.mode) ? 'write' : need.mode
  const fresh = [...KNOWN_CAPABILITIES]
    .filter(([, capability]) => capability.resource === need.type && capability.mode === mode)
    .map(([name]) => (need.scope === undefined ? { name } : { name, scope: need.scope }))
  openersByNeed.set(need, fresh)
  return fresh
}

/** Whether a grant that covers a capability by name satisfies a need, or why not. */
export type GrantStatus =
  | { readonly kind: 'usable'; readonly grant: Grant; readonly scope: Scope; readonly terms: Terms }
  | { readonly kind: 'closed'; readonly terms: Terms }
  | { readonly kind: 'ruled_out'; readonly rule: AttributeRule }
  | { readonly kind: 'too_narrow'; readonly scope: Scope }
  | { readonly kind: 'malformed'; readonly trouble: string }

export type UsableGrant = Extract<GrantStatus, { kind: 'usable' }>

// `*.delete` and its relatives: an agent that may not delete one thing may not delete all of them
// (data.delete_all)
const DESTROYS = /\.delete(?:_[^.]*)?$/

/**
 * May the credential be used for this, and was it delegated to the agent? By default an agent gets
 * everything that does not delete.
 */
export function isDelegated(caller: Caller, name: string): boolean {
  if (caller.scopes !== undefined && !caller.scopes.some((scope) => coversName(scope, name)))
    return false
  if (caller.actor !== 'ai_agent') return true
  if (caller.delegated !== undefined)
    return caller.delegated.some((delegated) => coversName(delegated, name))
  return name !== 'project.write' && !DESTROYS.test(name)
}

/** Does the caller hold what is needed, at this time? */
export function isMet(
  need: RequiredCapability,
  query: AccessQuery,
  scheme: PermissionScheme,
): boolean {
  if (!isDelegated(query.caller, need.name)) return false
  if (need.conditions !== undefined && !isReadableAndOpen(need, query)) return false
  return (
    holdsUnconditionally(need, query.caller, scheme) ||
    bestGrant([need], query, scheme) !== undefined
  )
}

function isReadableAndOpen(need: RequiredCapability, query: AccessQuery): boolean {
  const terms = tryReadTerms(need)
  return typeof terms !== 'string' && areWindowsOpen(terms.windows, query)
}

/** The terms of the conditions, or what is wrong with them. */
export function tryReadTerms({ conditions }: Pick<Grant, 'conditions'>): Terms | string {
  try {
    return termsOf(conditions)
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}

/** The common case, checked without allocating: a grant without conditions or rule covers it. */
export function holdsUnconditionally(
  need: RequiredCapability,
  caller: Caller,
  scheme: PermissionScheme,
): boolean {
  for (const held of caller.capabilities) {
    if (
      typeof held === 'string'
        ? coversName(held, need.name) && reaches(undefined, need)
        : isUnconditionalFor(need, held)
    )
      return true
  }
  for (const role of caller.roles) {
    const grants = scheme.held.get(role)
    if (grants === undefined) continue
    for (const held of grants.byName.get(need.name) ?? NONE)
      if (isUnconditionalFor(need, held)) return true
    for (const held of grants.patterns) if (isUnconditionalFor(need, held)) return true
  }
  return false
}

/**
 * The scope of a capability that only names cover, which the caller's own token or session holds:
 * the usual one. Undefined where a grant covers it too: then `bestGrant` compares them.
 */
export function scopeByName(
  name: string,
  caller: Caller,
  scheme: PermissionScheme,
): Scope | undefined {
  for (const held of caller.capabilities)
    if (typeof held !== 'string' && coversName(held.name, name)) return undefined
  for (const role of caller.roles) {
    const grants = scheme.held.get(role)
    if (grants === undefined) continue
    if (grants.byName.has(name)) return undefined
    for (const held of grants.patterns) if (coversName(held.name, name)) return undefined
  }
  return usualScope(name)
}

const NONE: readonly Grant[] = []

function isUnconditionalFor(need: RequiredCapability, held: Grant): boolean {
  return (
    held.conditions === undefined &&
    held.when === undefined &&
    coversName(held.name, need.name) &&
    reaches(held.scope, need)
  )
}

function reaches(scope: string | undefined, need: RequiredCapability): boolean {
  return (
    need.scope === undefined || scopeCovers(scopeOfGrant(scope, need.name), scopeNamed(need.scope))
  )
}

// a pattern stands for a list of names, each with its usual scope: `*` grants no more data than its
// parts
function scopeOfGrant(scope: string | undefined, name: string): Scope {
  return scope === undefined ? usualScope(name) : scopeNamed(scope)
}

/**
 * The grant that serves the caller best, of all that are usable for any of these needs: the least
 * burden (a limit, then a consent, then an administrator), then the widest scope, then the first
 * held: the caller's own before its roles'; of a role names before patterns, and its own before
 * those of the roles it includes.
 */
export function bestGrant(
  needs: readonly RequiredCapability[],
  query: AccessQuery,
  scheme: PermissionScheme,
): UsableGrant | undefined {
  let best: UsableGrant | undefined
  for (const need of needs) {
    for (const held of grantsCovering(need.name, query.caller, scheme)) {
      const standing = grantStatus(held, need, query)
      if (standing.kind === 'usable' && (best === undefined || isBetter(standing, best)))
        best = standing
    }
  }
  return best
}

function isBetter(one: UsableGrant, other: UsableGrant): boolean {
  if (one.terms.weight !== other.terms.weight) return one.terms.weight < other.terms.weight
  return widthOf(one.scope) > widthOf(other.scope)
}

/** The status of each grant that covers the capability by name, in the order they are held. */
export function grantStatuses(
  need: RequiredCapability,
  query: AccessQuery,
  scheme: PermissionScheme,
): readonly GrantStatus[] {
  return grantsCovering(need.name, query.caller, scheme).map((held) =>
    grantStatus(held, need, query),
  )
}

function grantsCovering(name: string, caller: Caller, scheme: PermissionScheme): readonly Grant[] {
  const found: Grant[] = []
  for (const held of caller.capabilities) {
    if (coversName(typeof held === 'string' ? held : held.name, name))
      found.push(typeof held === 'string' ? { name: held } : held)
  }
  for (const role of caller.roles) {
    const grants = scheme.held.get(role)
    if (grants === undefined) continue
    for (const held of grants.byName.get(name) ?? NONE) found.push(held)
    for (const held of grants.patterns) if (coversName(held.name, name)) found.push(held)
  }
  return found
}

function grantStatus(grant: Grant, need: RequiredCapability, query: AccessQuery): GrantStatus {
  const terms = tryReadTerms(grant)
  if (typeof terms === 'string') return { kind: 'malformed', trouble: terms }
  const trouble = grant.when === undefined ? undefined : ruleTrouble(grant.when)
  if (trouble !== undefined)
    return { kind: 'malformed', trouble: `Its rule cannot be enforced: ${trouble}.` }
  const scope = scopeOfGrant(grant.scope, need.name)
  if (!reaches(grant.scope, need)) return { kind: 'too_narrow', scope }
  if (!areWindowsOpen(terms.windows, query)) return { kind: 'closed', terms }
  if (grant.when !== undefined && judgeRule(grant.when, attributesOf(query)) === false)
    return { kind: 'ruled_out', rule: grant.when }
  return { kind: 'usable', grant, scope, terms }
}
