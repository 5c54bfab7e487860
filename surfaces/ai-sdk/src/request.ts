import type { CallRequest, Tool } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import type { ModelMessage } from 'ai'
import type { Surface } from './options.ts'

/** A tool call as the SDK passes it. */
export type ToolCall = {
  readonly name: string
  /** Undefined if the model names a tool that does not exist. */
  readonly tool: Tool | undefined
  readonly input: unknown
  readonly toolCallId: string
  readonly messages: readonly ModelMessage[]
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export type Request = Omit<CallRequest, 'resumes'>

/**
 * Builds the runtime's request for a tool call. The caller comes from the host, never from a
 * message.
 */
export function toCallRequest(
  { name, tool, input, toolCallId, signal, onProgress }: ToolCall,
  surface: Surface,
): Request {
  const { caller, run } = surface
  return {
    tool: name,
    input,
    caller,
    surface: 'ai-sdk',
    writtenBy: 'model',
    // A tool-call id alone is no idempotency key: another chat may use the same id.
    ...(run === undefined ? {} : { hostCall: { run, toolCall: toolCallId } }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(tool === undefined ? {} : surface.callOptions({ tool, input, toolCallId })),
  }
}
