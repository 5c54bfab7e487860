import type { Duration } from '@surehand/core'
import type { JsonSchema } from '@surehand/core/internal'
import type { SecurityNeed } from '@surehand/vault'

/** An operation that can become a tool. It is plain JSON, so that it can be cached on disk. */
export type Operation = {
  readonly toolId: string
  /** `METHOD /path` as written in the document. */
  readonly key: string
  readonly operationId: string | null
  /** As written in the document. Invisible characters are made visible when the tool is made. */
  readonly title: string
  readonly description: string
  /** The names of its arguments, to find it by. */
  readonly argumentNames: readonly string[]
  /** How people ask for it, to find it by. */
  readonly phrases: readonly string[]
  readonly isDeprecated: boolean
  readonly contract: ContractPlan
  /** What only a call needs; decoded from the cache on first use. */
  readonly plan: OperationPlan
}

export type OperationPlan = {
  readonly method: string
  readonly path: string
  /** Pairs that are part of the path in the document; a value may hold a path parameter. */
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly server: ServerPlan
  readonly parameters: readonly ParameterPlan[]
  readonly body: BodyPlan | null
  readonly security: readonly (readonly SecurityNeed[])[]
  /** The header that carries the idempotency key. */
  readonly idempotencyHeader: string | null
  readonly accept: string
  readonly input: JsonSchema
  readonly output: JsonSchema
}

export type ServerPlan = {
  /** As written, with its variables. */
  readonly url: string
  readonly variables: Readonly<
    Record<string, { readonly default: string; readonly values: readonly string[] | null }>
  >
  /** Whether it is the first server of the document, which the setting `baseUrl` replaces. */
  readonly isMain: boolean
}

export type ParameterPlan = {
  readonly argument: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly isRequired: boolean
  readonly form: ParameterForm
  /** How a text from a link header is converted to this argument. */
  readonly scalar: 'text' | 'number' | 'flag' | null
}

export type ParameterForm =
  | {
      readonly kind: 'style'
      readonly style: ParameterStyle
      readonly explode: boolean
      readonly allowReserved: boolean
    }
  | { readonly kind: 'content'; readonly mediaType: string }

export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'

export type BodyPlan = {
  readonly isRequired: boolean
  readonly mediaType: string
  readonly kind: 'json' | 'form' | 'multipart' | 'text' | 'binary'
  /** For forms and multipart bodies, by field. */
  readonly fields: Readonly<Record<string, FieldPlan>>
  /** Fields that the vault fills, and no argument. */
  readonly slots: readonly string[]
}

export type FieldPlan = {
  readonly isBinary: boolean
  readonly contentType: string | null
  readonly style: ParameterStyle | null
  readonly explode: boolean
  readonly allowReserved: boolean
}

export type ContractPlan = {
  readonly effect: 'read' | `writes.${string}`
  readonly reversible: boolean
  readonly approval: 'none' | 'confirm' | 'consent' | 'admin'
  readonly by: 'read' | 'write' | 'writeOnce'
  readonly auth: 'none' | 'service'
  readonly permissions: {
    readonly roles: readonly string[]
    readonly capabilities: readonly string[]
  }
  readonly limits: readonly { readonly calls: number; readonly per: Duration }[]
  readonly timeout: Duration | null
  readonly retries: number | null
}
