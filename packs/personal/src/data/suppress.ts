/** A number of a group of people. */
export type Group = { readonly group: string; readonly people: number; readonly value: number }
export type ToldGroup = Group | { readonly group: string; readonly suppressed: true }

/** Fewer than this many can be recognised by their number. */
export const FEWEST_PEOPLE = 3

/**
 * Leaves out the groups that are too small. Where that is one alone, the next smallest goes too:
 * taken from the whole, what is told would otherwise tell what is not.
 */
export function suppressSmall(groups: readonly Group[]): readonly ToldGroup[] {
  const bySize = groups.toSorted((one, other) => one.people - other.people)
  const small = bySize.filter(({ people }) => people < FEWEST_PEOPLE)
  const hidden = new Set(small.length === 1 ? bySize.slice(0, 2) : small)
  return groups.map((one) => (hidden.has(one) ? { group: one.group, suppressed: true } : one))
}
