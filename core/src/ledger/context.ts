import type { CallRow } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import type { Outcome } from '../call/outcome.ts'
import type { PassingMap } from '../call/passing-map.ts'
import type { CallRequest } from '../call/request.ts'
import type { RegistryContext } from '../registry/context.ts'
import type { CallChanges } from './call-changes.ts'
import type { Leases } from './leases.ts'

/** What the ledger, approvals and runs need. No function changes it. */
export type LedgerContext = RegistryContext & {
  /** The calls that this process is executing, by call id; aborting one cancels its work. */
  readonly abortControllers: PassingMap<AbortController>
  readonly changes: CallChanges
  /** The caller with the rights it has today; undefined when it no longer has any. */
  readonly currentCaller: (caller: Caller) => Promise<Caller | undefined>
  /** A person with the rights of today; undefined where there is no such person. */
  readonly findPerson: (tenant: string, principal: string) => Promise<Caller | undefined>
  readonly leaseMs: number
  /** Makes the keys that providers deduplicate by; see `RuntimeOptions`. */
  readonly installation: string | undefined
  /** The claims of this process, and its judgement about those of others. */
  readonly leases: Leases
  /**
   * Reports an exception that is not a ToolError. Its text is for the log and never leaves the
   * process.
   */
  readonly onUnexpectedError: (error: unknown, callId: string) => void
  /** Continues a stored call through the pipeline. */
  readonly resume: (row: CallRow) => Promise<Outcome>
  /** Runs a step of a run through the pipeline, like any other call. */
  readonly call: (request: CallRequest) => Promise<Outcome>
}
