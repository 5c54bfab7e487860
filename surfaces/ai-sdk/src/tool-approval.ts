import { type Caller, type Outcome, type Runtime, toEnvelope } from '@surehand/core'
import type { Approval } from '@surehand/core/ports'
import type { ModelMessage, ToolApprovalStatus } from 'ai'
import { writeReason } from './approval-reason.ts'
import { CALL, findTool, readCompactCall } from './compact.ts'
import type { RequestedCall } from './execution.ts'
import { type Options, type Surface, surfaceOf } from './options.ts'
import { readVerdicts } from './read-verdicts.ts'
import { toCallRequest } from './request.ts'

type ApprovalQuery = {
  readonly toolCall: {
    readonly toolName: string
    readonly toolCallId: string
    readonly input: unknown
  }
  readonly messages: ModelMessage[]
}

/**
 * `run` is required: an approval arrives in a later request, and only a stable key identifies the
 * call again.
 */
export type ApprovalOptions = Options & { readonly run: string }

/**
 * For the option `toolApproval` of generateText, streamText and agents: shows the runtime's
 * approval request in the chat. It decides nothing; the tool itself checks the approval when it is
 * executed.
 */
export function toolApproval(
  runtime: Runtime,
  caller: Caller,
  options: ApprovalOptions,
): (query: ApprovalQuery) => Promise<ToolApprovalStatus> {
  const surface = surfaceOf(runtime, caller, options)
  return async ({ toolCall, messages }) => {
    const { toolCallId } = toolCall
    // The SDK calls this again before it runs an approved call. No request may be created then, or
    // a forged approval would match it.
    if (readVerdicts(messages).some((verdict) => verdict.toolCallId === toolCallId))
      return 'user-approval'
    await runtime.ready(caller.tenant)
    const requested = readRequestedCall(toolCall, surface)
    if (requested?.tool === undefined) return 'not-applicable'
    const request = toCallRequest({ ...requested, toolCallId, messages }, surface)
    if (!(await runtime.requiresApproval(request))) return 'not-applicable'
    const outcome = await runtime.call(request)
    surface.onEnvelope(toEnvelope(outcome, surface.pages), toolCallId)
    return toApprovalStatus(outcome, surface)
  }
}

function readRequestedCall(
  { toolName, input }: ApprovalQuery['toolCall'],
  surface: Surface,
): RequestedCall | undefined {
  if (toolName !== CALL)
    return {
      name: toolName,
      tool: findTool(toolName, surface.runtime.tools(surface.caller.tenant)),
      input,
    }
  try {
    return readCompactCall(input, surface)
  } catch {
    // Malformed input or a name with a version: the tool itself replies with the error.
    return undefined
  }
}

function toApprovalStatus(outcome: Outcome, surface: Surface): ToolApprovalStatus {
  if (outcome.status === 'pending')
    return {
      type: 'user-approval',
      reason: writeReason(outcome.approval, describePlace(outcome.approval, surface)),
    }
  if (outcome.status === 'failed' && outcome.error.code === 'TOOL_APPROVAL_DENIED')
    return { type: 'denied', reason: outcome.error.message }
  // Done already, or refused: the tool replies with the outcome.
  return 'not-applicable'
}

function describePlace({ id, kind, reversible }: Approval, { host, pages }: Surface): string {
  const url = pages.approvalUrl?.(id)
  // This text only informs the person; `runtime.approvals` decides what counts.
  if (kind === 'confirm' && reversible && host !== undefined)
    return url === undefined
      ? 'Nothing is done before you approve'
      : `Nothing is done before you approve, here or at ${url}`
  return `Nothing is done before it is decided, not in this chat but ${url === undefined ? 'by a person with their own credential' : `at ${url}`}`
}
