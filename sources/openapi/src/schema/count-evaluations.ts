import { LIMITS } from '../document/limits.ts'
import type { EvaluationPoint, Unit } from './unit.ts'

/** How many subschemas may be evaluated against one value in the worst case; infinite if a schema refers to itself at the same value. */
export function countEvaluations(root: Unit, taken: ReadonlyMap<string, Unit>): number {
  const costs = new Map<string, number>()

  function ofReference(pointer: string): number {
    const known = costs.get(pointer)
    if (known !== undefined) return known
    const spot = taken.get(pointer)?.evaluationPoints[0]
    if (spot === undefined) return 1
    // If it is met again while it is being counted, the recursion has no end.
    costs.set(pointer, Number.POSITIVE_INFINITY)
    const cost = ofSpot(spot)
    costs.set(pointer, cost)
    return cost
  }

  function ofSpot(spot: EvaluationPoint): number {
    let cost = spot.own
    for (const reference of spot.references) {
      cost += ofReference(reference)
      if (cost > LIMITS.branching * 2) return cost
    }
    return cost
  }

  let worst = 0
  for (const unit of [root, ...taken.values()])
    for (const spot of unit.evaluationPoints) worst = Math.max(worst, ofSpot(spot))
  return worst
}

/** How many places for values a schema has when references are expanded: a few levels that double give any number. */
export function countPlaces(root: Unit, taken: ReadonlyMap<string, Unit>): number {
  const places = new Map<string, number>()

  function ofReference(pointer: string): number {
    const known = places.get(pointer)
    const unit = taken.get(pointer)
    if (known !== undefined || unit === undefined) return known ?? 1
    // A cycle is not followed a second time.
    places.set(pointer, 1)
    const found = ofUnit(unit)
    places.set(pointer, found)
    return found
  }

  function ofUnit(unit: Unit): number {
    let found = unit.count
    for (const [pointer, uses] of unit.references) found += uses * ofReference(pointer)
    return found
  }

  return ofUnit(root)
}
