import { mapOf, numberOf, sourceOf, sourcesOf } from './schema-keywords.ts'
import { atomsOf, leastOf, mostOf, requiredOf, type View } from './schema-view.ts'

/** A limit of a number. */
export type Limit = { readonly value: number; readonly isExclusive: boolean }

/** The strictest lower limit of a number. */
export function lowerOf(view: View): Limit | undefined {
  const limits = limitsOf(view, 'minimum', 'exclusiveMinimum')
  return limits.reduce<Limit | undefined>(
    (best, limit) => (best === undefined || !isAtLeast(best, limit) ? limit : best),
    undefined,
  )
}

/** The strictest upper limit of a number. */
export function upperOf(view: View): Limit | undefined {
  const limits = limitsOf(view, 'maximum', 'exclusiveMaximum')
  return limits.reduce<Limit | undefined>(
    (best, limit) => (best === undefined || !isAtMost(best, limit) ? limit : best),
    undefined,
  )
}

function limitsOf(view: View, inclusive: string, exclusive: string): readonly Limit[] {
  return view.parts.flatMap((part) => [
    ...[numberOf(part, inclusive) ?? []].flat().map((value) => ({ value, isExclusive: false })),
    ...[numberOf(part, exclusive) ?? []].flat().map((value) => ({ value, isExclusive: true })),
  ])
}

/** Whether a lower limit lets nothing through that the other holds back. */
export function isAtLeast(limit: Limit, other: Limit): boolean {
  return (
    limit.value > other.value ||
    (limit.value === other.value && (limit.isExclusive || !other.isExclusive))
  )
}

/** Whether an upper limit lets nothing through that the other holds back. */
export function isAtMost(limit: Limit, other: Limit): boolean {
  return (
    limit.value < other.value ||
    (limit.value === other.value && (limit.isExclusive || !other.isExclusive))
  )
}

/** The same limit for whole numbers: above 0 is from 1. */
export function wholeLower({ value, isExclusive }: Limit): Limit {
  const next = isExclusive ? Math.floor(value) + 1 : Math.ceil(value)
  // beyond 2^53 there is no next number
  return Number.isSafeInteger(next) ? { value: next, isExclusive: false } : { value, isExclusive }
}

/** The same limit for whole numbers: below 1 is up to 0. */
export function wholeUpper({ value, isExclusive }: Limit): Limit {
  const next = isExclusive ? Math.ceil(value) - 1 : Math.floor(value)
  return Number.isSafeInteger(next) ? { value: next, isExclusive: false } : { value, isExclusive }
}

export function isWhole(view: View): boolean {
  return !atomsOf(view).has('fraction')
}

/** The number of items or fields there must be at least, also where only `required` says so. */
export function leastSize(view: View, keyword: string): number | undefined {
  const stated = leastOf(view, keyword)
  if (keyword !== 'minProperties') return stated
  return Math.max(stated ?? 0, requiredOf(view).size)
}

/**
 * The number of items or fields there may be at most, also where only the lack of others says so.
 */
export function mostSize(view: View, keyword: string): number | undefined {
  const stated = mostOf(view, keyword)
  const implied =
    keyword === 'maxItems'
      ? mostItems(view)
      : keyword === 'maxProperties'
        ? closedNames(view)?.length
        : undefined
  return implied === undefined ? stated : Math.min(stated ?? implied, implied)
}

function mostItems(view: View): number | undefined {
  const lengths = view.parts
    .filter((part) => sourceOf(part, 'items') === false)
    .map((part) => sourcesOf(part, 'prefixItems').length)
  return lengths.length === 0 ? undefined : Math.min(...lengths)
}

/** The only names fields may have, where a part takes no other. */
export function closedNames(view: View): readonly string[] | undefined {
  const closed = view.parts.find(
    (part) =>
      sourceOf(part, 'additionalProperties') === false &&
      Object.keys(mapOf(part, 'patternProperties')).length === 0,
  )
  return closed === undefined ? undefined : Object.keys(mapOf(closed, 'properties'))
}
