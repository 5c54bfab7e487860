import type { Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import type { Clock } from '../ports/clock.ts'
import { ANSWER_TOOL } from '../runs/answer-tool.ts'
import { type AnswerSource, awaitAnswer } from './await-answer.ts'
import { awaitOrKnown } from './await-or.ts'

/** What a framework calls: a runtime. */
export type Callable = AnswerSource & {
  readonly call: (request: Omit<CallRequest, 'resumes'>) => Promise<Outcome>
}

/** How long a model is kept waiting for what a worker does. 0: it is told that it was accepted. */
export type WaitOptions = { readonly waitMs: number; readonly clock: Clock }

/**
 * One call that a model made through a framework, and on until there is something to tell: models can't fetch an answer by a call's id.
 * A job is waited for; whoever answers a run hears what came of it.
 */
export async function callForModel(
  runtime: Callable,
  request: Omit<CallRequest, 'resumes'>,
  patience: WaitOptions,
): Promise<Outcome> {
  const outcome = await runtime.call({ ...request, writtenBy: 'model' })
  const callId = goesOnAs(outcome)
  if (callId === undefined || patience.waitMs === 0) return outcome
  const { caller, signal, onProgress } = request
  return awaitOrKnown(outcome, () =>
    awaitAnswer(runtime, caller, callId, { ...patience, signal, until: 'news', onProgress }),
  )
}

function goesOnAs(outcome: Outcome): string | undefined {
  // asked again under its key, it is the job that was begun the first time
  if (outcome.status === 'accepted') return outcome.jobId
  if (outcome.status !== 'done' || outcome.facts.tool !== ANSWER_TOOL) return undefined
  // erased: the tool's own output has been held against its schema
  return (outcome.data as { readonly call_id: string }).call_id
}
