import type { Job } from '@surehand/core/ports'
import type { SqlStores } from '../src/sql-stores.ts'

/** A wake-up as it is stored in the database. */
export type LyingJob = Job & {
  readonly dueAt: number
  /** A worker has leased it, and may have died since. */
  readonly isTaken: boolean
}

/** A database on which one behaviour after another is run, and whose clock is set by the test. */
export type WorldPlace = {
  readonly stores: SqlStores
  readonly stopClock: (atMs: number) => void | Promise<void>
  readonly jobs: () => readonly LyingJob[] | Promise<readonly LyingJob[]>
  /**
   * Makes workers poll now: they cannot know that a job became due because the test moved the
   * clock.
   */
  readonly wakeWorkers: () => Promise<unknown>
  /** Empties every table. */
  readonly clean: () => void | Promise<void>
  readonly close: () => Promise<void>
}

export type OpenWorldPlace = (schema: readonly string[]) => Promise<WorldPlace>

/** Some behaviours store secrets. */
export const SECRET_KEYS: readonly Uint8Array[] = [new Uint8Array(32).fill(7)]

/** Tables that are not emptied between behaviours. */
export const LASTING_TABLES: ReadonlySet<string> = new Set(['surehand_migrations', 'test_clock'])
