import type { AttributeLeaf, AttributeOperator, AttributeRule } from '../call/attribute-rule.ts'
import type { ToolErrorCode } from '../call/errors.ts'
import type { RequiredCapability } from '../define/contract.ts'
import { type Scope, scopeCovers, scopeNamed, widthOf } from '../define/data-scope.ts'
import { usualScope } from '../define/standard-capabilities.ts'
import { type AccessQuery, type Attributes, attributesOf, judgeRule } from './attribute-rules.ts'
import {
  areWindowsOpen,
  type GrantStatus,
  grantStatuses,
  isDelegated,
  type Terms,
  tryReadTerms,
  zoneOf,
} from './grants.ts'
import { coversName, type PermissionScheme } from './permission-scheme.ts'
import { formatInZone, nextOpening } from './time-window.ts'

const WORDS: Readonly<
  Record<AttributeOperator, { readonly must: string; readonly mustNot: string }>
> = {
  eq: { must: 'must be', mustNot: 'must not be' },
  ne: { must: 'must be there and not be', mustNot: 'must be' },
  in: { must: 'must be one of', mustNot: 'must not be one of' },
  not_in: { must: 'must be there and not be one of', mustNot: 'must be one of' },
  lt: { must: 'must be less than', mustNot: 'must not be less than' },
  lte: { must: 'must be at most', mustNot: 'must be more than' },
  gt: { must: 'must be more than', mustNot: 'must be at most' },
  gte: { must: 'must be at least', mustNot: 'must be less than' },
  contains: { must: 'must contain', mustNot: 'must not contain' },
  starts_with: { must: 'must begin with', mustNot: 'must not begin with' },
  exists: { must: 'must be there', mustNot: 'must not be there' },
}

/**
 * The first leaf that stands in a rule's way, in words; undefined where nothing does. It tells what
 * is needed, never what was found.
 */
export function explainRule(rule: AttributeRule, attributes: Attributes): string | undefined {
  return judgeRule(rule, attributes) === false ? findLeaf(rule, attributes, 'must') : undefined
}

// under a `not` everything is turned round: what holds is then in the way
function findLeaf(rule: AttributeRule, attributes: Attributes, wish: 'must' | 'mustNot'): string {
  if ('not' in rule) return findLeaf(rule.not, attributes, wish === 'must' ? 'mustNot' : 'must')
  if (!('all' in rule) && !('any' in rule)) return formatLeaf(rule, wish)
  const unwanted = wish === 'mustNot'
  const parts = 'all' in rule ? rule.all : rule.any
  const first = parts.find((part) => judgeRule(part, attributes) === unwanted)
  return first === undefined ? 'a rule is in the way' : findLeaf(first, attributes, wish)
}

function formatLeaf({ attribute, op, value }: AttributeLeaf, wish: 'must' | 'mustNot'): string {
  const words = `${attribute} ${WORDS[op][wish]}`
  return value === undefined ? words : `${words} ${formatValue(value)}`
}

function formatValue(value: unknown): string {
  return Array.isArray(value)
    ? value.map((item) => JSON.stringify(item)).join(', ')
    : JSON.stringify(value)
}

/** Why a capability is not there. */
export type Gap =
  | { readonly kind: 'delegation' }
  | { readonly kind: 'capability' }
  | { readonly kind: 'scope'; readonly held: Scope }
  | { readonly kind: 'time'; readonly opensAt: number | undefined; readonly zone: string }
  | { readonly kind: 'attribute'; readonly why: string }
  | { readonly kind: 'malformed'; readonly whose: 'tool' | 'grant'; readonly trouble: string }

/** Everything between the caller and one needed capability; nothing where it is met. */
export function findGaps(
  need: RequiredCapability,
  query: AccessQuery,
  scheme: PermissionScheme,
): readonly Gap[] {
  const handed: readonly Gap[] = isDelegated(query.caller, need.name)
    ? []
    : [{ kind: 'delegation' }]
  const terms = tryReadTerms(need)
  if (typeof terms === 'string')
    return [...handed, { kind: 'malformed', whose: 'tool', trouble: terms }]
  const held = grantStatuses(need, query, scheme)
  const gap = grantGap(held, query)
  const isClosed = !areWindowsOpen(terms.windows, query) || gap === 'closed'
  return [
    ...handed,
    ...(gap === undefined || gap === 'closed' ? [] : [gap]),
    ...(isClosed ? [timeGap(terms, held, query)] : []),
  ]
}

