import type { Spot } from './spot.ts'

/** The value without the keys that no subschema knows; the same object where there are none. */
export function strip(spots: readonly Spot[], value: unknown): unknown {
  if (spots.length === 0 || typeof value !== 'object' || value === null) return value
  const [first] = spots
  const together =
    spots.length === 1 && first !== undefined
      ? first.together()
      : [...new Set(spots.flatMap((spot) => spot.together()))]
  if (Array.isArray(value)) return stripItems(together, value)
  return stripFields(together, value as Readonly<Record<string, unknown>>)
}

/** The keys of an object that no subschema knows. */
export function unknownKeys(together: readonly Spot[], value: object): readonly string[] {
  if (!together.some((spot) => spot.lists) || together.some((spot) => spot.names === 'all'))
    return []
  return Object.keys(value).filter((name) => !together.some((spot) => knows(spot, name)))
}

function knows({ names, mentioned }: Spot, name: string): boolean {
  return names === 'all' || names?.has(name) === true || mentioned?.has(name) === true
}

function stripFields(together: readonly Spot[], value: Readonly<Record<string, unknown>>): unknown {
  const unknown = new Set(unknownKeys(together, value))
  let isSame = unknown.size === 0
  const entries: [string, unknown][] = []
  for (const name of Object.keys(value)) {
    if (unknown.has(name)) continue
    const member = value[name]
    const kept = typeof member === 'object' ? strip(membersAt(together, name), member) : member
    isSame &&= kept === member
    entries.push([name, kept])
  }
  return isSame ? value : Object.fromEntries(entries)
}

function stripItems(together: readonly Spot[], items: readonly unknown[]): unknown {
  let kept: unknown[] | undefined
  for (let index = 0; index < items.length; index++) {
    if (typeof items[index] !== 'object') continue
    const item = strip(membersAt(together, index), items[index])
    if (item === items[index]) continue
    kept ??= [...items]
    kept[index] = item
  }
  return kept ?? items
}

function membersAt(together: readonly Spot[], step: string | number): readonly Spot[] {
  return together.flatMap((spot) => spot.members?.get(step) ?? [])
}
