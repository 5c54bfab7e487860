import { ruleTrouble } from '../call/attribute-rule.ts'
import type { Caller, Grant } from '../call/caller.ts'
import type { RequiredCapability } from '../define/contract.ts'
import { type Scope, scopeCovers, scopeNamed, widthOf } from '../define/data-scope.ts'
import { usualScope } from '../define/standard-capabilities.ts'
import { verdict } from './attribute-rules.ts'
import { type Asked, attributesOf } from './attributes.ts'
import { explainRule } from './explain-rule.ts'
import { coversName, type PermissionScheme } from './permissions.ts'
import { areOpen, type Terms, termsOf } from './terms.ts'

/** How a grant that covers a capability by name stands to what is needed of it. */
export type Standing =
  | { readonly kind: 'usable'; readonly grant: Grant; readonly scope: Scope; readonly terms: Terms }
  | { readonly kind: 'closed'; readonly terms: Terms }
  | { readonly kind: 'ruled_out'; readonly why: string }
  | { readonly kind: 'too_narrow'; readonly scope: Scope }
  | { readonly kind: 'malformed'; readonly trouble: string }

export type Usable = Extract<Standing, { kind: 'usable' }>

// `*.delete`, and its kin: whoever may not delete one thing may not delete all of them (data.delete_all)
const DESTROYS = /\.delete(?:_[^.]*)?$/

/** Is the credential good for this, and was it handed to the agent? By default everything is, but what destroys or reshapes. */
export function isDelegated(caller: Caller, name: string): boolean {
  if (caller.scopes !== undefined && !caller.scopes.some((scope) => coversName(scope, name)))
    return false
  if (caller.actor !== 'ai_agent') return true
  if (caller.delegated !== undefined)
    return caller.delegated.some((delegated) => coversName(delegated, name))
  return name !== 'project.write' && !DESTROYS.test(name)
}

/** Is the need met, now, by what the caller holds? */
export function isMet(need: RequiredCapability, asked: Asked, scheme: PermissionScheme): boolean {
  if (!isDelegated(asked.caller, need.name)) return false
  if (need.conditions !== undefined && !isReadableAndOpen(need, asked)) return false
  return holdsPlainly(need, asked.caller, scheme) || bestGrant([need], asked, scheme) !== undefined
}

function isReadableAndOpen(need: RequiredCapability, asked: Asked): boolean {
  const terms = readableTerms(need)
  return typeof terms !== 'string' && areOpen(terms.windows, asked)
}

/** The conditions' terms, or what is wrong with them. */
export function readableTerms({ conditions }: Pick<Grant, 'conditions'>): Terms | string {
  try {
    return termsOf(conditions)
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}

/** The common case, without a list made: a grant without conditions or rule covers it. */
export function holdsPlainly(
  need: RequiredCapability,
  caller: Caller,
  scheme: PermissionScheme,
): boolean {
  for (const held of caller.capabilities) {
    if (
      typeof held === 'string'
        ? coversName(held, need.name) && reaches(undefined, need)
        : isPlainFor(need, held)
    )
      return true
  }
  for (const role of caller.roles) {
    const grants = scheme.held.get(role)
    if (grants === undefined) continue
    for (const held of grants.byName.get(need.name) ?? NONE) if (isPlainFor(need, held)) return true
    for (const held of grants.patterns) if (isPlainFor(need, held)) return true
  }
  return false
}

const NONE: readonly Grant[] = []

function isPlainFor(need: RequiredCapability, held: Grant): boolean {
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

// a pattern stands for a list of names, each with its usual scope: `*` alone opens no more data than its parts
function scopeOfGrant(scope: string | undefined, name: string): Scope {
  return scope === undefined ? usualScope(name) : scopeNamed(scope)
}

/**
 * The grant that serves the caller best, of all that are usable for any of these needs: the least burden
 * (a limit, then a consent, then an administrator), then the widest scope, then the first held:
 * the caller's own before its roles'; of a role names before patterns, and its own before those of the roles it includes.
 */
export function bestGrant(
  needs: readonly RequiredCapability[],
  asked: Asked,
  scheme: PermissionScheme,
): Usable | undefined {
  let best: Usable | undefined
  for (const need of needs) {
    for (const standing of standings(need, asked, scheme)) {
      if (standing.kind === 'usable' && (best === undefined || isBetter(standing, best)))
        best = standing
    }
  }
  return best
}

function isBetter(one: Usable, other: Usable): boolean {
  if (one.terms.burden !== other.terms.burden) return one.terms.burden < other.terms.burden
  return widthOf(one.scope) > widthOf(other.scope)
}

/** How each grant stands that covers the capability by name, in the order they are held. */
export function standings(
  need: RequiredCapability,
  asked: Asked,
  scheme: PermissionScheme,
): readonly Standing[] {
  return covering(need.name, asked.caller, scheme).map((held) => standingOf(held, need, asked))
}

function covering(name: string, caller: Caller, scheme: PermissionScheme): readonly Grant[] {
  const found: Grant[] = []
  for (const held of caller.capabilities) {
    if (coversName(typeof held === 'string' ? held : held.name, name))
      found.push(typeof held === 'string' ? { name: held } : held)
  }
  for (const role of caller.roles) {
    const grants = scheme.held.get(role)
    if (grants === undefined) continue
    found.push(...(grants.byName.get(name) ?? NONE))
    for (const held of grants.patterns) if (coversName(held.name, name)) found.push(held)
  }
  return found
}

function standingOf(grant: Grant, need: RequiredCapability, asked: Asked): Standing {
  const terms = readableTerms(grant)
  if (typeof terms === 'string') return { kind: 'malformed', trouble: terms }
  const trouble = grant.when === undefined ? undefined : ruleTrouble(grant.when)
  if (trouble !== undefined)
    return { kind: 'malformed', trouble: `Its rule can not be kept: ${trouble}.` }
  const scope = scopeOfGrant(grant.scope, need.name)
  if (!reaches(grant.scope, need)) return { kind: 'too_narrow', scope }
  if (!areOpen(terms.windows, asked)) return { kind: 'closed', terms }
  if (grant.when !== undefined && verdict(grant.when, attributesOf(asked)) === false)
    return {
      kind: 'ruled_out',
      why: explainRule(grant.when, attributesOf(asked)) ?? 'its rule does not hold',
    }
  return { kind: 'usable', grant, scope, terms }
}
