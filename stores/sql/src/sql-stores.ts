import type { Stores } from '@surehand/core'
import { sqlAdministration } from './administration.ts'
import { sqlApprovals } from './approvals/approvals.ts'
import type { AuditKey } from './audit/audit-key.ts'
import { type SqlAudit, sqlAudit } from './audit/audit-store.ts'
import { type Erased, type EraseRequest, eraseStep } from './audit/erase.ts'
import { sqlCache } from './cache.ts'
import { sqlCalls } from './calls/calls.ts'
import type { Database } from './database.ts'
import { sqlJobs } from './jobs.ts'
import { sqlLimits } from './limits.ts'
import { type Maintenance, maintain } from './maintain.ts'
import { sqlNotices } from './notices.ts'
import type { SqlOptions } from './options.ts'
import { sqlRuns } from './runs/runs.ts'
import { sealing } from './sealing.ts'
import { sqlValues } from './values.ts'

/** Every store port over one database. */
export type SqlStores = Stores & {
  readonly audit: SqlAudit
  /** For what is no port: exports, verification, erasure. */
  readonly database: Database
  /** Prunes what ended long ago and gives the audit's records their places, until stopped. Every node may do so. */
  readonly maintain: (maintenance: Maintenance) => () => Promise<void>
  /**
   * Forgets a person: what is theirs in audit, ledger and approvals goes, a tombstone stays, and the tree still verifies.
   * The audit's key seals it: emptied without one, a record reads as tampered with.
   */
  readonly erase: (request: EraseRequest, key: AuditKey) => Promise<Erased>
  /** Finishes what is under way and writes what waits. */
  readonly close: () => Promise<void>
}

export function sqlStores(
  database: Database,
  { secretKeys = [], onTrouble = () => undefined }: SqlOptions,
): SqlStores {
  const secrets = sealing(secretKeys)
  const audit = sqlAudit(database, onTrouble)
  return {
    calls: sqlCalls(database, secrets, onTrouble),
    approvals: sqlApprovals(database, secrets),
    jobs: sqlJobs(database),
    limits: sqlLimits(database),
    runs: sqlRuns(database, secrets),
    notices: sqlNotices(database),
    cache: sqlCache(database),
    audit,
    values: sqlValues(database),
    admin: sqlAdministration(database, secrets),
    database,
    maintain: (maintenance) => maintain(database, maintenance, onTrouble),
    async erase(request, key) {
      // what this node has answered and not yet written would come back after
      await audit.flush()
      return database.step(eraseStep, { ...request, key, secretKeys })
    },
    async close() {
      // the database is closed though the last records may not have found their way into it
      await audit.close().finally(() => database.close())
    },
  }
}
