import type {
  BootTime,
  CallRow,
  EffectMark,
  KeyScope,
  NewCall,
  OpenCall,
  StoredAnswer,
} from '../call/call-row.ts'
import type { Maybe } from '../call/maybe.ts'
import type { Row, Tx } from '../define/transaction.ts'
import type { AuditEntry } from './audit.ts'

/** The right to write: a call and the claim it was made under. */
export type Fence = {
  readonly tenant: string
  readonly callId: string
  readonly fence: number
  readonly parentId?: string | undefined
}

export type Claim =
  /** Claimed, and nothing has happened yet. */
  | { readonly kind: 'claimed'; readonly row: CallRow }
  /** Claimed after another process died with an effect under way: the recovery class decides. */
  | { readonly kind: 'recover'; readonly row: CallRow }
  /** Held by another process, or finished: answer from the row. */
  | { readonly kind: 'held'; readonly row: CallRow }
  /** The same input was called under another key shortly before. */
  | { readonly kind: 'duplicate'; readonly row: CallRow }
  /** Its approval has expired or was used. */
  | { readonly kind: 'approval_lapsed' }
  /** An administrator changed something since the call was authorized: authorize it again. */
  | { readonly kind: 'outdated' }
  /** The tool's limit of concurrent jobs is reached. */
  | { readonly kind: 'busy' }

export type ClaimRequest = {
  readonly call: NewCall
  readonly leaseMs: number
  /** Now, on the claimant's monotonic clock: stored beside the lease. */
  readonly at?: BootTime | undefined
  /**
   * The lease that the claimant judged to be over. Only this one is taken over: a renewed one is
   * held. Without it, the store's clock decides.
   */
  readonly expired?: Pick<CallRow, 'fence' | 'leaseUntil'> | undefined
  /**
   * The call continues after an approval, as a job or for recovery: it claims a queued or abandoned
   * row and never creates one.
   */
  readonly resumes: boolean
  /**
   * Without a stable key: refuse, in the same step, a call whose input was used within this time.
   */
  readonly guardMs?: number | undefined
  /**
   * The version of the tenant's administration that the call was authorized under; compared in the
   * same step.
   */
  readonly adminVersion?: number | undefined
  /** How many of this tool's jobs may run at once, per tenant. */
  readonly atMost?: number | undefined
  /**
   * The approval whose facts were compared. A row that was approved anew since is held: its own
   * facts have not been compared.
   */
  readonly approvalId?: string | undefined
}

export type Ending =
  | {
      readonly state: 'succeeded' | 'failed'
      readonly answer: StoredAnswer
      readonly isSecret: boolean
    }
  /** Why the key is free again or the outcome is unknown, for callers that fetch the answer. */
  | {
      readonly state: 'unknown' | 'released' | 'cancelled'
      readonly answer: StoredAnswer
      readonly isSecret: boolean
    }
  /** `queued`: a job that cannot proceed now goes back to the queue. */
  | { readonly state: 'unknown' | 'released' | 'cancelled' | 'queued' }

/** A local effect on its way into the store's transaction. */
export type LocalRun = {
  readonly claim: ClaimRequest
  readonly name: string
  readonly apply: (tx: Tx, args: never) => Promise<unknown>
  readonly args: unknown
  /**
   * By then it is committed or rolled back: an effect that was reported as timed out must not
   * happen later. A commit under way is waited for.
   */
  readonly timeoutMs: number
  /** Its outcome record; the store fills in `output` once the result is known. */
  readonly audit: AuditEntry
}

export type LocalDone =
  | Extract<Claim, { kind: 'held' | 'duplicate' | 'approval_lapsed' | 'outdated' | 'busy' }>
  | { readonly kind: 'done'; readonly fence: Fence; readonly result: unknown }

/**
 * The ledger: one row a keyed call is the state machine of RULES §3.
 * Each method is one atomic step on the store's own clock; of two callers one gets the claim.
 */
export type CallStore = {
  readonly find: (scope: KeyScope) => Maybe<CallRow | undefined>
  readonly get: (tenant: string, callId: string) => Maybe<CallRow | undefined>
  /**
   * The newest call of this principal with the same tool and input since then, whatever its key.
   */
  readonly recent: (call: NewCall, sinceMs: number) => Maybe<CallRow | undefined>
  /** Queues a call for a worker; an existing row is returned instead. */
  readonly queue: (
    call: NewCall,
    guardMs?: number,
  ) => Maybe<{ readonly kind: 'queued' | 'held' | 'duplicate'; readonly row: CallRow }>
  readonly claim: (request: ClaimRequest) => Maybe<Claim>
  /** False: the claim was lost, and nothing may be sent. */
  readonly startEffect: (
    fence: Fence,
    effect: EffectMark,
    intent: AuditEntry,
    at?: BootTime,
  ) => Maybe<boolean>
  readonly renew: (fence: Fence, leaseMs: number, at?: BootTime) => Maybe<boolean>
  /** Was it asked to stop? */
  readonly isToStop: (tenant: string, callId: string) => Maybe<boolean>
  readonly finish: (fence: Fence, ending: Ending, audit: AuditEntry) => Maybe<boolean>
  /**
   * Releases the lease with the effect unsettled, so that recovery need not wait for it to expire.
   */
  readonly abandon: (fence: Fence) => Maybe<boolean>
  /**
   * Claim, effect, audit and answer in one transaction: all of it or none. What `apply` throws is
   * thrown on.
   */
  readonly transact: (run: LocalRun) => Promise<LocalDone>
  /**
   * A queued or abandoned call that can't be driven on for the moment: looked at again after the
   * delay, and behind the others for the sweep.
   */
  readonly postpone: (tenant: string, callId: string, delayMs: number) => Maybe<void>
  /**
   * Cancels a call that waits or is queued; false when it has begun or ended; a run has begun once
   * it has a stored answer.
   */
  readonly cancel: (tenant: string, callId: string) => Maybe<boolean>
  /** The late result of a worker that lost its claim. It never overwrites a final state. */
  readonly addEvidence: (fence: Fence, evidence: Evidence) => Maybe<void>
  readonly evidence: (tenant: string, callId: string) => Maybe<readonly Evidence[]>
  /** Settles `unknown` once; false when it was settled before. */
  readonly resolve: (
    tenant: string,
    callId: string,
    ending: Ending,
    audit: AuditEntry,
  ) => Maybe<boolean>
  /** Calls that wait for a worker, run, or ended with an unknown outcome; the newest first. */
  readonly open: (filter: OpenCallFilter) => Maybe<readonly OpenCall[]>
  /**
   * Rows whose lease has run out by the store's clock, or by the clock of this boot, for the sweep.
   */
  readonly abandoned: (limit: number, at?: BootTime) => Maybe<readonly CallRow[]>
  /** The store's clock: a node compares it with its monotonic clock, and so notices a step. */
  readonly now: () => Maybe<number>
  /** Reads pack data outside a call. */
  readonly query: (
    sql: string,
    ...parameters: readonly (string | number | null)[]
  ) => Maybe<readonly Row[]>
}

/** Without a principal: the calls of all principals. */
export type OpenCallFilter = {
  readonly tenant: string
  readonly principal?: string | undefined
  /** Only calls of this tool whose outcome is unknown. */
  readonly unknownOf?: string | undefined
  readonly limit: number
  /** Only calls that are older than the one of this id. */
  readonly before?: string | undefined
}

export type Evidence = {
  readonly fence: number
  readonly what: 'late_result' | 'late_error' | 'quarantine' | 'person'
  readonly text: string
  readonly at: number
}
