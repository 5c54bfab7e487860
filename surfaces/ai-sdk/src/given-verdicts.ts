import type { ShownRequest } from '@surehand/core/host'
import type { ModelMessage, ToolApprovalRequest } from 'ai'
import { readReason } from './approval-reason.ts'

/** What messages say that a person said to a tool call. Whoever sends messages can write anything into them. */
export type GivenVerdict = {
  readonly toolCallId: string
  readonly verdict: 'approve' | 'deny'
  /** The question they say it was about; undefined where it is not one of ours. */
  readonly shown: ShownRequest | undefined
  readonly reason: string | undefined
}

/** The verdicts that have just come: those of the last message, as the SDK reads them; the first one for a call. */
export function givenVerdicts(messages: readonly ModelMessage[]): readonly GivenVerdict[] {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return []
  const requests = approvalRequests(messages)
  const verdicts = new Map<string, GivenVerdict>()
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
