import type { Envelope } from '@surehand/core'
import type {
  ApprovalView,
  OpenCallView,
  Progress,
  QuestionView,
  ResolutionEvidence,
  RunTree,
} from '@surehand/core/host'
import type { JsonSchema, ToolDefinition } from '@surehand/core/internal'
import type { AuditRecord } from '@surehand/core/ports'

/** A tool as the command line needs it. */
export type ToolFacts = {
  readonly definition: ToolDefinition
  /** What a person fills in: without the key and the fields that are the caller's. */
  readonly input: JsonSchema
  readonly effect: string
  readonly reversible: boolean
  /** `none`, or the kind of yes; undefined where the server does not say. */
  readonly approval: string | undefined
  /** Paths of fields that are secret, as `card.number` or `keys[]`. */
  readonly secrets: readonly string[]
  /** A write whose caller makes the key, and that nothing else guards against being done twice. */
  readonly wantsKey: boolean
}

export type CallRequest = {
  readonly tool: string
  /** The input as text; whoever keeps the contract parses it. */
  readonly json: string
  readonly key?: string
  /** The webhook that hears of its end. */
  readonly notify?: string
  /** How long to wait for the answer, also for a worker's. */
  readonly waitMs?: number
  readonly repeat?: 'meant'
  readonly requestId?: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** A call that waits, runs or is unknown. */
export type OpenJob = OpenCallView

export type Verdict = {
  readonly verdict: 'approve' | 'deny'
  readonly digest: string
  readonly reason?: string
}

/** What is sent to a question, with the digest of what was shown. */
export type AnswerWithDigest = { readonly answer: unknown; readonly digest: string }

export type WaitOptions = {
  readonly waitMs: number
  readonly signal: AbortSignal
  /** `end`: people are waited for too. `news`: whoever waits must hear that a person is needed. */
  readonly until: 'end' | 'news'
  /** Hears how far it is, from whichever node drives it. */
  readonly onProgress?: (progress: Progress) => void
}

export type AuditQuery = {
  readonly callId?: string
  readonly tool?: string
  readonly limit: number
}

/** What commands work with. They never know whether it is in this process or behind a server; refusals are thrown as ToolErrors. */
export type Backend = {
  readonly tools: (category?: string) => Promise<readonly ToolFacts[]>
  readonly search: (words: string, limit: number) => Promise<readonly ToolFacts[]>
  /** Undefined where there is no such tool for this caller. */
  readonly describe: (tool: string) => Promise<ToolFacts | undefined>
  readonly call: (form: CallRequest) => Promise<Envelope>
  /** The kept answer of a call, waited for as long as asked. */
  readonly answer: (callId: string, waiting: WaitOptions) => Promise<Envelope>
  /** A call with the steps it took. */
  readonly runTree: (callId: string) => Promise<RunTree>
  readonly openJobs: () => Promise<readonly OpenJob[]>
  /** `told`: it had begun, and whoever drives it was told to stop. */
  readonly cancel: (callId: string) => Promise<'cancelled' | 'told'>
  readonly resolveUnknown: (callId: string, evidence: ResolutionEvidence) => Promise<void>
  readonly approvals: (state?: string) => Promise<readonly ApprovalView[]>
  readonly approval: (id: string) => Promise<ApprovalView>
  readonly decide: (id: string, verdict: Verdict) => Promise<ApprovalView>
  readonly edit: (id: string, json: string) => Promise<ApprovalView>
  readonly questions: (state?: string) => Promise<readonly QuestionView[]>
  readonly question: (id: string) => Promise<QuestionView>
  readonly answerQuestion: (id: string, given: AnswerWithDigest) => Promise<QuestionView>
  readonly audit: (query: AuditQuery) => Promise<readonly AuditRecord[]>
  readonly exportAudit: () => Promise<AsyncIterable<string>>
  readonly verifyAudit: () => Promise<unknown>
  readonly close: () => Promise<void>
}
