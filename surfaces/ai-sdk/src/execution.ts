import type { Outcome, Tool } from '@surehand/core'
import {
  awaitAnswer,
  awaitOrKnown,
  callForModel,
  type Progress,
  relayVerdict,
} from '@surehand/core/host'
import type { ToolExecutionOptions } from 'ai'
import { findShownApproval } from './find-shown-approval.ts'
import type { Surface } from './options.ts'
import { readVerdicts } from './read-verdicts.ts'
import { reply, type ToolAnswer, type ToolProgress } from './reply.ts'
import { type ToolCall, toCallRequest } from './request.ts'

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

/**
 * Makes one tool call of a model and returns its answer; throws a `ToolCallError` if it was not
 * done.
 */
async function callTool(call: ToolCall, surface: Surface): Promise<ToolAnswer> {
  return reply(await runToolCall(call, surface), call, surface)
}

async function runToolCall(call: ToolCall, surface: Surface): Promise<Outcome> {
  const { runtime, caller, host } = surface
  const verdict = readVerdicts(call.messages).find(
    ({ toolCallId }) => toolCallId === call.toolCallId,
  )
  // Looked up before the call, which may create an approval request: an approval cannot precede its
  // request.
  const shown =
    verdict?.verdict === 'approve' ? await findShownApproval(verdict.shown, surface) : undefined
  const outcome = await callForModel(runtime, toCallRequest(call, surface), surface)
  if (outcome.status !== 'pending' || shown === undefined || host === undefined) return outcome
  // The approval must be for the request of exactly this call.
  if (outcome.approval.id !== shown.id || outcome.approval.digest !== shown.digest) return outcome
  const { callId } = outcome.approval
  const counted = await relayVerdict(runtime.approvals, 'approve', shown, { caller, host })
  // Once the approval counts, the call may run at any moment, so that "pending" would be wrong. The
  // job has the id of its call.
  const known: Outcome = counted
    ? { status: 'accepted', jobId: callId, facts: { ...outcome.facts, callId } }
    : outcome
  return awaitOrKnown(known, () => awaitNews(callId, call, surface))
}

function awaitNews(
  callId: string,
  { signal, onProgress }: ToolCall,
  { runtime, caller, clock, waitMs }: Surface,
): Promise<Outcome | undefined> {
  return awaitAnswer(runtime, caller, callId, { clock, waitMs, signal, until: 'news', onProgress })
}
