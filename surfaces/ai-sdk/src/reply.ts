import { type Outcome, toEnvelope } from '@surehand/core'
import { isErrorFor, modelText, type Progress } from '@surehand/core/host'
import type { Surface } from './options.ts'
import { ToolCallError } from './tool-call-error.ts'

/**
 * The output of a tool that is done, accepted as a job, or waits for a person. UI messages store it, so that a degraded
 * answer is still marked as such later.
 */
export type ToolAnswer<O = unknown> =
  | {
      readonly status: 'done'
      readonly data: O
      readonly callId: string
      /** Warnings that belong to the data. */
      readonly notes: readonly string[]
      /** True for the answer of a fallback, which may be incomplete. */
      readonly degraded: boolean
    }
  | { readonly status: 'accepted'; readonly callId: string; readonly jobId: string }
  /** It waits for a person, or asks the model; `text` says for what, and how to go on. */
  | { readonly status: 'pending'; readonly callId: string; readonly text: string }
  /** What `surehand__result` reports of a call that was denied, cancelled or has failed. */
  | { readonly status: 'failed'; readonly callId: string; readonly text: string }

/** The preliminary output of a tool that reports progress. */
export type ToolProgress = Progress & { readonly status: 'running' }

type AnsweredCall = { readonly name: string; readonly toolCallId: string }

/**
 * Converts an outcome to the output of a tool; throws a `ToolCallError` for a call that failed.
 */
export function reply(outcome: Outcome, call: AnsweredCall, surface: Surface): ToolAnswer {
  const { name, toolCallId } = call
  const envelope = toEnvelope(outcome, surface.pages)
  const { callId } = outcome.facts
  surface.onEnvelope(envelope, toolCallId)
  switch (outcome.status) {
    case 'done':
      return {
        status: 'done',
        data: outcome.data,
        callId,
        notes: envelope.metadata.warnings ?? [],
        degraded: outcome.degraded,
      }
    case 'accepted':
      return { status: 'accepted', callId, jobId: outcome.jobId }
    // Waiting is no error: what is thrown is retried, or reported as a failure.
    case 'pending':
    case 'asking':
      return { status: 'pending', callId, text: modelText(envelope) }
    case 'failed':
      if (isErrorFor(name, envelope)) throw new ToolCallError(envelope)
      return { status: 'failed', callId, text: modelText(envelope) }
  }
}
