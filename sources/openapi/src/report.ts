import { countTokens } from '@surehand/core/host'
import type { Operation } from './operation/operation.ts'
import { planOrUndefined } from './operation/usable-plan.ts'
import type { SchemaLoss } from './schema/unit.ts'

/** Every operation of a document is a tool or is listed here with its reason. */
export type ImportReport = {
  readonly document: {
    readonly title: string
    readonly version: string
    readonly openapi: '3.0' | '3.1'
    readonly operations: number
    readonly servers: readonly string[]
    readonly notes: readonly string[]
  }
  readonly taken: number
  readonly leftOut: readonly {
    readonly key: string
    readonly operationId: string | null
    readonly reason: string
  }[]
  /** Tools whose name differs from the operationId. */
  readonly renamed: readonly { readonly toolId: string; readonly operationId: string }[]
  readonly losses: readonly ({ readonly toolId: string } & SchemaLoss)[]
  /** Parameters that a model must not fill. */
  readonly dropped: readonly {
    readonly toolId: string
    readonly parameter: string
    readonly reason: string
  }[]
  readonly paging: readonly { readonly toolId: string; readonly arguments: readonly string[] }[]
  /** Names in `allow` and `sidecar` that match no operation. */
  readonly unmatched: readonly string[]
  /** Approximate size of the input schemas. */
  readonly inputBytes: number
}

/**
 * Estimates how many tokens all tools take in a model's context. Counted on request, because it
 * takes longer than reading the document.
 */
export function catalogueTokens(operations: readonly Operation[]): number {
  return operations
    .filter((one) => planOrUndefined(one) !== undefined)
    .reduce((sum, one) => sum + operationTokens(one), 0)
}

export function operationTokens({ toolId, description, plan }: Operation): number {
  return countTokens(JSON.stringify({ name: toolId, description, parameters: plan.input }))
}