// one usable grant is enough; without any, a malformed one is reported first, since only an
// administrator can fix it
function grantGap(
  held: readonly GrantStatus[],
  query: AccessQuery,
): Exclude<Gap, { kind: 'time' }> | 'closed' | undefined {
  if (held.some(({ kind }) => kind === 'usable')) return undefined
  const malformed = held.find((standing) => standing.kind === 'malformed')
  if (malformed !== undefined)
    return { kind: 'malformed', whose: 'grant', trouble: malformed.trouble }
  if (held.some(({ kind }) => kind === 'closed')) return 'closed'
  const ruledOut = held.find((standing) => standing.kind === 'ruled_out')
  if (ruledOut !== undefined)
    return {
      kind: 'attribute',
      why: explainRule(ruledOut.rule, attributesOf(query)) ?? 'its rule does not hold',
    }
  const [first, ...rest] = held.flatMap((standing) =>
    standing.kind === 'too_narrow' ? [standing.scope] : [],
  )
  if (first === undefined) return { kind: 'capability' }
  return {
    kind: 'scope',
    held: rest.reduce(
      (widest, scope) => (widthOf(scope) > widthOf(widest) ? scope : widest),
      first,
    ),
  }
}

// the tool's hours and those of one of the grants must be open together
function timeGap(needed: Terms, held: readonly GrantStatus[], query: AccessQuery): Gap {
  const inTime = held.flatMap((standing) =>
    standing.kind === 'usable' || standing.kind === 'closed' ? [standing.terms.windows] : [],
  )
  const ways = (inTime.length === 0 ? [[]] : inTime).map((windows) => [
    ...needed.windows,
    ...windows,
  ])
  const openings = ways.map((windows) =>
    nextOpening(windows, query.startedAt, (window) => zoneOf(window, query)),
  )
  const zones = new Set(ways.flat().map((window) => zoneOf(window, query)))
  const [zone = 'UTC'] = zones
  const opensAt = Math.min(...openings.map((opening) => opening ?? Number.POSITIVE_INFINITY))
  return {
    kind: 'time',
    opensAt: Number.isFinite(opensAt) ? opensAt : undefined,
    zone: zones.size === 1 ? zone : 'UTC',
  }
}

/** One permission that a caller lacks, and what would grant it. */
export type MissingPermission = {
  kind:
    | 'authentication'
    | 'role'
    | 'capability'
    | 'scope'
    | 'condition'
    | 'attribute'
    | 'security_level'
    | 'resource'
    | 'delegation'
    | 'policy'
  name: string
  needed: string
  explanation: string
  granted_by: string
}

/** One reason for a refusal: its explanation, and the error code. */
export type Obstacle = {
  readonly code: ToolErrorCode
  readonly missing: MissingPermission
  readonly details: Readonly<Record<string, unknown>>
}

type Words = Pick<MissingPermission, 'kind' | 'explanation' | 'granted_by'> &
  Pick<Obstacle, 'code' | 'details'>

/** A gap, told to a person: what is missing and what would take it away. */
export function explainGap(
  gap: Gap,
  need: RequiredCapability,
  query: AccessQuery,
  scheme: PermissionScheme,
): Obstacle {
  const { kind, explanation, granted_by, code, details } = describeGap(gap, need, query, scheme)
  return {
    code,
    details,
    missing: { kind, name: need.name, needed: formatNeed(need), explanation, granted_by },
  }
}

