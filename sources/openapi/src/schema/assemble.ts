import type { JsonSchema } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { LIMITS } from '../document/limits.ts'
import { costOf, placesOf } from './cost.ts'
import { inlineBytes, inlined } from './inline.ts'
import type { Library } from './library.ts'
import { shrink } from './shrink.ts'
import type { Direction, SchemaLoss, Unit } from './unit.ts'

export type Assembled = {
  readonly schema: JsonSchema
  readonly bytes: number
  readonly losses: readonly SchemaLoss[]
}
export type Assembly = {
  readonly library: Library
  readonly direction: Direction
  readonly byteBudget: number
}

const STUB_BYTES = 70

/**
 * A whole schema out of a root and the components it needs: written out where that is short, else with `$defs`. What goes over the
 * budget is named but not described; a model that knows the API may fill it all the same.
 */
export function assemble(root: Unit, assembly: Assembly): Assembled {
  // most roots refer to nothing
  if (
    root.references.size === 0 &&
    root.bytes <= assembly.byteBudget &&
    root.count <= LIMITS.subschemas
  )
    return alone(root)
  const fitting =
    root.bytes <= assembly.byteBudget && root.count <= LIMITS.subschemas
      ? root
      : shrink(root, assembly)
  const { taken, stubbed, bytes } = closure(fitting, assembly)
  const cost = costOf(fitting, taken)
  if (cost > LIMITS.branching)
    throw new LeftOut(cost === Number.POSITIVE_INFINITY ? ENDLESS : BRANCHING)
  // whoever looks for secret fields walks all of them
  if (placesOf(fitting, taken) > LIMITS.places) throw new LeftOut(PLACES)
  const losses = [
    ...fitting.losses,
    ...[...taken.values()].flatMap((unit) => unit.losses),
    ...[...stubbed].map(stubLoss),
  ]
  if (taken.size === 0 && stubbed.size === 0) return { schema: fitting.schema, bytes, losses }
  const inlining = { taken, library: assembly.library }
  const written = stubbed.size > 0 ? Number.POSITIVE_INFINITY : inlineBytes(fitting, inlining)
  if (written <= 2 * bytes && written <= assembly.byteBudget)
    return { schema: inlined(fitting, inlining), bytes: written, losses }
  return {
    schema: { ...fitting.schema, $defs: definitions(taken, stubbed, assembly.library) },
    bytes,
    losses,
  }
}

function alone(root: Unit): Assembled {
  for (const spot of root.spots) if (spot.own > LIMITS.branching) throw new LeftOut(BRANCHING)
  return root
}

const ENDLESS = 'its schema refers to itself without going deeper into the value'
const PLACES = `its schema multiplies: more than ${LIMITS.places} places for values`
const BRANCHING = `its schema branches too much: more than ${LIMITS.branching} ways to look at one value`

type Closure = {
  readonly taken: ReadonlyMap<string, Unit>
  readonly stubbed: ReadonlySet<string>
  readonly bytes: number
}

// level by level, so that what is near the root is kept; by name within a level, so that the order of a document's keys means nothing
function closure(root: Unit, { library, direction, byteBudget }: Assembly): Closure {
  const taken = new Map<string, Unit>()
  const stubbed = new Set<string>()
  let bytes = root.bytes
  let count = root.count
  let level = new Set(root.references.keys())
  while (level.size > 0) {
    const next = new Set<string>()
    for (const pointer of [...level].toSorted()) {
      const unit = library.unit(pointer, direction)
      const isOver =
        bytes + unit.bytes + unit.references.size * STUB_BYTES > byteBudget ||
        count + unit.count > LIMITS.subschemas
      if (isOver) {
        stubbed.add(pointer)
        bytes += STUB_BYTES
        count++
        continue
      }
      taken.set(pointer, unit)
      bytes += unit.bytes + 20
      count += unit.count
      for (const reference of unit.references.keys()) next.add(reference)
    }
    level = new Set([...next].filter((pointer) => !taken.has(pointer) && !stubbed.has(pointer)))
  }
  return { taken, stubbed, bytes }
}

function definitions(
  taken: ReadonlyMap<string, Unit>,
  stubbed: ReadonlySet<string>,
  library: Library,
): JsonSchema {
  return Object.fromEntries([
    ...[...taken].map(([pointer, unit]) => [library.nameOf(pointer), unit.schema] as const),
    ...[...stubbed].map((pointer) => [library.nameOf(pointer), STUB] as const),
  ])
}

const STUB = { description: 'Not described here: the schema would be too large.' }

function stubLoss(pointer: string): SchemaLoss {
  return { place: pointer, what: 'is not described: the schema would be too large' }
}
