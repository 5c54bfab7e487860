import type { Duration } from '@surehand/core'
import type { ApprovalKind, JsonSchema } from '@surehand/core/internal'
import type { Selection } from '../answer/selection.ts'

/** One field of the schema as a tool. It is plain JSON, so that it can be cached. */
export type GraphqlOperation = {
  readonly id: string
  readonly kind: 'query' | 'mutation'
  /** Its name in allow-lists and overlays: `query.repository.issues`. */
  readonly source: string
  readonly title: string
  readonly description: string
  readonly endpoint: string
  /** The fields from the root to the one that the tool answers with. */
  readonly path: readonly PathStep[]
  readonly variables: readonly Variable[]
  /** The fields of the answer; a scalar has none. */
  readonly selection?: Selection
  /** The name of the argument that selects fields, and what it may select. */
  readonly choice?: string
  readonly offered?: Selection
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

/** What the importer specifies for an operation. The defaults are the cautious choice. */
export type Terms = {
  readonly reversible?: boolean
  readonly approval?: 'none' | ApprovalKind
  /** The server deduplicates by the value of this header. */
  readonly once?: { readonly header: string }
  readonly auth?: 'none' | 'session' | 'service'
  readonly roles?: readonly string[]
  readonly capabilities?: readonly string[]
  readonly timeout?: Duration
  readonly retries?: number
}
