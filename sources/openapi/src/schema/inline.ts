import type { JsonSchema } from '@surehand/core/internal'
import { LIMITS } from '../document/limits.ts'
import type { Library } from './library.ts'
import { mapSubschemas, type Schema } from './subschemas.ts'
import type { Unit } from './unit.ts'

export type Inlining = { readonly taken: ReadonlyMap<string, Unit>; readonly library: Library }
type Measure = { readonly bytes: number; readonly count: number; readonly depth: number }

const ENDLESS: Measure = { bytes: Number.POSITIVE_INFINITY, count: 0, depth: 0 }

/**
 * The size of a schema with every reference inlined; infinite for cycles and for schemas that would
 * be too deep or too large.
 */
export function measureInlined(root: Unit, { taken }: Inlining): number {
  const measures = new Map<string, Measure>()

  function ofReference(pointer: string): Measure {
    const known = measures.get(pointer)
    if (known !== undefined) return known
    const unit = taken.get(pointer)
    if (unit === undefined) return ENDLESS
    measures.set(pointer, ENDLESS)
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
export function inlineReferences(root: Unit, { taken, library }: Inlining): JsonSchema {
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
