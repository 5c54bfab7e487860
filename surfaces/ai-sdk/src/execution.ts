import type { Tool } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import type { ToolExecutionOptions } from 'ai'
import { callTool } from './call-tool.ts'
import type { Surface } from './options.ts'
import type { ToolAnswer, ToolProgress } from './reply.ts'
import type { ToolCall } from './request.ts'

/** `preliminary`: progress is sent as preliminary output of the call when the SDK streams. */
export type ProgressOption = { readonly progress?: 'preliminary' | undefined }

type Execute<O> = (input: unknown, execution: ToolExecutionOptions<unknown>) => O
type ToolExecution =
  | Execute<Promise<ToolAnswer>>
  | Execute<AsyncGenerator<ToolAnswer | ToolProgress>>

/** Creates the `execute` function of one tool. */
export function createToolExecution(
  tool: Tool,
  surface: Surface,
  { progress }: ProgressOption,
): ToolExecution {
  return createExecution((input) => ({ name: tool.id, tool, input }), surface, { progress })
}

/** The tool that a model calls, and its input. */
export type RequestedCall = Pick<ToolCall, 'name' | 'tool' | 'input'>

/**
 * Creates an `execute` function that makes one call of the runtime for each tool call; `read` says
 * which tool is called.
 */
export function createExecution(
  read: (input: unknown) => RequestedCall,
  surface: Surface,
  { progress }: ProgressOption,
): ToolExecution {
  const callOf = (
    input: unknown,
    { toolCallId, messages, abortSignal }: ToolExecutionOptions<unknown>,
  ): ToolCall => {
    return { ...read(input), toolCallId, messages, signal: abortSignal }
  }
  if (progress === undefined) return (input, given) => callTool(callOf(input, given), surface)
  return (input, given) =>
    streamProgress((onProgress) => callTool({ ...callOf(input, given), onProgress }, surface))
}

/** Yields the progress reports of `work` while it runs, then its answer. */
async function* streamProgress<T>(
  work: (onProgress: (progress: Progress) => void) => Promise<T>,
): AsyncGenerator<ToolProgress | T> {
  const reports: Progress[] = []
  let wake = () => {}
  const answer = work((progress) => {
    reports.push(progress)
    wake()
  })
  let isOver = false
  const finish = () => {
    isOver = true
    wake()
  }
  answer.then(finish, finish)
  while (!isOver || reports.length > 0) {
    const progress = reports.shift()
    if (progress !== undefined) yield { ...progress, status: 'running' }
    else
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  yield await answer
}
