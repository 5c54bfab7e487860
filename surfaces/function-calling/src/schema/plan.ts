import type { JsonSchema } from '@surehand/core/internal'

/** How a value of a compiled schema becomes one of the original again, and the other way. */
export type Plan =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'object'
      readonly members: ReadonlyMap<string, Member>
      readonly extra: Extra | undefined
    }
  | { readonly kind: 'list'; readonly items: Plan }
  | {
      readonly kind: 'tuple'
      readonly members: ReadonlyMap<string, Member>
      readonly rest: Extra | undefined
    }
  | { readonly kind: 'union'; readonly branches: readonly Branch[] }
  | { readonly kind: 'reference'; readonly to: string }
  | { readonly kind: 'wrapped'; readonly name: string; readonly inside: Plan }

export type Member = {
  readonly plan: Plan
  /** What null means on the way back. */
  readonly whenNull: 'absent' | 'null'
  /** How a member that isn't there is written. */
  readonly whenAbsent: 'absent' | 'null'
}
/** Members beside the named ones: a list under this name. */
export type Extra = { readonly name: string; readonly plan: Plan }
export type Branch = {
  readonly compiled: JsonSchema
  readonly original: JsonSchema
  readonly plan: Plan
}

/** A plan with what its references and its branches' schemas point into. */
export type Translation = {
  readonly plan: Plan
  readonly definitions: ReadonlyMap<string, Plan>
  readonly compiledRoot: JsonSchema
  readonly originalRoot: JsonSchema
}

export const SAME: Plan = { kind: 'same' }

/** Is a value what it was before? Then nobody needs to parse it. A union that changes nothing is none. */
export function isSame(plan: Plan, definitions: ReadonlyMap<string, Plan>): boolean {
  const seen = new Set<string>()
  const same = (one: Plan): boolean => {
    switch (one.kind) {
      case 'same':
        return true
      case 'object':
        return (
          one.extra === undefined &&
          [...one.members.values()].every(
            (member) => member.whenNull === 'null' && same(member.plan),
          )
        )
      case 'list':
        return same(one.items)
      case 'union':
        return one.branches.every((branch) => same(branch.plan))
      case 'reference': {
        if (seen.has(one.to)) return true
        seen.add(one.to)
        return same(definitions.get(one.to) ?? SAME)
      }
      case 'tuple':
      case 'wrapped':
        return false
    }
  }
  return same(plan)
}
