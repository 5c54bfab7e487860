import { BOUNDS, refuseSchema } from './bounds.ts'
import {
  hasSubschemas,
  listSubschemas,
  namedSubschemas,
  type Source,
  singleSubschema,
} from './source.ts'

type Targets = ReadonlyMap<Source, readonly Source[]>

/** The subschemas that are evaluated against the same value as this one. */
export function inPlaceSubschemas(source: Source, targets: Targets): readonly Source[] {
  const referred = targets.get(source) ?? []
  if (!hasSubschemas(source)) return referred
  const ones = ['not', 'if', 'then', 'else']
    .map((keyword) => singleSubschema(source, keyword))
    .filter((inner) => inner !== undefined)
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listSubschemas(source, keyword))
  const maps = ['dependentSchemas', 'dependencies'].flatMap((keyword) =>
    namedSubschemas(source, keyword).map(([, inner]) => inner),
  )
  return [...referred, ...ones, ...lists, ...maps]
}

/** Refuses a schema that would evaluate one value endlessly or by too many subschemas. */
export function checkBranching(paths: ReadonlyMap<Source, string>, targets: Targets): void {
  const costs = new Map<Source, number>()
  for (const source of paths.keys()) costOf(source)

  function costOf(source: Source): number {
    if (typeof source === 'boolean') return 1
    const known = costs.get(source)
    const path = paths.get(source) ?? '#'
    if (known === Number.POSITIVE_INFINITY)
      throw refuseSchema(path, 'refers to itself without going deeper into the value')
    if (known !== undefined) return known
    costs.set(source, Number.POSITIVE_INFINITY)
    const cost = inPlaceSubschemas(source, targets).reduce((sum, inner) => sum + costOf(inner), 1)
    if (cost > BOUNDS.branching)
      throw refuseSchema(
        path,
        `branches too much: more than ${BOUNDS.branching} ways to look at one value`,
      )
    costs.set(source, cost)
    return cost
  }
}
