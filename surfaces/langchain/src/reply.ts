import { ToolMessage } from '@langchain/core/messages'
import { type Envelope, toEnvelope } from '@surehand/core'
import { modelText, wireName } from '@surehand/core/host'
import type { Next } from './next.ts'
import type { Surface } from './options.ts'

/** Content for the model, and the envelope beside it. */
export type Reply = [content: string | ToolMessage, artifact: Envelope]

/**
 * An outcome as a tool's answer. A failure is an answer too: what is thrown is retried by middleware, and told to the model in the
 * framework's words instead of ours.
 */
export function reply(
  { outcome, call, note }: Pick<Next, 'outcome' | 'call' | 'note'>,
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
  if (envelope.status === 'success' || id === undefined) return [content, envelope]
  const message = new ToolMessage({
    content,
    artifact: envelope,
    tool_call_id: id,
    name: wireName(tool.id),
    status: 'error',
  })
  return [message, envelope]
}
