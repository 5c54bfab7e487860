import type { Outcome } from '@surehand/core'
import type { Approval, Question } from '@surehand/core/ports'
import type { ModelCall } from './model-call.ts'

/** What a call waits for a person to say. */
export function openQuestion(outcome: Outcome): Approval | Question | undefined {
  if (outcome.status === 'pending') return outcome.approval
  return outcome.status === 'asking' ? outcome.question : undefined
}

/** Whether it asks what was shown, as it was shown. */
export function asksAsShown(
  outcome: Outcome,
  { id, digest }: { readonly id: string; readonly digest: string },
): boolean {
  const open = openQuestion(outcome)
  return open?.id === id && open.digest === digest
}

/** The id of the model's own call, where the open question is its own and not one of its steps'. */
export function ownCallId(outcome: Outcome, { tool }: Pick<ModelCall, 'tool'>): string | undefined {
  const open = openQuestion(outcome)
  return open?.toolId === tool.id ? open.callId : undefined
}
