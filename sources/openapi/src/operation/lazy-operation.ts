import { isToolError } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'
import type { ContractPlan, Operation, OperationPlan } from './operation.ts'

export type Words = Pick<Operation, 'title' | 'description' | 'phrases'>
export type Known = Omit<Operation, keyof Words | 'argumentNames' | 'plan'>
export type Making = { readonly words: () => Words; readonly plan: () => OperationPlan }

/**
 * An operation whose texts and plan are decoded on first use: a document has thousands of
 * operations, and few are called.
 */
export class LazyOperation implements Operation {
  readonly toolId: string
  readonly key: string
  readonly operationId: string | null
  readonly isDeprecated: boolean
  readonly contract: ContractPlan
  private readonly making: Making
  private words: Words | undefined
  private made: OperationPlan | undefined

  constructor({ toolId, key, operationId, isDeprecated, contract }: Known, making: Making) {
    this.toolId = toolId
    this.key = key
    this.operationId = operationId
    this.isDeprecated = isDeprecated
    this.contract = contract
    this.making = making
  }

  get title(): string {
    this.words ??= this.making.words()
    return this.words.title
  }
  get description(): string {
    this.words ??= this.making.words()
    return this.words.description
  }
  get phrases(): readonly string[] {
    this.words ??= this.making.words()
    return this.words.phrases
  }
  get plan(): OperationPlan {
    this.made ??= this.making.plan()
    return this.made
  }
  // The plan is not kept for it: a search reads the names of thousands of operations.
  get argumentNames(): readonly string[] {
    try {
      const { input } = this.made ?? this.making.plan()
      return [...listProperties(input), ...listProperties(input, 'body')]
    } catch (error) {
      if (isToolError(error)) return []
      throw error
    }
  }
}

function listProperties(schema: unknown, ...path: readonly string[]): readonly string[] {
  const properties = isRecord(schema) ? schema.properties : undefined
  if (!isRecord(properties)) return []
  const [name, ...rest] = path
  return name === undefined ? Object.keys(properties) : listProperties(properties[name], ...rest)
}
