import type { JsonSchema } from '@surehand/core/internal'
import { BOUNDS } from '../schema/bounds.ts'
import { type InputValue, isRequired, nameOf, type SchemaModel } from '../schema/schema-model.ts'
import { type Detail, writeSchema } from './write-schema.ts'

export type InputSchema =
  | {
      readonly ok: true
      readonly schema: JsonSchema
      readonly bytes: number
      readonly notes: readonly string[]
    }
  | { readonly ok: false; readonly reason: string }

// Tried in this order until the schema fits: descriptions go first, then optional fields far from
// the arguments.
const DETAILS: readonly (Detail & { readonly note?: string })[] = [
  { words: 'all', steps: Number.POSITIVE_INFINITY },
  {
    words: 'arguments',
    steps: Number.POSITIVE_INFINITY,
    note: 'descriptions within it were left out',
  },
  ...[5, 4, 3, 2, 1, 0].map((steps) => ({
    words: 'arguments' as const,
    steps,
    note: `optional fields more than ${steps} levels within it were left out`,
  })),
]

/** The arguments of an operation as a strict JSON Schema within its byte budget. */
export function inputSchema(
  inputs: readonly InputValue[],
  extra: JsonSchema,
  model: SchemaModel,
): InputSchema {
  for (const { note, ...detail } of DETAILS) {
    const included = typesWithin(inputs, detail.steps, model)
    if (included === undefined) continue
    const written = writeSchema(inputs, { ...detail, included, model, extra })
    const bytes = JSON.stringify(written.schema).length
    if (bytes > BOUNDS.schemaBytes || written.subschemas > BOUNDS.subschemas) continue
    const notes =
      note === undefined ? written.notes : [...written.notes, `Its input is large: ${note}.`]
    return { ok: true, schema: written.schema, bytes, notes }
  }
  return {
    ok: false,
    reason: `the schema of its required arguments is larger than ${BOUNDS.schemaBytes} bytes`,
  }
}

/**
 * The input types within a number of steps of the arguments. Required fields cost no step: their
 * type cannot be left out. Undefined if there are more types than a schema may hold.
 */
function typesWithin(
  inputs: readonly InputValue[],
  steps: number,
  model: SchemaModel,
): ReadonlySet<string> | undefined {
  const distances = new Map<string, number>()
  let layer = inputs
  for (let distance = 0; layer.length > 0 && distance <= steps; distance++) {
    const next: InputValue[] = []
    // Breadth first, so that each type is visited once.
    const queue = layer.flatMap((input) => inputTypeOf(input, model) ?? [])
    for (let index = 0; index < queue.length; index++) {
      const type = queue[index]
      if (type === undefined || distances.has(type.name)) continue
      if (distances.size === BOUNDS.inputTypes) return undefined
      distances.set(type.name, distance)
      for (const input of type.inputs) {
        const needed = isRequired(input) && !type.isOneOf
        if (needed) queue.push(...[inputTypeOf(input, model) ?? []].flat())
        else next.push(input)
      }
    }
    layer = next
  }
  return new Set(distances.keys())
}

function inputTypeOf(input: InputValue, model: SchemaModel) {
  const type = model.types.get(nameOf(input.type))
  return type?.kind === 'input' ? type : undefined
}
