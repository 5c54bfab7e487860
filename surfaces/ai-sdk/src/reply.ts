import { type Outcome, toEnvelope } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import type { Surface } from './options.ts'
import { ToolCallError } from './tool-call-error.ts'

/** What a tool answers when its work is done, or was taken on. It stands in UI messages, so that a degraded answer stays one. */
export type ToolAnswer<O = unknown> =
  | {
      readonly status: 'done'
      readonly data: O
      readonly callId: string
      /** What is to be known beside the data. */
      readonly notes: readonly string[]
      /** A fallback's answer: less than was asked for. */
      readonly degraded: boolean
    }
  | { readonly status: 'accepted'; readonly callId: string; readonly jobId: string }

/** What a tool that tells its progress says before it answers. */
export type ToolProgress = Progress & { readonly status: 'running' }

/** An outcome as the output of a tool; what was not done is thrown. */
export function reply(outcome: Outcome, toolCallId: string, surface: Surface): ToolAnswer {
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
    case 'pending':
    case 'asking':
    case 'failed':
      throw new ToolCallError(envelope)
  }
}