function describeGap(
  gap: Gap,
  need: RequiredCapability,
  query: AccessQuery,
  scheme: PermissionScheme,
): Words {
  const { tool, caller } = query
  const capabilityMissing = { code: 'TOOL_CAPABILITY_MISSING', details: {} } as const
  switch (gap.kind) {
    case 'capability':
      return {
        ...capabilityMissing,
        kind: 'capability',
        explanation: `${tool.id} needs ${formatNeed(need)}, which ${caller.principal} does not have.`,
        granted_by: grantedBy(need, scheme),
      }
    case 'scope':
      return {
        ...capabilityMissing,
        details: { needed_scope: need.scope, held_scope: gap.held },
        kind: 'scope',
        explanation: `${tool.id} needs ${formatNeed(need)}; ${caller.principal} has it with the scope ${gap.held}.`,
        granted_by: grantedBy(need, scheme),
      }
    case 'delegation':
      return {
        ...capabilityMissing,
        kind: 'delegation',
        explanation: `${tool.id} needs ${need.name}, which was not handed to the agent of ${caller.principal}.`,
        granted_by: `Let ${caller.principal} delegate ${need.name} to the agent.`,
      }
    case 'attribute':
      return {
        code: 'TOOL_INSUFFICIENT_PERMISSIONS',
        details: { capability: need.name, rule: gap.why },
        kind: 'attribute',
        explanation: `${tool.id} needs ${need.name}, which ${caller.principal} has under a rule that does not hold here: ${gap.why}.`,
        granted_by: `It holds where ${gap.why}; or ask an administrator to grant ${formatNeed(need)} without the rule.`,
      }
    case 'malformed':
      return describeMalformed(gap, need, query)
    case 'time':
      return describeClosed(gap, need, query)
  }
}

function describeMalformed(
  gap: Extract<Gap, { kind: 'malformed' }>,
  need: RequiredCapability,
  { tool, caller }: AccessQuery,
): Words {
  const whose =
    gap.whose === 'tool' ? `the contract of ${tool.id}` : `a grant of ${caller.principal}`
  return {
    code: 'TOOL_CONFIGURATION_ERROR',
    details: { capability: need.name, trouble: gap.trouble },
    kind: 'condition',
    explanation: `${need.name} stands under a condition in ${whose} that cannot be enforced, so it is refused. ${gap.trouble}`,
    granted_by: `An administrator must correct ${whose}.`,
  }
}

function describeClosed(
  gap: Extract<Gap, { kind: 'time' }>,
  need: RequiredCapability,
  { tool }: AccessQuery,
): Words {
  const kind = 'condition'
  const code = 'TOOL_INSUFFICIENT_PERMISSIONS'
  const details = { condition: 'time_restriction', capability: need.name }
  const sentence = `${tool.id} needs ${need.name}, which is not open at this hour`
  if (gap.opensAt === undefined) {
    const granted_by = 'Ask an administrator to change its hours.'
    return {
      kind,
      code,
      details,
      explanation: `${sentence} nor within the next two weeks.`,
      granted_by,
    }
  }
  const shown = `${formatInZone(gap.opensAt, gap.zone)} (${gap.zone})`
  return {
    kind,
    code,
    details: { ...details, opens_at: new Date(gap.opensAt).toISOString() },
    explanation: `${sentence}; it opens at ${shown}.`,
    granted_by: `Call again from ${shown}.`,
  }
}

function formatNeed({ name, scope }: RequiredCapability): string {
  return scope === undefined ? name : `${name} with the scope ${scopeNamed(scope)}`
}

/** What would give it: roles that include it, and in any case an administrator. */
export function grantedBy(need: RequiredCapability, scheme: PermissionScheme): string {
  const roles = rolesWith(need, scheme)
  const ask = `sk an administrator to grant ${formatNeed(need)}.`
  return roles.length === 0 ? `A${ask}` : `The role ${roles.join(' or ')} includes it; or a${ask}`
}

function rolesWith(
  { name, scope }: RequiredCapability,
  scheme: PermissionScheme,
): readonly string[] {
  return [...scheme.held].flatMap(([role, { byName, patterns }]) => {
    const covering = [
      ...(byName.get(name) ?? []),
      ...patterns.filter((grant) => coversName(grant.name, name)),
    ]
    const isEnough = covering.some(
      (grant) =>
        scope === undefined ||
        scopeCovers(scopeNamed(grant.scope ?? usualScope(name)), scopeNamed(scope)),
    )
    return isEnough ? [role] : []
  })
}
