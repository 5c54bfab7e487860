import type { Row, SqlValue } from '@surehand/core/internal'
import type { JobStore, LocalDone, LocalRun } from '@surehand/core/ports'
import type { Step } from './step.ts'

/**
 * What a dialect provides to the stores. Errors of the driver are thrown as `TOOL_STORAGE_ERROR`.
 */
export type Database = {
  readonly dialect: 'sqlite' | 'postgres'
  readonly step: <A, R>(step: Step<A, R>, args: A) => Promise<R>
  /** Claim, effect, record and answer in one transaction; see local-effect.ts. */
  readonly transact: (run: LocalRun) => Promise<LocalDone>
  /** Reads pack data; statements that write are rejected. */
  readonly query: (text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>
  readonly work: JobStore['work']
  readonly close: () => Promise<void>
}
