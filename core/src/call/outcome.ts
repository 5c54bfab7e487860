import type { Approval } from './approval.ts'
import type { Hashed } from './canonical.ts'
import type { ToolErrorCode } from './errors.ts'
import type { Question } from './question.ts'
import type { ToolError } from './tool-error.ts'

/** Facts of a call that every outcome carries. */
export type CallFacts = {
  readonly callId: string
  readonly tool: string
  /** The envelope's `command`, where a protocol has its own name for the tool. */
  readonly command?: string | undefined
  readonly title: string
  readonly category: string
  readonly schemaVersion: string
  readonly permissionsUsed: readonly string[]
  readonly durationMs: number
  readonly validationMs: number
  /**
   * Notes for the maintainer of the calling program: deprecations, error details that differ from
   * the declaration.
   */
  readonly notes: readonly string[]
}

export type Source = 'executed' | 'cached' | 'replayed' | 'fallback'

/** The answer of a stage; the facts are added once, at the end of the pipeline. */
export type Answer =
  | {
      readonly status: 'done'
      readonly data: unknown
      readonly source: Source
      readonly warnings: readonly string[]
      readonly originalCallId:
        | string
        | undefined /** Its outcome was written to the audit together with the effect. */
      readonly audited: boolean
      readonly output: Hashed
    }
  // What waits names the stored call that will have the answer: a repeated request waits for the
  // first one, and the approval or question may be that of a step.
  | { readonly status: 'pending'; readonly approval: Approval; readonly callId: string }
  | { readonly status: 'asking'; readonly question: Question; readonly callId: string }
  | { readonly status: 'accepted'; readonly jobId: string }
  | {
      readonly status: 'failed'
      readonly error: ToolError
      readonly source: Source
      readonly originalCallId: string | undefined
      readonly audited: boolean
    }

/** How a call ended or what it waits for, in one word; envelopes and audit records carry it. */
export const OUTCOMES = [
  'done',
  'pending',
  'accepted',
  'denied',
  'cancelled',
  'unknown',
  'failed',
] as const

export type OutcomeName = (typeof OUTCOMES)[number]

export function outcomeName(
  outcome:
    | { readonly status: Exclude<Outcome['status'], 'failed'> }
    | { readonly status: 'failed'; readonly error: Pick<ToolError, 'code'> },
): OutcomeName {
  switch (outcome.status) {
    case 'done':
    case 'accepted':
    case 'pending':
      return outcome.status
    case 'asking':
      return 'pending'
    case 'failed':
      return failureName(outcome.error.code)
  }
}

function failureName(code: ToolErrorCode): OutcomeName {
  switch (code) {
    case 'TOOL_APPROVAL_DENIED':
      return 'denied'
    case 'TOOL_CANCELLED':
      return 'cancelled'
    case 'TOOL_OUTCOME_UNKNOWN':
      return 'unknown'
    default:
      return 'failed'
  }
}

/**
 * Is the call still open? `end`: until it is done or failed. `news`: only while it waits for no
 * person.
 */
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

/**
 * How a call ended, or what it waits for: done, pending (for an approval), asking (a question of a
 * run), accepted (as a job) or failed.
 *
 * @example
 * const outcome: Outcome<{ celsius: number }> = await runtime
 *   .as({ principal: 'ann' })
 *   .call(weather, { city: 'Lisbon' })
 * if (outcome.status === 'done') console.log(outcome.data.celsius)
 * if (outcome.status === 'failed') console.error(outcome.error.code)
 */
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
  /** A run asks a question and continues once it is answered. */
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
      return { facts: ofCall(answer.callId, facts), status: 'pending', approval: answer.approval }
    case 'asking':
      return { facts: ofCall(answer.callId, facts), status: 'asking', question: answer.question }
    case 'accepted':
      return { facts: ofCall(answer.jobId, facts), status: 'accepted', jobId: answer.jobId }
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

function ofCall(callId: string, facts: CallFacts): CallFacts {
  return facts.callId === callId ? facts : { ...facts, callId }
}
