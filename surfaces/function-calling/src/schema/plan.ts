import type { JsonSchema } from '@surehand/core/internal'

/** How values are translated between a compiled schema and its original, in both directions. */
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
  /** What null from the model means in the original. */
  readonly whenNull: 'absent' | 'null'
  /** How a missing member is written in the compiled form. */
  readonly whenAbsent: 'absent' | 'null'
}
/** The members that are not named, as a list under this name. */
export type Extra = { readonly name: string; readonly plan: Plan }
export type Branch = {
  readonly compiled: JsonSchema
  readonly original: JsonSchema
  readonly plan: Plan
}

/** A plan with the definitions and root schemas that its references point into. */
export type Translation = {
  readonly plan: Plan
  readonly definitions: ReadonlyMap<string, Plan>
  readonly compiledRoot: JsonSchema
  readonly originalRoot: JsonSchema
}

export const SAME: Plan = { kind: 'same' }

/** Whether a plan changes no value, so that values need not be parsed. */
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
