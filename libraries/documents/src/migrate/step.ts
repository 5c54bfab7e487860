import type { Caller } from '@surehand/core'

export type Fields = Record<string, unknown>

/** What a rule may know beside the fields. */
export type MigrationContext = {
  readonly tool: string
  readonly nowMs: number
  readonly caller: Caller | undefined
}

/**
 * One step of the conversion from v1 to v2. It may refuse a request but not an answer: a call that
 * was done would be reported as failed.
 */
export type MigrationStep = {
  readonly forward: (fields: Fields, context: MigrationContext) => Fields
  readonly backward: (data: unknown) => unknown
}
