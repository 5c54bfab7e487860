import type { Duration } from '@surehand/core'
import type { ApprovalKind, JsonSchema } from '@surehand/core/internal'
import type { Selection } from '../answer/selection.ts'

/** One field of the schema as a tool: plain JSON, so that it can be kept and read back. */
export type GraphqlOperation = {
  readonly id: string
  readonly kind: 'query' | 'mutation'
  /** Where it comes from, as allow-lists and overlays name it: `query.repository.issues`. */
  readonly source: string
  readonly title: string
  readonly description: string
  readonly endpoint: string
  /** From the root to the field that is asked for. */
  readonly path: readonly PathStep[]
  readonly variables: readonly Variable[]
  /** Of the answer; a plain value has none. */
  readonly selection?: Selection
  /** The argument by which a caller asks for less. */
  readonly choice?: string
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly example?: unknown
  readonly terms: Terms
}

export type PathStep = {
  readonly field: string
  readonly inputs: readonly { readonly name: string; readonly variable: string }[]
}
export type Variable = { readonly name: string; readonly type: string }

/** What the importer says of an operation; what is left out is the careful choice. */
export type Terms = {
  readonly reversible?: boolean
  readonly approval?: 'none' | ApprovalKind
  /** The server does it once for each value of this header. */
  readonly once?: { readonly header: string }
  readonly auth?: 'none' | 'session' | 'service'
  readonly roles?: readonly string[]
  readonly capabilities?: readonly string[]
  readonly timeout?: Duration
  readonly retries?: number
}
