import type { JsonSchema } from '@surehand/core/internal'

/** What a caller sends, or what comes back: `readOnly` and `writeOnly` mean the opposite for each. */
export type Direction = 'input' | 'output'

/** Something of a schema that could not be kept. */
export type SchemaLoss = { readonly place: string; readonly what: string }

/** All subschemas that look at one value: how many, and which others come in by reference. */
export type Spot = { own: number; readonly references: string[] }

/** A component, or the root of a tool's schema, in our dialect; references to other components stay references. */
export type Unit = {
  readonly schema: JsonSchema
  /** About as many bytes as its JSON has. */
  readonly bytes: number
  readonly count: number
  readonly depth: number
  /** Pointers into the document, with how often each is referred to. */
  readonly references: ReadonlyMap<string, number>
  /** Only those where more than one subschema meets; the first is the root's. */
  readonly spots: readonly Spot[]
  readonly losses: readonly SchemaLoss[]
}
