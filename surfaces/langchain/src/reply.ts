import { ToolMessage } from '@langchain/core/messages'
import { type Envelope, toEnvelope } from '@surehand/core'
import { isErrorFor, modelText, wireName } from '@surehand/core/host'
import type { CallResult } from './model-call.ts'
import type { Surface } from './options.ts'

/** The text for the model, and the envelope. */
export type Reply = [content: string | ToolMessage, artifact: Envelope]

/**
 * Converts an outcome to the reply of a tool. Failures are returned, not thrown: middleware would
 * retry an exception, and the model would read the framework's error text instead of ours.
 */
export function reply(
  { outcome, call, note }: Pick<CallResult, 'outcome' | 'call' | 'note'>,
  surface: Surface,
): Reply {
  const { tool, id } = call
  const { approvalUrl, questionUrl, onEnvelope } = surface
  const envelope = toEnvelope(outcome, {
    ...(approvalUrl === undefined ? {} : { approvalUrl }),
    ...(questionUrl === undefined ? {} : { questionUrl }),
  })
  onEnvelope?.(envelope, id ?? '')
  const content = [modelText(envelope), ...(note === undefined ? [] : [note])].join('\n')
  if (!isErrorFor(tool.id, envelope) || id === undefined) return [content, envelope]
  const message = new ToolMessage({
    content,
    artifact: envelope,
    tool_call_id: id,
    name: wireName(tool.id),
    status: 'error',
  })
  return [message, envelope]
}
