import type { ToolErrorCode } from '../call/errors.ts'
import type { RequiredCapability } from '../define/contract.ts'
import { scopeCovers, scopeNamed } from '../define/data-scope.ts'
import { usualScope } from '../define/standard-capabilities.ts'
import type { Asked } from './attributes.ts'
import type { Gap } from './gaps.ts'
import { coversName, type PermissionScheme } from './permissions.ts'
import { shownIn } from './zone-time.ts'

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

/** One thing in the way: how it is told, and the code it is refused with. */
export type Obstacle = {
  readonly code: ToolErrorCode
  readonly missing: MissingPermission
  readonly details: Readonly<Record<string, unknown>>
}

type Words = Pick<MissingPermission, 'kind' | 'explanation' | 'granted_by'> &
  Pick<Obstacle, 'code' | 'details'>

/** A gap, told to a person: what is missing and what would take it away. */
export function gapObstacle(
  gap: Gap,
  need: RequiredCapability,
  asked: Asked,
  scheme: PermissionScheme,
): Obstacle {
  const { kind, explanation, granted_by, code, details } = wordsOf(gap, need, asked, scheme)
  return {
    code,
    details,
    missing: { kind, name: need.name, needed: inWords(need), explanation, granted_by },
  }
}

function wordsOf(
  gap: Gap,
  need: RequiredCapability,
  asked: Asked,
  scheme: PermissionScheme,
): Words {
  const { tool, caller } = asked
  const capabilityMissing = { code: 'TOOL_CAPABILITY_MISSING', details: {} } as const
  switch (gap.kind) {
    case 'capability':
      return {
        ...capabilityMissing,
        kind: 'capability',
        explanation: `${tool.id} needs ${inWords(need)}, which ${caller.principal} does not have.`,
        granted_by: grantedBy(need, scheme),
      }
    case 'scope':
      return {
        ...capabilityMissing,
        details: { needed_scope: need.scope, held_scope: gap.held },
        kind: 'scope',
        explanation: `${tool.id} needs ${inWords(need)}; ${caller.principal} has it with the scope ${gap.held}.`,
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
        granted_by: `It holds where ${gap.why}; or ask an administrator to grant ${inWords(need)} without the rule.`,
      }
    case 'malformed':
      return malformed(gap, need, asked)
    case 'time':
      return closed(gap, need, asked)
  }
}

function malformed(
  gap: Extract<Gap, { kind: 'malformed' }>,
  need: RequiredCapability,
  { tool, caller }: Asked,
): Words {
  const whose =
    gap.whose === 'tool' ? `the contract of ${tool.id}` : `a grant of ${caller.principal}`
  return {
    code: 'TOOL_CONFIGURATION_ERROR',
    details: { capability: need.name, trouble: gap.trouble },
    kind: 'condition',
    explanation: `${need.name} stands under a condition in ${whose} that can not be kept, so it is refused. ${gap.trouble}`,
    granted_by: `An administrator must correct ${whose}.`,
  }
}

function closed(
  gap: Extract<Gap, { kind: 'time' }>,
  need: RequiredCapability,
  { tool }: Asked,
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
  const shown = `${shownIn(gap.opensAt, gap.zone)} (${gap.zone})`
  return {
    kind,
    code,
    details: { ...details, opens_at: new Date(gap.opensAt).toISOString() },
    explanation: `${sentence}; it opens at ${shown}.`,
    granted_by: `Call again from ${shown}.`,
  }
}

function inWords({ name, scope }: RequiredCapability): string {
  return scope === undefined ? name : `${name} with the scope ${scopeNamed(scope)}`
}

/** What would give it: roles that include it, and in any case an administrator. */
export function grantedBy(need: RequiredCapability, scheme: PermissionScheme): string {
  const roles = rolesWith(need, scheme)
  const ask = `sk an administrator to grant ${inWords(need)}.`
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
