import { relayAnswer } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Asked } from './asked.ts'
import type { Heard } from './heard.ts'
import { isForAnother } from './is-for-another.ts'
import type { ModelCall } from './model-call.ts'
import type { Next } from './next.ts'
import { asksAsShown } from './open-question.ts'
import type { Surface } from './options.ts'
import { news, standing } from './standing.ts'

/** What becomes of a run after a person saw what it asks. A wrong answer is asked again. */
export async function afterQuestion(
  { said, asked }: Heard,
  call: ModelCall,
  surface: Surface,
): Promise<Next> {
  const stood = await standing(asked, call, surface)
  const problem = asksAsShown(stood.outcome, asked)
    ? await relayed(said, asked, surface)
    : undefined
  return {
    call,
    outcome: await news(stood, call, surface),
    ...(problem === undefined ? {} : { problem }),
  }
}

async function relayed(
  said: unknown,
  asked: Asked,
  { runtime, caller, host }: Surface,
): Promise<string | undefined> {
  if (isRecord(said) && isForAnother(said, asked.id))
    return 'The answer was to another question than this one.'
  if (isRecord(said) && said.declined === true) return undefined
  if (!isRecord(said) || said.answer === undefined)
    return 'An answer is wanted: { answer }, or { declined: true }.'
  return host === undefined
    ? undefined
    : relayAnswer(runtime.questions, said.answer, asked, { caller, host })
}
