import type { ToolErrorCode } from '@surehand/core'
import type { ResolutionEvidence } from '@surehand/core/host'
import type { CodeVersion } from '../pack/program.ts'
import type { Failpoint } from './failpoint.ts'

/** Where the nodes of one scenario keep their shared store. */
export type StoreLocation =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }
export type LedgerKind = 'correct' | 'naive' | 'forgetful'

/** Everything a node process receives when it starts. */
export type NodeSetup = {
  readonly location: StoreLocation
  readonly vendorUrl: string
  readonly ledger: LedgerKind
  readonly leaseMs: number
  /** Sessions of a pool on PostgreSQL; undefined: as many as by default. */
  readonly poolSize?: number
  /** The program that a node runs; the compile cache lies beside it. */
  readonly program: string
  /** A folder in which the nodes of one scenario leave marker files for each other. */
  readonly folder: string
  /** Several only with an item each. */
  readonly failpoints: readonly Failpoint[]
  readonly codeVersion: CodeVersion
  /** Added to the process's environment. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * The key in PEM that signs the audit's tree heads, the file that stores them, and the key in hex
   * that seals records.
   */
  readonly audit: { readonly key: string; readonly anchorFile: string; readonly sealKey: string }
}

export type Who = { readonly tenant: string; readonly principal: string }

/** A request of a client to a node. */
export type NodeRequest =
  | {
      readonly type: 'call'
      readonly who: Who
      readonly tool: string
      readonly input: unknown
      readonly key: string
      readonly whenRunning: 'answer' | 'wait'
    }
  | { readonly type: 'answer'; readonly who: Who; readonly callId: string }
  | {
      readonly type: 'decide'
      readonly who: Who
      readonly approvalId: string
      readonly verdict: 'approve' | 'deny'
    }
  | {
      readonly type: 'edit'
      readonly who: Who
      readonly approvalId: string
      readonly input: unknown
    }
  | { readonly type: 'cancel'; readonly who: Who; readonly callId: string }
  | {
      readonly type: 'resolve'
      readonly who: Who
      readonly callId: string
      readonly evidence: ResolutionEvidence
    }
  | {
      readonly type: 'reply'
      readonly who: Who
      readonly questionId: string
      readonly answer: unknown
    }
  | { readonly type: 'tree'; readonly who: Who; readonly callId: string }
  | { readonly type: 'pin'; readonly who: Who; readonly name: string }
  | { readonly type: 'pending-approvals'; readonly tenant: string }
  | { readonly type: 'arm'; readonly failpoint: Failpoint | undefined }

/** A node's reply to a client. */
export type NodeReply =
  | {
      readonly status: 'done'
      readonly callId: string
      readonly data: unknown
      readonly source: string
    }
  | {
      readonly status: 'pending'
      readonly callId: string
      readonly approvalId: string
      readonly asks: string
    }
  | {
      readonly status: 'asking'
      readonly callId: string
      readonly questionId: string
      readonly path: string
    }
  | { readonly status: 'accepted'; readonly callId: string }
  | {
      readonly status: 'failed'
      readonly callId: string
      readonly code: ToolErrorCode
      readonly message: string
      readonly details: unknown
      /** Where the answer of a failed call comes from (executed, replayed, …). */
      readonly source: string
    }
  /** The node has no such answer, or it has done what was requested. */
  | { readonly status: 'missing' | 'ok' }
  | { readonly status: 'approvals'; readonly ids: readonly string[] }
  /** The steps of a run whose outcome is unknown. */
  | {
      readonly status: 'tree'
      readonly unknown: readonly { readonly path: string; readonly callId: string }[]
    }

export type ToNode = { readonly id: number } & NodeRequest
/** A node sends a tick for every 100 ms in which it could run. */
export const TICK_MS = 100
export type FromNode =
  | { readonly ready: true }
  | { readonly tick: true }
  /** The call for this item has stopped at its failpoint. */
  | { readonly reached: string }
  | { readonly id: number; readonly reply: NodeReply }
