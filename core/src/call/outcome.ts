import type { Approval } from './approval.ts'
import type { Hashed } from './canonical-text.ts'
import type { Question } from './question.ts'
import type { ToolError } from './tool-error.ts'

/** What is true of a call however it ended. */
export type CallFacts = {
  readonly callId: string
  readonly tool: string
  /** What its envelope calls it, where a protocol has a name of its own for it. */
  readonly command?: string | undefined
  readonly title: string
  readonly category: string
  readonly schemaVersion: string
  readonly permissionsUsed: readonly string[]
  readonly durationMs: number
  readonly validationMs: number
  /** What whoever maintains the caller should hear: deprecations, details that are not as declared. */
  readonly notes: readonly string[]
}

export type Source = 'executed' | 'cached' | 'replayed' | 'fallback'

/** What a stage answers; the facts are added once, at the end of the line. */
export type Answer =
  | {
      readonly status: 'done'
      readonly data: unknown
      readonly source: Source
      readonly warnings: readonly string[]
      readonly originalCallId:
        | string
        | undefined /** Its outcome stands in the audit already, written with the effect. */
      readonly audited: boolean
      readonly output: Hashed
    }
  | { readonly status: 'pending'; readonly approval: Approval }
  | { readonly status: 'asking'; readonly question: Question }
  | { readonly status: 'accepted'; readonly jobId: string }
  | {
      readonly status: 'failed'
      readonly error: ToolError
      readonly source: Source
      readonly originalCallId: string | undefined
      readonly audited: boolean
    }

/** Is there more to come? `end`: until it is done or failed. `news`: only while nobody has to be asked. */
export function isOpen({ status }: Pick<Outcome, 'status'>, until: 'end' | 'news'): boolean {
  switch (status) {
    case 'accepted':
      return true
    case 'pending':
    case 'asking':
      return until === 'end'
    case 'done':
    case 'failed':
      return false
  }
}

export type Outcome<O = unknown> = { readonly facts: CallFacts } & (
  | {
      readonly status: 'done'
      readonly data: O
      readonly source: Source
      readonly degraded: boolean
      readonly warnings: readonly string[]
      readonly originalCallId: string | undefined
    }
  | { readonly status: 'pending'; readonly approval: Approval }
  /** It wants to know something before it goes on. */
  | { readonly status: 'asking'; readonly question: Question }
  | { readonly status: 'accepted'; readonly jobId: string }
  | {
      readonly status: 'failed'
      readonly error: ToolError
      readonly source: Source
      readonly originalCallId: string | undefined
    }
)

/** An answer with the facts of its call. */
export function toOutcome(facts: CallFacts, answer: Answer): Outcome {
  switch (answer.status) {
    case 'done': {
      const { data, source, warnings, originalCallId } = answer
      return {
        facts,
        status: 'done',
        data,
        source,
        degraded: source === 'fallback',
        warnings,
        originalCallId,
      }
    }
    case 'pending':
      return { facts, status: 'pending', approval: answer.approval }
    case 'asking':
      return { facts, status: 'asking', question: answer.question }
    case 'accepted':
      return { facts, status: 'accepted', jobId: answer.jobId }
    case 'failed':
      return {
        facts,
        status: 'failed',
        error: answer.error,
        source: answer.source,
        originalCallId: answer.originalCallId,
      }
  }
}
