import type { ToolErrorCode } from '@surehand/core'
import type { ResolutionEvidence } from '@surehand/core/host'
import type { Mind } from '../pack/program.ts'
import type { Failpoint } from './failpoint.ts'

/** Where the nodes of one house keep what they share. */
export type StorePlace =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }
export type LedgerKind = 'true' | 'naive' | 'forgetful'

/** Everything a node process is told when it starts. */
export type NodeSetup = {
  readonly place: StorePlace
  readonly vendorUrl: string
  readonly ledger: LedgerKind
  readonly leaseMs: number
  /** What a node runs, and beside it what the first of them has compiled. */
  readonly program: string
  /** Where the nodes of one run leave marks for each other. */
  readonly folder: string
  readonly failpoint: Failpoint | undefined
  readonly mind: Mind
  /** With what heads of the audit are signed, in PEM, and where they are kept. */
  readonly audit: { readonly key: string; readonly anchorFile: string }
}

export type Who = { readonly tenant: string; readonly principal: string }

/** What a client may ask of a node. */
export type Ask =
  | {
      readonly ask: 'call'
      readonly who: Who
      readonly tool: string
      readonly input: unknown
      readonly key: string
      readonly whenRunning: 'answer' | 'wait'
    }
  | { readonly ask: 'answer'; readonly who: Who; readonly callId: string }
  | {
      readonly ask: 'decide'
      readonly who: Who
      readonly approvalId: string
      readonly verdict: 'approve' | 'deny'
    }
  | {
      readonly ask: 'edit'
      readonly who: Who
      readonly approvalId: string
      readonly input: unknown
    }
  | { readonly ask: 'cancel'; readonly who: Who; readonly callId: string }
  | {
      readonly ask: 'resolve'
      readonly who: Who
      readonly callId: string
      readonly evidence: ResolutionEvidence
    }
  | {
      readonly ask: 'reply'
      readonly who: Who
      readonly questionId: string
      readonly answer: unknown
    }
  | { readonly ask: 'tree'; readonly who: Who; readonly callId: string }
  | { readonly ask: 'pin'; readonly who: Who; readonly name: string }
  | { readonly ask: 'questions'; readonly tenant: string }
  | { readonly ask: 'arm'; readonly failpoint: Failpoint | undefined }

/** What a client is told. */
export type Told =
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
      /** Of a call that ended so: where its answer comes from. */
      readonly source: string
    }
  /** The node has no such answer, or has done what it was told. */
  | { readonly status: 'missing' | 'ok' }
  | { readonly status: 'questions'; readonly ids: readonly string[] }
  /** Steps of a run of which nobody knows what became. */
  | {
      readonly status: 'tree'
      readonly unknown: readonly { readonly path: string; readonly callId: string }[]
    }

export type ToNode = { readonly id: number } & Ask
export type FromNode = { readonly ready: true } | { readonly id: number; readonly told: Told }
