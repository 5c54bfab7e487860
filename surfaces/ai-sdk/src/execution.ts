import type { Tool } from '@surehand/core'
import type { ToolExecutionOptions } from 'ai'
import { callTool } from './call-tool.ts'
import type { Surface } from './options.ts'
import type { ToolAnswer, ToolProgress } from './reply.ts'
import type { ToolCall } from './request.ts'
import { tellProgress } from './tell-progress.ts'

/** `preliminary`: what is heard of a call while it runs is told as its preliminary output, where the SDK streams. */
export type ProgressOption = { readonly progress?: 'preliminary' | undefined }

type Execute<O> = (input: unknown, execution: ToolExecutionOptions<unknown>) => O
type Answering = Execute<Promise<ToolAnswer>> | Execute<AsyncGenerator<ToolAnswer | ToolProgress>>

/** What the SDK runs for a tool call: one call of the runtime, whichever way it came. */
export function execution(tool: Tool, surface: Surface, { progress }: ProgressOption): Answering {
  return executionOf((input) => ({ name: tool.id, tool, input }), surface, { progress })
}

export type Meant = Pick<ToolCall, 'name' | 'tool' | 'input'>

export function executionOf(
  read: (input: unknown) => Meant,
  surface: Surface,
  { progress }: ProgressOption,
): Answering {
  const callOf = (
    input: unknown,
    { toolCallId, messages, abortSignal }: ToolExecutionOptions<unknown>,
  ): ToolCall => {
    return { ...read(input), toolCallId, messages, signal: abortSignal }
  }
  if (progress === undefined) return (input, given) => callTool(callOf(input, given), surface)
  return (input, given) =>
    tellProgress((onProgress) => callTool({ ...callOf(input, given), onProgress }, surface))
}
