import { type Caller, type Outcome, type Runtime, toEnvelope } from '@surehand/core'
import type { Approval } from '@surehand/core/ports'
import type { ModelMessage, ToolApprovalStatus } from 'ai'
import { writeReason } from './approval-reason.ts'
import { CALL, findTool, meantCall } from './compact.ts'
import type { Meant } from './execution.ts'
import { givenVerdicts } from './given-verdicts.ts'
import { type Options, type Surface, surfaceOf } from './options.ts'
import { toCallRequest } from './request.ts'

type Asked = {
  readonly toolCall: {
    readonly toolName: string
    readonly toolCallId: string
    readonly input: unknown
  }
  readonly messages: ModelMessage[]
}

/** With a `run`: an approval comes back in another request, and only a stable key knows the call again. */
export type ApprovalOptions = Options & { readonly run: string }

/**
 * For the option `toolApproval` of generateText, streamText and agents: puts the runtime's own question to the chat's person.
 * What they say there is looked at by the tool itself; this decides nothing.
 */
export function toolApproval(
  runtime: Runtime,
  caller: Caller,
  options: ApprovalOptions,
): (asked: Asked) => Promise<ToolApprovalStatus> {
  const surface = surfaceOf(runtime, caller, options)
  return async ({ toolCall, messages }) => {
    const { toolCallId } = toolCall
    // the SDK asks again before it runs what was approved. Nothing may be asked then: a forged yes must find no question to be about
    if (givenVerdicts(messages).some((given) => given.toolCallId === toolCallId))
      return 'user-approval'
    await runtime.ready(caller.tenant)
    const meant = meantBy(toolCall, surface)
    if (meant?.tool === undefined) return 'not-applicable'
    const request = toCallRequest({ ...meant, toolCallId, messages }, surface)
    if (!(await runtime.requiresApproval(request))) return 'not-applicable'
    const outcome = await runtime.call(request)
    surface.onEnvelope(toEnvelope(outcome, surface.pages), toolCallId)
    return statusOf(outcome, surface)
  }
}

function meantBy({ toolName, input }: Asked['toolCall'], surface: Surface): Meant | undefined {
  if (toolName !== CALL)
    return {
      name: toolName,
      tool: findTool(toolName, surface.runtime.tools(surface.caller.tenant)),
      input,
    }
  try {
    return meantCall(input, surface)
  } catch {
    // malformed, or a name with a version: the tool itself says so
    return undefined
  }
}

function statusOf(outcome: Outcome, surface: Surface): ToolApprovalStatus {
  if (outcome.status === 'pending')
    return {
      type: 'user-approval',
      reason: writeReason(outcome.approval, placeOf(outcome.approval, surface)),
    }
  if (outcome.status === 'failed' && outcome.error.code === 'TOOL_APPROVAL_DENIED')
    return { type: 'denied', reason: outcome.error.message }
  // answered already, or refused: the tool says which
  return 'not-applicable'
}

function placeOf({ id, kind, reversible }: Approval, { host, pages }: Surface): string {
  const url = pages.approvalUrl?.(id)
  // a courtesy to whoever reads it: the desk decides what counts
  if (kind === 'confirm' && reversible && host !== undefined)
    return url === undefined
      ? 'Nothing is done before you approve'
      : `Nothing is done before you approve, here or at ${url}`
  return `Nothing is done before it is decided, not in this chat but ${url === undefined ? 'with the credential of whoever decides it' : `at ${url}`}`
}
