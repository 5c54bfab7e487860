import type { CallRequest, Tool } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import type { ModelMessage } from 'ai'
import type { Surface } from './options.ts'

/** A tool call as the SDK hands it over. */
export type ToolCall = {
  readonly name: string
  /** Undefined where a model names what is not in its list. */
  readonly tool: Tool | undefined
  readonly input: unknown
  readonly toolCallId: string
  readonly messages: readonly ModelMessage[]
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export type Request = Omit<CallRequest, 'resumes'>

/** A tool call as the runtime takes it. Who calls is the host's word alone. */
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
    // a tool-call id alone is no key: another chat may have the same
    ...(run === undefined ? {} : { hostCall: { run, toolCall: toolCallId } }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(tool === undefined ? {} : surface.callOptions({ tool, input, toolCallId })),
  }
}
