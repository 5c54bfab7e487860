import type { Caller, Runtime } from '@surehand/core'
import { relayVerdict, type ShownRequest } from '@surehand/core/host'
import type { ModelMessage } from 'ai'
import { askedQuestion } from './asked-question.ts'
import { givenVerdicts } from './given-verdicts.ts'
import { type Options, type Surface, surfaceOf } from './options.ts'

/**
 * Hands the noes that have just come with the messages to the desk; the SDK tells no tool of them. Where the desk doesn't take one
 * as a decision, the caller's own wish is taken back: a chat that shows a no must not leave a question for somebody to approve.
 * To be called by a route before it generates. Answers the questions it closed.
 */
export async function relayDecisions(
  runtime: Runtime,
  caller: Caller,
  messages: readonly ModelMessage[],
  options: Options,
): Promise<readonly string[]> {
  const surface = surfaceOf(runtime, caller, options)
  const closed: string[] = []
  for (const { verdict, shown, reason } of givenVerdicts(messages)) {
    const asked = verdict === 'deny' ? await askedQuestion(shown, surface) : undefined
    if (asked === undefined) continue
    if ((await isDenied(asked, reason, surface)) || (await isTakenBack(asked, surface)))
      closed.push(asked.id)
  }
  return closed
}

async function isDenied(
  asked: ShownRequest,
  reason: string | undefined,
  { runtime, caller, host }: Surface,
): Promise<boolean> {
  if (host === undefined) return false
  return relayVerdict(runtime.approvals, 'deny', asked, {
    caller,
    host,
    ...(reason === undefined ? {} : { reason }),
  })
}

async function isTakenBack({ id }: ShownRequest, { runtime, caller }: Surface): Promise<boolean> {
  const { state, callId } = await runtime.approvals.getFor(caller, id)
  // what was decided meanwhile is not stopped by a no that came too late
  return state === 'pending' && runtime.cancel(caller, callId)
}
