import { type Clock, systemClock } from '../ports/clock.ts'
import type { Stores } from '../ports/stores.ts'
import { memoryAdministration } from './administration.ts'
import { memoryApprovals } from './approvals.ts'
import { memoryAudit } from './audit.ts'
import { memoryCache } from './cache.ts'
import { memoryCalls } from './calls.ts'
import { openDatabase } from './database.ts'
import { memoryJobs } from './jobs.ts'
import { createLedger } from './ledger.ts'
import { memoryLimits } from './limits.ts'
import { memoryNotices } from './notices.ts'
import { memoryRuns } from './runs.ts'
import { memoryValues } from './values.ts'

export type MemoryOptions = {
  readonly clock?: Clock
  /** Statements that create the tables of transactions. */
  readonly schema?: readonly string[]
  /** How many audit records are kept before the oldest are dropped. */
  readonly auditRecords?: number
  readonly cacheEntries?: number
}

/**
 * Stores in the memory of this process. They keep every promise of a store except that nothing
 * survives the process.
 *
 * @example
 * const runtime = createRuntime({ tools: [weather], stores: memoryStores() })
 */
export function memoryStores(options: MemoryOptions = {}): Stores {
  const clock = options.clock ?? systemClock()
  const ledger = createLedger(clock)
  const audit = memoryAudit(options.auditRecords ?? 1_000, clock)
  const jobs = memoryJobs(clock)
  const admin = memoryAdministration(audit, clock)
  return {
    calls: memoryCalls({
      ledger,
      audit,
      jobs,
      clock,
      database: openDatabase(options.schema ?? []),
      admin,
    }),
    approvals: memoryApprovals({ ledger, audit, jobs, clock }),
    jobs,
    limits: memoryLimits(clock),
    runs: memoryRuns({ ledger, audit, jobs, clock }),
    notices: memoryNotices(ledger, clock),
    cache: memoryCache(clock, options.cacheEntries ?? 10_000),
    audit,
    values: memoryValues(clock),
    admin,
  }
}
