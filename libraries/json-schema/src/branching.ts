import { BOUNDS, refused } from './bounds.ts'
import { hasSubschemas, listed, named, type Source, single } from './source.ts'

type Targets = ReadonlyMap<Source, readonly Source[]>

/** The subschemas that look at the same value as this one. */
export function inPlaceOf(source: Source, targets: Targets): readonly Source[] {
  const referred = targets.get(source) ?? []
  if (!hasSubschemas(source)) return referred
  const ones = ['not', 'if', 'then', 'else']
    .map((keyword) => single(source, keyword))
    .filter((inner) => inner !== undefined)
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listed(source, keyword))
  const maps = ['dependentSchemas', 'dependencies'].flatMap((keyword) =>
    named(source, keyword).map(([, inner]) => inner),
  )
  return [...referred, ...ones, ...lists, ...maps]
}

/** Refuses a schema that looks at one value endlessly, or in more ways than could be tried. */
export function refuseBranching(paths: ReadonlyMap<Source, string>, targets: Targets): void {
  const costs = new Map<Source, number>()
  for (const source of paths.keys()) costOf(source)

  function costOf(source: Source): number {
    if (typeof source === 'boolean') return 1
    const known = costs.get(source)
    const path = paths.get(source) ?? '#'
    if (known === Number.POSITIVE_INFINITY)
      throw refused(path, 'refers to itself without going deeper into the value')
    if (known !== undefined) return known
    costs.set(source, Number.POSITIVE_INFINITY)
    const cost = inPlaceOf(source, targets).reduce((sum, inner) => sum + costOf(inner), 1)
    if (cost > BOUNDS.branching)
      throw refused(
        path,
        `branches too much: more than ${BOUNDS.branching} ways to look at one value`,
      )
    costs.set(source, cost)
    return cost
  }
}
