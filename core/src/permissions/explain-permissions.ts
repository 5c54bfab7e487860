import type { Condition } from '../call/caller.ts'
import { burdens } from './access.ts'
import type { Asked } from './attributes.ts'
import type { MissingPermission } from './gap-words.ts'
import { obstaclesOf } from './obstacles.ts'
import type { PermissionScheme } from './permissions.ts'

/** What stands between a caller and a tool, and what would remove each obstacle. */
export type PermissionCheckResult = {
  allowed: boolean
  tool_id: string
  missing: MissingPermission[]
  /** Conditions that the call itself still has to meet: limits it counts against, approvals it needs. */
  conditions: CapabilityCondition[]
}

/** A condition, as permission checks and published definitions spell it. */
export type CapabilityCondition = {
  type: Condition['type']
  parameters: Record<string, unknown>
}

/**
 * Everything that is missing, and what would grant it; with it the conditions that a call would still meet.
 * Without an input, a rule over the input is left to the call.
 */
export function checkPermissions(asked: Asked, scheme: PermissionScheme): PermissionCheckResult {
  const missing = obstaclesOf(asked, scheme).map((obstacle) => obstacle.missing)
  return {
    allowed: missing.length === 0,
    tool_id: asked.tool.id,
    missing,
    conditions: stillToMeet(asked, scheme),
  }
}

function stillToMeet(asked: Asked, scheme: PermissionScheme): CapabilityCondition[] {
  const own = asked.tool.contract.capabilities.flatMap(({ conditions }) => conditions ?? [])
  const held = new Set(burdens(asked, scheme).map(({ grant }) => grant))
  return [...own, ...[...held].flatMap(({ conditions }) => conditions ?? [])]
    .filter(isToMeet)
    .map(published)
}

// an hour is open or it is missing; the others are met by the call
function isToMeet({ type }: Condition): boolean {
  return type !== 'time_restriction'
}

function published({ type, parameters }: Condition): CapabilityCondition {
  return { type, parameters: { ...parameters } }
}
