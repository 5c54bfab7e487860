import type { Caller } from '@surehand/core'

export type Fields = Record<string, unknown>

/** What a rule may know beside the fields. */
export type MigrationContext = {
  readonly tool: string
  readonly nowMs: number
  readonly caller: Caller | undefined
}

/** One piece of the way from v1 to v2. There it may refuse; back it may not: what was done would be told as failed. */
export type MigrationStep = {
  readonly forward: (fields: Fields, context: MigrationContext) => Fields
  readonly backward: (data: unknown) => unknown
}
