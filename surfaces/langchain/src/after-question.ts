import { relayAnswer } from '@surehand/core'
import { kept } from './after-approval.ts'
import type { Asked } from './asked.ts'
import type { Heard } from './heard.ts'
import { isRecord } from './is-record.ts'
import type { ModelCall } from './model-call.ts'
import type { Next } from './next.ts'
import type { Surface } from './options.ts'

/** What becomes of a run after a person saw what it asks. A wrong answer is asked again. */
export async function afterQuestion({ said, asked }: Heard, call: ModelCall, surface: Surface): Promise<Next> {
  const problem = await relayed(said, asked, surface)
  return { call, outcome: await kept(asked, call, surface), ...(problem === undefined ? {} : { problem }) }
}

async function relayed(said: unknown, asked: Asked, { runtime, caller, host }: Surface): Promise<string | undefined> {
  if (isRecord(said) && said.declined === true) return undefined
  if (!isRecord(said) || said.answer === undefined) return 'An answer is wanted: { answer }, or { declined: true }.'
  return host === undefined ? undefined : relayAnswer(runtime.questions, said.answer, asked, { caller, host })
}
