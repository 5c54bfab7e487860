import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import type { Envelope, Outcome } from '@surehand/core'
import { ANSWER_TOOL } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { replyOrAsk } from './ask-client.ts'
import type { ToolsCallResult } from './call-tool.ts'
import type { Surface } from './options.ts'
import { reportProgressWhile } from './progress.ts'
import { ENVELOPE_META, reply } from './reply.ts'
import type { ToolsCall } from './request.ts'
import { waitForAnswer } from './wait-for-answer.ts'

type Done = Extract<Outcome, { status: 'done' }>

/** A model that has answered a run hears in the same breath what came of it: models can't all fetch an answer by its call's id. */
export async function awaitAnswerAfterModel(
  outcome: Done,
  call: ToolsCall,
  surface: Surface,
): Promise<ToolsCallResult> {
  const callId = isRecord(outcome.data) ? outcome.data.call_id : undefined
  if (surface.waitMs === 0 || typeof callId !== 'string')
    return reply(outcome, surface, call.caller.tenant)
  const next = await reportProgressWhile({ callId, since: 'now' }, call, surface, () =>
    waitForAnswer(callId, call, surface),
  )
  return replyOrAsk(next ?? outcome, call, surface)
}

/** The run's word as the answer of the tool that answered it, in the shape which that declares. */
export function asAnswerToolResult(result: ToolsCallResult): ToolsCallResult {
  if (!isToolResult(result)) return result
  const { command, metadata } = envelopeIn(result)
  if (command === ANSWER_TOOL) return result
  const taken: ContentBlock = { type: 'text', text: 'The answer was taken. What became of it:' }
  return {
    ...result,
    content: [taken, ...result.content],
    structuredContent: { call_id: metadata.call_id },
  }
}

function isToolResult(result: ToolsCallResult): result is CallToolResult {
  return 'content' in result && result.content !== undefined
}

function envelopeIn({ _meta: meta = {} }: CallToolResult): Pick<Envelope, 'command' | 'metadata'> {
  // erased: whatever `reply` makes carries it
  return meta[ENVELOPE_META] as Envelope
}
