import { type Runtime, toEnvelope } from '@surehand/core'
import { createV1Adapter, type MigrationWarning, type V1Adapter } from '@surehand/documents'
import { personalMigration } from './personal-migration.ts'
import { spoken } from './spoken-error.ts'

export type PersonalV1Options = {
  /** v1 ends by date. */
  readonly now: () => number
  readonly log?: (warning: MigrationWarning) => void
}

/**
 * Serves v1's functions with the tools of a runtime that has this pack; every call walks down the same line as any other.
 * @example await personalV1(runtime, { now }).callV1({ tool: 'create_habit', args: { habit_name: 'Read' } }, caller)
 */
export function personalV1(
  { call }: Pick<Runtime, 'call'>,
  { now, log }: PersonalV1Options,
): V1Adapter {
  return createV1Adapter({
    migration: personalMigration,
    call: async ({ tool, input }, caller) =>
      spoken(toEnvelope(await call({ tool, input, caller, surface: 'v1' }))),
    now,
    ...(log === undefined ? {} : { log }),
  })
}
