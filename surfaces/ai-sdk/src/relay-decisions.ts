import { type Caller, type Runtime, relayVerdict } from '@surehand/core'
import type { ModelMessage } from 'ai'
import { askedQuestion } from './asked-question.ts'
import { givenVerdicts } from './given-verdicts.ts'
import { type Options, surfaceOf } from './options.ts'

/**
 * Hands the noes that have just come with the messages to the desk; the SDK tells no tool of them.
 * To be called by a route before it generates. Answers the questions it closed.
 */
export async function relayDecisions(
  runtime: Runtime,
  caller: Caller,
  messages: readonly ModelMessage[],
  options: Options & { readonly host: string },
): Promise<readonly string[]> {
  const surface = surfaceOf(runtime, caller, options)
  const closed: string[] = []
  for (const { verdict, shown, reason } of givenVerdicts(messages)) {
    const asked = verdict === 'deny' ? await askedQuestion(shown, surface) : undefined
    if (asked === undefined) continue
    if (await relayVerdict(runtime.approvals, 'deny', asked, { caller, host: options.host, ...(reason === undefined ? {} : { reason }) }))
      closed.push(asked.id)
  }
  return closed
}
