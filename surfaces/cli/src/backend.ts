import type { Envelope } from '@surehand/core'
import type {
  ApprovalView,
  OpenCallView,
  Progress,
  QuestionView,
  ResolutionEvidence,
  RunTree,
} from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import type { AuditRecord } from '@surehand/core/ports'
import type { ToolDefinition } from '@surehand/documents'

/** A tool as the command line needs it. */
export type ToolFacts = {
  readonly definition: ToolDefinition
  /**
   * The fields a person fills in: without the idempotency key and the fields taken from the caller.
   */
  readonly input: JsonSchema
  readonly effect: string
  readonly reversible: boolean
  /** `none`, or the kind of approval; undefined where the server does not say. */
  readonly approval: string | undefined
  /** Paths of fields that are secret, as `card.number` or `keys[]`. */
  readonly secrets: readonly string[]
  /** A write that only a key from the caller protects from being done twice. */
  readonly wantsKey: boolean
}

export type CallRequest = {
  readonly tool: string
  /** The input as JSON text; the runtime parses it. */
  readonly json: string
  readonly key?: string
  /** The webhook to notify when the call ends. */
  readonly notify?: string
  /** How long to wait for the answer, also while a worker runs the call. */
  readonly waitMs?: number
  readonly repeat?: 'meant'
  readonly requestId?: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** A call that waits, runs, or has an unknown outcome. */
export type OpenJob = OpenCallView

export type Verdict = {
  readonly verdict: 'approve' | 'deny'
  readonly digest: string
  readonly reason?: string
}

/** The answer to a question, with the digest of the question that was shown. */
export type AnswerWithDigest = { readonly answer: unknown; readonly digest: string }

export type WaitOptions = {
  readonly waitMs: number
  readonly signal: AbortSignal
  /** `end` also waits for people; `news` returns as soon as a person is needed. */
  readonly until: 'end' | 'news'
  /** Called with the progress, on whichever node the call runs. */
  readonly onProgress?: (progress: Progress) => void
}

export type AuditQuery = {
  readonly callId?: string
  readonly tool?: string
  readonly limit: number
}

/**
 * What commands work with, whether the app is in this process or behind a server. Refusals are
 * thrown as ToolErrors.
 */
export type Backend = {
  readonly tools: (category?: string) => Promise<readonly ToolFacts[]>
  readonly search: (words: string, limit: number) => Promise<readonly ToolFacts[]>
  /** Undefined where this caller has no such tool. */
  readonly describe: (tool: string) => Promise<ToolFacts | undefined>
  readonly call: (form: CallRequest) => Promise<Envelope>
  /** The stored answer of a call, after waiting for it as the options say. */
  readonly answer: (callId: string, waiting: WaitOptions) => Promise<Envelope>
  /** A call with its steps. */
  readonly runTree: (callId: string) => Promise<RunTree>
  readonly openJobs: () => Promise<readonly OpenJob[]>
  /** `stopping`: the call had started, and was asked to stop. */
  readonly cancel: (callId: string) => Promise<'cancelled' | 'stopping'>
  readonly resolveUnknown: (callId: string, evidence: ResolutionEvidence) => Promise<void>
  readonly approvals: (state?: string) => Promise<readonly ApprovalView[]>
  readonly approval: (id: string) => Promise<ApprovalView>
  readonly decide: (id: string, verdict: Verdict) => Promise<ApprovalView>
  readonly delegate: (id: string, to: string) => Promise<ApprovalView>
  readonly edit: (id: string, json: string) => Promise<ApprovalView>
  readonly questions: (state?: string) => Promise<readonly QuestionView[]>
  readonly question: (id: string) => Promise<QuestionView>
  readonly answerQuestion: (id: string, given: AnswerWithDigest) => Promise<QuestionView>
  readonly audit: (query: AuditQuery) => Promise<readonly AuditRecord[]>
  readonly exportAudit: () => Promise<AsyncIterable<string>>
  readonly verifyAudit: () => Promise<unknown>
  readonly close: () => Promise<void>
}
