import type { Stores } from '@surehand/core'
import { sqlAdministration } from './administration.ts'
import { sqlApprovals } from './approvals/approvals.ts'
import type { AuditKey } from './audit/audit-key.ts'
import { type SqlAudit, sqlAudit } from './audit/audit-store.ts'
import { type Erased, type EraseRequest, eraseStep } from './audit/erase.ts'
import { readSealStart, startSeals } from './audit/seal-check.ts'
import { sqlCache } from './cache.ts'
import { sqlCalls } from './calls/calls.ts'
import {
  type ErasedRequests,
  type EraseRequestsOrder,
  eraseRequests,
} from './calls/erase-requests.ts'
import { type SqlTraces, sqlTraces } from './calls/traces.ts'
import type { Database } from './database.ts'
import { type HealthSample, readSamples, type SampleFilter } from './health.ts'
import { sqlJobs } from './jobs.ts'
import { sqlLimits } from './limits.ts'
import { type Maintenance, maintain } from './maintain.ts'
import { sqlNotices } from './notices.ts'
import type { PostgresOptions, SqliteOptions, SqlOptions } from './options.ts'
import { sqlRuns } from './runs/runs.ts'
import { sealing } from './sealing.ts'
import { openSqliteDatabase } from './sqlite/database.ts'
import { sqlValues } from './values.ts'

/** Every store port over one database. */
export type SqlStores = Stores & {
  readonly audit: SqlAudit
  /** For features that are not ports: exports, verification, erasure. */
  readonly database: Database
  readonly traces: SqlTraces
  /** What was queued, running and unknown at times while maintenance ran. */
  readonly samples: (filter: SampleFilter) => Promise<readonly HealthSample[]>
  /** Prunes old rows and sequences audit records until it is stopped. Every node may run it. */
  readonly maintain: (maintenance: Maintenance) => () => Promise<number>
  /**
   * Erases a person: their data in audit, ledger and approvals is removed, a tombstone stays, and
   * the tree still verifies. The tombstone is signed with the audit key: without a signature, an
   * emptied record counts as tampered with.
   */
  readonly erase: (request: EraseRequest, key: AuditKey) => Promise<Erased>
  /** Empties the calls about someone who is not a principal, by the domain's requests. */
  readonly eraseRequests: (order: EraseRequestsOrder) => Promise<ErasedRequests>
  /** Finishes operations in progress and writes the records that are still buffered. */
  readonly close: () => Promise<void>
}

export function sqlStores(
  database: Database,
  { secretKeys = [], sealKey, groupCommit, onTrouble = () => undefined }: SqlOptions,
): SqlStores {
  const secrets = sealing(secretKeys, sealKey)
  const audit = sqlAudit(database, onTrouble, { sealKey, groupCommit })
  const traces = sqlTraces(database, onTrouble)
  return {
    calls: sqlCalls(database, secrets, onTrouble),
    approvals: sqlApprovals(database, secrets),
    jobs: sqlJobs(database),
    limits: sqlLimits(database),
    runs: sqlRuns(database, secrets),
    notices: sqlNotices(database),
    cache: sqlCache(database),
    audit,
    traces,
    samples: (filter) => database.step(readSamples, filter),
    values: sqlValues(database),
    admin: sqlAdministration(database, secrets),
    database,
    maintain: (maintenance) => maintain(database, maintenance, onTrouble),
    async erase(request, key) {
      // Records this node has buffered would otherwise be written after the erasure.
      await Promise.all([audit.flush(), traces.flush()])
      return database.step(eraseStep, { ...request, key, secretKeys, sealKey })
    },
    async eraseRequests(order) {
      await traces.flush()
      return database.step(eraseRequests, order)
    },
    async close() {
      // The database is closed even if the last records could not be written.
      await traces.flush()
      await audit.close().finally(() => database.close())
    },
  }
}

/** Opens the stores on PostgreSQL. Any number of nodes can share them. */
export async function openPostgres(options: PostgresOptions): Promise<SqlStores> {
  // Imported only when needed: the driver and the job engine are a megabyte that SQLite users need
  // not load.
  const { openPostgresDatabase } = await import('./postgres/open-postgres-database.ts')
  return openStores(await openPostgresDatabase(options), options)
}

/** Opens the stores in one SQLite file. Several processes can share it. */
export async function openSqlite(options: SqliteOptions): Promise<SqlStores> {
  return openStores(await openSqliteDatabase(options), options)
}

async function openStores(database: Database, options: SqlOptions): Promise<SqlStores> {
  const { sealKey } = options
  if (sealKey !== undefined && (await database.step(readSealStart, null)) === undefined)
    await database.step(startSeals, { key: sealKey })
  return sqlStores(database, options)
}
