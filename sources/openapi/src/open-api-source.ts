import { isToolError, ToolError } from '@surehand/core'
import { type ForeignCall, type ForeignSource, fromNetworkFailure } from '@surehand/core/host'
import type { Send } from '@surehand/vault'
import { type AnswerSettings, readAnswer } from './answer/read-answer.ts'
import type { ContractPlan, Operation } from './operation/operation.ts'
import { buildRequest, type RequestSettings } from './request/build-request.ts'

export type OpenApiSettings = RequestSettings & AnswerSettings

/**
 * Executes the tools of a document. A call becomes a request, `send` adds credentials and sends it,
 * and the response becomes the tool's answer.
 */
export function openApiSource(
  operations: readonly Operation[],
  send: Send,
  settings: OpenApiSettings = {},
): ForeignSource {
  const byTool = new Map(operations.map((operation) => [operation.toolId, operation]))

  async function perform(
    call: ForeignCall,
    signal: AbortSignal,
    by: ContractPlan['by'],
  ): Promise<unknown> {
    const operation = byTool.get(call.tool)
    if (operation === undefined)
      throw new ToolError('TOOL_NOT_FOUND', `${call.tool} is not a tool of this document.`, {
        effect: 'none',
      })
    if (operation.contract.by !== by)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `${call.tool} is carried by ${operation.contract.by}, not by ${by}.`,
        {
          effect: 'none',
        },
      )
    const request = buildRequest(operation, call, settings)
    const answer = await send(request, call, signal).catch((cause: unknown) => {
      if (isToolError(cause) || signal.aborted) throw cause
      throw fromNetworkFailure(cause, new URL(request.url).host)
    })
    return readAnswer(operation, answer, settings)
  }

  return {
    read: (call, signal) => perform(call, signal, 'read'),
    write: (call, signal) => perform(call, signal, 'write'),
    writeOnce: (call, signal) => perform(call, signal, 'writeOnce'),
  }
}
