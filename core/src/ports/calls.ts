import type {
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
  /** Ours, and nothing has happened yet. */
  | { readonly kind: 'claimed'; readonly row: CallRow }
  /** Ours, after somebody died with an effect under way: the recovery class decides. */
  | { readonly kind: 'recover'; readonly row: CallRow }
  /** Somebody else's, or finished: answer from the row. */
  | { readonly kind: 'held'; readonly row: CallRow }
  /** The same input was called under another key a moment ago. */
  | { readonly kind: 'duplicate'; readonly row: CallRow }
  /** The yes it came with has expired or was used. */
  | { readonly kind: 'approval_lapsed' }
  /** An administrator changed something since the call was let through: judge it again. */
  | { readonly kind: 'outdated' }
  /** As many of its jobs are worked on as may be at once. */
  | { readonly kind: 'busy' }

export type ClaimRequest = {
  readonly call: NewCall
  readonly leaseMs: number
  /** Comes back after a yes, as a job or to recover: takes a queued or abandoned row, never makes one. */
  readonly resumes: boolean
  /** Without a stable key: refuse, in the same step, what was done or begun with the same input so lately. */
  readonly guardMs?: number | undefined
  /** The version of the tenant's administration that the call was judged by; compared in the same step. */
  readonly adminVersion?: number | undefined
  /** So many of this tool's jobs are worked on at once, for each tenant. */
  readonly atMost?: number | undefined
}

export type Ending =
  | {
      readonly state: 'succeeded' | 'failed'
      readonly answer: StoredAnswer
      readonly isSecret: boolean
    }
  /** Why, for whoever fetches the answer: the key is free, or nobody knows. */
  | {
      readonly state: 'unknown' | 'released' | 'cancelled'
      readonly answer: StoredAnswer
      readonly isSecret: boolean
    }
  /** `queued`: a job that could do nothing for the moment goes back on the list. */
  | { readonly state: 'unknown' | 'released' | 'cancelled' | 'queued' }

/** A local effect on its way into the store's transaction. */
export type LocalRun = {
  readonly claim: ClaimRequest
  readonly name: string
  readonly apply: (tx: Tx, args: never) => Promise<unknown>
  readonly args: unknown
  /** By then it is committed or rolled back: what is told as timed out must not happen after. Only a commit under way is waited for. */
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
  /** The newest call of this principal with the same tool and input since then, whatever its key. */
  readonly recent: (call: NewCall, sinceMs: number) => Maybe<CallRow | undefined>
  /** Puts a call on the waiting list of a worker; an existing row is answered instead. */
  readonly queue: (
    call: NewCall,
    guardMs?: number,
  ) => Maybe<{ readonly kind: 'queued' | 'held' | 'duplicate'; readonly row: CallRow }>
  readonly claim: (request: ClaimRequest) => Maybe<Claim>
  /** False: we are a zombie, and nothing may leave the house. */
  readonly startEffect: (fence: Fence, effect: EffectMark, intent: AuditEntry) => Maybe<boolean>
  readonly renew: (fence: Fence, leaseMs: number) => Maybe<boolean>
  /** Does somebody want it to stop? */
  readonly isToStop: (tenant: string, callId: string) => Maybe<boolean>
  readonly finish: (fence: Fence, ending: Ending, audit: AuditEntry) => Maybe<boolean>
  /** Gives up the lease with the effect unsettled, so that a recoverer need not wait for it. */
  readonly abandon: (fence: Fence) => Maybe<boolean>
  /** Claim, effect, audit and answer in one transaction: all of it or none. What `apply` throws is thrown on. */
  readonly transact: (run: LocalRun) => Promise<LocalDone>
  /** A queued or abandoned call that can't be driven on for the moment: looked at again after the delay, and behind the others for the sweep. */
  readonly postpone: (tenant: string, callId: string, delayMs: number) => Maybe<void>
  /** Cancels a call that waits or is queued; false when it has begun or ended, as a run has that was told something. */
  readonly cancel: (tenant: string, callId: string) => Maybe<boolean>
  /** What a fenced-off run brought home late. It never overwrites a final state. */
  readonly addEvidence: (fence: Fence, evidence: Evidence) => Maybe<void>
  readonly evidence: (tenant: string, callId: string) => Maybe<readonly Evidence[]>
  /** Settles `unknown` once; false when somebody has already. */
  readonly resolve: (
    tenant: string,
    callId: string,
    ending: Ending,
    audit: AuditEntry,
  ) => Maybe<boolean>
  /** What waits for a worker, runs, or ended with nobody knowing how; the newest first. */
  readonly open: (filter: OpenCallFilter) => Maybe<readonly OpenCall[]>
  /** Rows whose lease has run out, for the sweep. */
  readonly abandoned: (limit: number) => Maybe<readonly CallRow[]>
  /** Reads pack data outside a call. */
  readonly query: (
    sql: string,
    ...parameters: readonly (string | number | null)[]
  ) => Maybe<readonly Row[]>
}

/** Without a principal: everybody's. */
export type OpenCallFilter = {
  readonly tenant: string
  readonly principal?: string | undefined
  readonly limit: number
}

export type Evidence = {
  readonly fence: number
  readonly what: 'late_result' | 'late_error' | 'person'
  readonly text: string
  readonly at: number
}
