import type { ValueStore } from '../define/value-store.ts'
import type { AdminStore } from './administration.ts'
import type { ApprovalStore } from './approvals.ts'
import type { AuditStore } from './audit.ts'
import type { CacheStore } from './cache.ts'
import type { CallStore } from './calls.ts'
import type { JobStore } from './jobs.ts'
import type { LimitStore } from './limits.ts'
import type { NoticeStore } from './notices.ts'
import type { RunStore } from './runs.ts'
import type { TraceStore } from './traces.ts'

/**
 * Everything that a runtime stores. It is one bundle because a claim, its approval and its audit
 * record share transactions.
 *
 * @example
 * const stores: Stores = memoryStores()
 * const runtime = createRuntime({ tools: [weather], stores })
 */
export type Stores = {
  readonly calls: CallStore
  readonly approvals: ApprovalStore
  readonly jobs: JobStore
  readonly limits: LimitStore
  readonly runs: RunStore
  readonly notices: NoticeStore
  readonly cache: CacheStore
  readonly audit: AuditStore
  readonly values: ValueStore
  readonly admin: AdminStore
  /** Without it, no call is timed. */
  readonly traces?: TraceStore
}
