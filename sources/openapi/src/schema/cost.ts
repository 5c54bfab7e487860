import { LIMITS } from '../document/limits.ts'
import type { Spot, Unit } from './unit.ts'

/** In how many ways one value may have to be looked at, at worst; infinite where a schema leads back to itself without going deeper. */
export function costOf(root: Unit, taken: ReadonlyMap<string, Unit>): number {
  const costs = new Map<string, number>()

  function ofReference(pointer: string): number {
    const known = costs.get(pointer)
    if (known !== undefined) return known
    const spot = taken.get(pointer)?.spots[0]
    if (spot === undefined) return 1
    // met again while it is being counted, it has no end
    costs.set(pointer, Number.POSITIVE_INFINITY)
    const cost = ofSpot(spot)
    costs.set(pointer, cost)
    return cost
  }

  function ofSpot(spot: Spot): number {
    let cost = spot.own
    for (const reference of spot.references) {
      cost += ofReference(reference)
      if (cost > LIMITS.branching * 2) return cost
    }
    return cost
  }

  let worst = 0
  for (const unit of [root, ...taken.values()])
    for (const spot of unit.spots) worst = Math.max(worst, ofSpot(spot))
  return worst
}

/** How many places for values a schema has when every reference is followed once: a few levels that double make any number of them. */
export function placesOf(root: Unit, taken: ReadonlyMap<string, Unit>): number {
  const places = new Map<string, number>()

  function ofReference(pointer: string): number {
    const known = places.get(pointer)
    const unit = taken.get(pointer)
    if (known !== undefined || unit === undefined) return known ?? 1
    // a circle is followed by nobody a second time
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
