import type { ToolError } from '@surehand/core'
import { fieldName } from '@surehand/core/internal'
import type { FieldMapping } from './documents.ts'
import { type Path, parsePath, valuesAt } from './dot-path.ts'
import { invalidFields } from './invalid-fields.ts'
import { type Move, moveFields } from './move-fields.ts'
import type { Fields, MigrationContext, MigrationStep } from './step.ts'
import { type Transformation, transformationOf } from './transformation.ts'

/** `create_habit:title` → the function it is of, if any, and the path. */
export function v1FieldOf(mapping: Pick<FieldMapping, 'v1_field'>): {
  readonly of: string | undefined
  readonly path: string
} {
  const colon = mapping.v1_field.indexOf(':')
  return {
    of: colon < 0 ? undefined : mapping.v1_field.slice(0, colon),
    path: mapping.v1_field.slice(colon + 1),
  }
}

/** The strategy's field mappings that hold for one v1 function. */
export function mappingsOf(
  mappings: readonly FieldMapping[],
  v1Tool: string,
): readonly FieldMapping[] {
  return mappings.filter((mapping) => [undefined, v1Tool].includes(v1FieldOf(mapping).of))
}

/** Two fields of the call, v1's and v2's, with the way between them. */
export type FieldPair = {
  readonly v1: Path
  readonly v2: Path
  readonly transformation: Transformation | undefined
}

/** Moves fields there, and the fields of an answer back. */
export function moveStep(pairs: readonly FieldPair[]): MigrationStep {
  const back: readonly Move[] = pairs.map(({ v1, v2, transformation }) => ({
    from: v2,
    to: v1,
    change: (value) => (value === null ? null : (transformation?.backward?.(value) ?? value)),
  }))
  return {
    forward(fields, context) {
      const moved = moveFields(
        fields,
        pairs.map((pair) => ({
          from: pair.v1,
          to: pair.v2,
          change: (value, at) => applyTransformation(pair, { value, at }, context),
        })),
      )
      if (!moved.ok) throw ambiguous(context, moved.field)
      return moved.value as Fields // a path begins with a key, so an object stays one
    },
    // an answer that has no place in v1's form is given in v2's: better than none
    backward(data) {
      const moved = moveFields(data, back)
      return moved.ok ? moved.value : data
    },
  }
}

function applyTransformation(
  { transformation }: FieldPair,
  found: { readonly value: unknown; readonly at: Path },
  context: MigrationContext,
): unknown {
  if (transformation === undefined || found.value === null || found.value === undefined)
    return found.value
  const value = transformation.forward(found.value, context)
  if (value !== undefined) return value
  throw invalidFields(context.tool, [
    { kind: 'value', field: fieldName(found.at), error: `must be ${transformation.expects}` },
  ])
}

/** Two arguments ended at one place: to pick one would drop the other without a word. */
export function ambiguous(context: MigrationContext, field: string): ToolError {
  return invalidFields(context.tool, [
    { kind: 'unknown', field, error: 'was given twice, in the old form and in the new' },
  ])
}

export function pairOf(mapping: FieldMapping): FieldPair {
  return {
    v1: parsePath(v1FieldOf(mapping).path),
    v2: parsePath(mapping.v2_field),
    transformation:
      mapping.transformation === undefined ? undefined : transformationOf(mapping.transformation),
  }
}

/** Refuses a call without what v2 requires: neither given in v1 nor added by a rule. */
export function requireFields(
  mappings: readonly FieldMapping[],
  call: { readonly args: Fields; readonly input: Fields },
  tool: string,
): void {
  const missing = mappings.filter((mapping) => {
    const { v1, v2 } = pairOf(mapping)
    return mapping.required_in_v2 && isMissing(call.args, v1) && isMissing(call.input, v2)
  })
  if (missing.length === 0) return
  throw invalidFields(
    tool,
    missing.map((mapping) => ({
      kind: 'missing',
      field: v1FieldOf(mapping).path,
      error: `is required (v2 calls it ${mapping.v2_field})`,
    })),
  )
}

function isMissing(fields: Fields, path: Path): boolean {
  return valuesAt(fields, path).some(({ value }) => value === null || value === undefined)
}
