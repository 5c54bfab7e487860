import type { JsonSchema } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { LIMITS } from '../document/limits.ts'
import type { Library } from './library.ts'
import { shrink } from './shrink.ts'
import { mapSubschemas, type Schema } from './subschemas.ts'
import type { Direction, EvaluationPoint, SchemaLoss, Unit } from './unit.ts'

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
 * Assembles a schema from a root and the components it needs, inlined if that is short, else in
 * `$defs`. Fields that exceed the budget keep their name but not their schema; a model that knows
 * the API may still fill them.
 */
export function assemble(given: Unit, assembly: Assembly): Assembled {
  const root = openLargeReference(given, assembly)
  // The fast path: most roots have no references.
  if (
    root.references.size === 0 &&
    root.bytes <= assembly.byteBudget &&
    root.count <= LIMITS.subschemas
  )
    return assembleAlone(root)
  const fitting =
    root.bytes <= assembly.byteBudget && root.count <= LIMITS.subschemas
      ? root
      : shrink(root, assembly)
  const { taken, stubbed, bytes } = collectComponents(fitting, assembly)
  const cost = countEvaluations(fitting, taken)
  if (cost > LIMITS.branching)
    throw new LeftOut(cost === Number.POSITIVE_INFINITY ? ENDLESS : BRANCHING)
  // The search for secret fields visits every place.
  if (countPlaces(fitting, taken) > LIMITS.places) throw new LeftOut(PLACES)
  const losses = [
    ...fitting.losses,
    ...[...taken.values()].flatMap((unit) => unit.losses),
    ...[...stubbed].map(stubLoss),
  ]
  if (taken.size === 0 && stubbed.size === 0) return { schema: fitting.schema, bytes, losses }
  const inlining = { taken, library: assembly.library }
  const written = stubbed.size > 0 ? Number.POSITIVE_INFINITY : measureInlined(fitting, inlining)
  if (written <= 2 * bytes && written <= assembly.byteBudget)
    return { schema: inlineReferences(fitting, inlining), bytes: written, losses }
  return {
    schema: { ...fitting.schema, $defs: writeDefinitions(taken, stubbed, assembly.library) },
    bytes,
    losses,
  }
}

// A root that is only a reference to a component over the budget would lose it whole. The component
// takes its place, and loses only what does not fit.
function openLargeReference(root: Unit, { library, direction, byteBudget }: Assembly): Unit {
  const { $ref, description, ...others } = root.schema
  if (typeof $ref !== 'string' || Object.keys(others).length > 0) return root
  const unit = library.unit(library.pointerOf($ref.slice('#/$defs/'.length)), direction)
  if (unit.bytes <= byteBudget && unit.count <= LIMITS.subschemas) return root
  return {
    ...unit,
    schema: description === undefined ? unit.schema : { ...unit.schema, description },
    losses: [...root.losses, ...unit.losses],
  }
}

function assembleAlone(root: Unit): Assembled {
  for (const spot of root.evaluationPoints)
    if (spot.own > LIMITS.branching) throw new LeftOut(BRANCHING)
  return root
}

const ENDLESS = 'its schema refers to itself without going deeper into the value'
const PLACES = `its schema multiplies: it has more than ${LIMITS.places} places for values`
const BRANCHING = `its schema branches too much: one value is evaluated by more than ${LIMITS.branching} subschemas`

type Closure = {
  readonly taken: ReadonlyMap<string, Unit>
  readonly stubbed: ReadonlySet<string>
  readonly bytes: number
}

// Breadth first, so that components near the root are kept; sorted within a level, so that the
// order of a document's keys does not matter.
function collectComponents(root: Unit, { library, direction, byteBudget }: Assembly): Closure {
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

function writeDefinitions(
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
  return { place: pointer, what: 'is left without a schema: the whole would be too large' }
}

/**
 * How many subschemas may be evaluated against one value in the worst case; infinite if a schema
 * refers to itself at the same value.
 */
function countEvaluations(root: Unit, taken: ReadonlyMap<string, Unit>): number {
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

/**
 * How many places for values a schema has when references are expanded: a few levels that double
 * give any number.
 */
function countPlaces(root: Unit, taken: ReadonlyMap<string, Unit>): number {
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

export type Inlining = { readonly taken: ReadonlyMap<string, Unit>; readonly library: Library }
type Measure = { readonly bytes: number; readonly count: number; readonly depth: number }

const UNBOUNDED: Measure = { bytes: Number.POSITIVE_INFINITY, count: 0, depth: 0 }

/**
 * The size of a schema with every reference inlined; infinite for cycles and for schemas that would
 * be too deep or too large.
 */
function measureInlined(root: Unit, { taken }: Inlining): number {
  const measures = new Map<string, Measure>()

  function ofReference(pointer: string): Measure {
    const known = measures.get(pointer)
    if (known !== undefined) return known
    const unit = taken.get(pointer)
    if (unit === undefined) return UNBOUNDED
    measures.set(pointer, UNBOUNDED)
    const measure = ofUnit(unit)
    measures.set(pointer, measure)
    return measure
  }

  function ofUnit(unit: Unit): Measure {
    let { bytes, count } = unit
    let deepest = 0
    for (const [pointer, uses] of unit.references) {
      const inner = ofReference(pointer)
      bytes += uses * inner.bytes
      count += uses * inner.count
      deepest = Math.max(deepest, inner.depth)
    }
    return { bytes, count, depth: unit.depth + deepest }
  }

  const whole = ofUnit(root)
  return whole.depth > LIMITS.schemaDepth || whole.count > LIMITS.subschemas
    ? Number.POSITIVE_INFINITY
    : whole.bytes
}

/**
 * Inlines every reference. Parts that occur twice are the same object; only schemas with references
 * are copied.
 */
function inlineReferences(root: Unit, { taken, library }: Inlining): JsonSchema {
  const done = new Map<string, JsonSchema>()

  function target(name: string): JsonSchema {
    const known = done.get(name)
    if (known !== undefined) return known
    const unit = taken.get(library.pointerOf(name))
    const schema = unit === undefined ? {} : writeOut(unit)
    done.set(name, schema)
    return schema
  }

  function writeOut(unit: Unit): JsonSchema {
    return unit.references.size === 0 ? unit.schema : (replaceReference(unit.schema) as JsonSchema)
  }

  function replaceReference(schema: Schema): Schema {
    if (typeof schema === 'boolean') return schema
    const { $ref, ...others } = schema
    if (typeof $ref !== 'string') return mapSubschemas(schema, replaceReference)
    return mergeBeside(
      target($ref.slice('#/$defs/'.length)),
      mapSubschemas(others, replaceReference),
    )
  }

  return writeOut(root)
}

function mergeBeside(target: JsonSchema, others: JsonSchema): JsonSchema {
  const names = Object.keys(others)
  if (names.length === 0) return target
  if (names.every((name) => name === 'description' || name === 'examples' || name === 'deprecated'))
    return { ...target, ...others }
  return { ...others, allOf: [target, ...(Array.isArray(others.allOf) ? others.allOf : [])] }
}
