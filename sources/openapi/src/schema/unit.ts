import type { JsonSchema } from '@surehand/core/internal'

/**
 * Whether a schema is for requests or for answers: `readOnly` fields are hidden in one, `writeOnly`
 * fields in the other.
 */
export type Direction = 'input' | 'output'

/** A part of a schema that could not be kept. */
export type SchemaLoss = { readonly place: string; readonly what: string }

/**
 * The subschemas that are evaluated against one value: how many, and which further ones are
 * referenced.
 */
export type EvaluationPoint = { own: number; readonly references: string[] }

/**
 * A component or the root of a tool's schema as JSON Schema 2020-12. References to other components
 * stay references.
 */
export type Unit = {
  readonly schema: JsonSchema
  /** The approximate size of its JSON. */
  readonly bytes: number
  readonly count: number
  readonly depth: number
  /** Pointers into the document, and how often each occurs. */
  readonly references: ReadonlyMap<string, number>
  /** Only those with more than one subschema; the first is the root's. */
  readonly evaluationPoints: readonly EvaluationPoint[]
  readonly losses: readonly SchemaLoss[]
}
