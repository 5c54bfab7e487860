import type { Job } from '@surehand/core/ports'
import type { SqlStores } from '../src/sql-stores.ts'

/** A wake-up as it lies in the database. */
export type LyingJob = Job & {
  readonly dueAt: number
  /** A worker has it, or had it and is dead. */
  readonly isTaken: boolean
}

/** A database that one behaviour after the other is run on, and whose clock stands where it is told. */
export type WorldPlace = {
  readonly stores: SqlStores
  readonly stopClock: (atMs: number) => void | Promise<void>
  readonly jobs: () => readonly LyingJob[] | Promise<readonly LyingJob[]>
  /** Lets workers look for jobs now: that one became due by our hand they can't know. */
  readonly wakeWorkers: () => Promise<unknown>
  /** Empties every table. */
  readonly clean: () => void | Promise<void>
  readonly close: () => Promise<void>
}

export type OpenWorldPlace = (schema: readonly string[]) => Promise<WorldPlace>

/** Some behaviours have secrets to keep. */
export const SECRET_KEYS: readonly Uint8Array[] = [new Uint8Array(32).fill(7)]

/** These are no behaviour's own. */
export const LASTING_TABLES: ReadonlySet<string> = new Set(['surehand_migrations', 'test_clock'])
