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

/**
 * Waits for the run that the model has answered, and returns its result: not every model can fetch
 * an answer by its call id.
 */
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

/**
 * The result of the run as the result of the answer tool, in the shape that the answer tool
 * declares.
 */
export function asAnswerToolResult(result: ToolsCallResult): ToolsCallResult {
  if (!isToolResult(result)) return result
  const { command, metadata } = readEnvelope(result)
  if (command === ANSWER_TOOL) return result
  const accepted: ContentBlock = { type: 'text', text: 'The answer was accepted. The result:' }
  return {
    ...result,
    content: [accepted, ...result.content],
    structuredContent: { call_id: metadata.call_id },
  }
}

function isToolResult(result: ToolsCallResult): result is CallToolResult {
  return 'content' in result && result.content !== undefined
}

function readEnvelope({
  _meta: meta = {},
}: CallToolResult): Pick<Envelope, 'command' | 'metadata'> {
  // The cast is safe: every result of `reply` carries the envelope.
  return meta[ENVELOPE_META] as Envelope
}
