import type { JsonSchema } from '@surehand/core/internal'
import { BOUNDS } from '../schema/bounds.ts'
import type { InputValue, SchemaModel } from '../schema/schema-model.ts'
import { typesWithin } from './type-reach.ts'
import { type Detail, writeSchema } from './write-schema.ts'

export type InputSchema =
  | {
      readonly ok: true
      readonly schema: JsonSchema
      readonly bytes: number
      readonly notes: readonly string[]
    }
  | { readonly ok: false; readonly reason: string }

// what is lost first is what a call can do without: words, then what lies far from the arguments
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
    reason: `what it must be given is larger than ${BOUNDS.schemaBytes} bytes of schema`,
  }
}
