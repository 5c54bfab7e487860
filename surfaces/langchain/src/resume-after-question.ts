import { relayAnswer } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { awaitNextOutcome, readCallState } from './call-state.ts'
import { type InterruptReference, namesAnotherRequest } from './interrupt-reference.ts'
import type { CallResult, ModelCall } from './model-call.ts'
import type { Surface } from './options.ts'
import { isRequestShown } from './pending-request.ts'
import type { ResumedInterrupt } from './resumed-interrupt.ts'

/**
 * Continues a run after its question was shown to a person. An invalid answer is reference for
 * again.
 */
export async function resumeAfterQuestion(
  { value, reference }: ResumedInterrupt,
  call: ModelCall,
  surface: Surface,
): Promise<CallResult> {
  const state = await readCallState(reference, call, surface)
  const problem = isRequestShown(state.outcome, reference)
    ? await relayPersonAnswer(value, reference, surface)
    : undefined
  return {
    call,
    outcome: await awaitNextOutcome(state, call, surface),
    ...(problem === undefined ? {} : { problem }),
  }
}

async function relayPersonAnswer(
  value: unknown,
  reference: InterruptReference,
  { runtime, caller, host }: Surface,
): Promise<string | undefined> {
  if (isRecord(value) && namesAnotherRequest(value, reference.id))
    return 'The answer was for another question. Answer this one.'
  if (isRecord(value) && value.declined === true) return undefined
  if (!isRecord(value) || value.answer === undefined)
    return 'Resume with { answer } or { declined: true }.'
  return host === undefined
    ? undefined
    : relayAnswer(runtime.questions, value.answer, reference, { caller, host })
}
