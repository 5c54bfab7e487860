import type { Outcome } from '@surehand/core'
import type { Approval, Question } from '@surehand/core/ports'
import type { ModelCall } from './model-call.ts'

/** The approval request or question that a call is waiting for. */
export function pendingRequest(outcome: Outcome): Approval | Question | undefined {
  if (outcome.status === 'pending') return outcome.approval
  return outcome.status === 'asking' ? outcome.question : undefined
}

/** Whether the pending request is the one that was shown, unchanged. */
export function isRequestShown(
  outcome: Outcome,
  { id, digest }: { readonly id: string; readonly digest: string },
): boolean {
  const open = pendingRequest(outcome)
  return open?.id === id && open.digest === digest
}

/**
 * The id of the model's own call, if the pending request is the call's own and not that of a step.
 */
export function ownCallId(outcome: Outcome, { tool }: Pick<ModelCall, 'tool'>): string | undefined {
  const open = pendingRequest(outcome)
  return open?.toolId === tool.id ? open.callId : undefined
}
