import type { ShownRequest } from '@surehand/core/host'
import type { ModelMessage, ToolApprovalRequest } from 'ai'
import { readReason } from './approval-reason.ts'

/**
 * A verdict on a tool call as the messages state it. The sender of messages can write anything into
 * them, so that it proves nothing.
 */
export type MessageVerdict = {
  readonly toolCallId: string
  readonly verdict: 'approve' | 'deny'
  /** The approval request it refers to; undefined if Surehand did not write the reference. */
  readonly shown: ShownRequest | undefined
  readonly reason: string | undefined
}

/**
 * Reads the new verdicts as the SDK does: those of the last message, and only the first for each
 * call.
 */
export function readVerdicts(messages: readonly ModelMessage[]): readonly MessageVerdict[] {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return []
  const requests = approvalRequests(messages)
  const verdicts = new Map<string, MessageVerdict>()
  for (const part of last.content) {
    if (part.type !== 'tool-approval-response') continue
    const request = requests.get(part.approvalId)
    if (request === undefined || verdicts.has(request.toolCallId)) continue
    verdicts.set(request.toolCallId, {
      toolCallId: request.toolCallId,
      verdict: part.approved ? 'approve' : 'deny',
      shown: readReason(request.reason),
      reason: part.reason,
    })
  }
  return [...verdicts.values()]
}

function approvalRequests(
  messages: readonly ModelMessage[],
): ReadonlyMap<string, ToolApprovalRequest> {
  const requests = new Map<string, ToolApprovalRequest>()
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue
    for (const part of message.content)
      if (part.type === 'tool-approval-request') requests.set(part.approvalId, part)
  }
  return requests
}
