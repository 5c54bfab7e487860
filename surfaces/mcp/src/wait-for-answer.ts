import { type Caller, type Outcome, sleep } from '@surehand/core'
import type { Surface } from './options.ts'

const FIRST_LOOK_MS = 10
const LONGEST_PAUSE_MS = 250

/**
 * Looks for a call's next word until it is there (done, failed, or something that is asked), the wait is over, or the client has left.
 * `beyond`: a question that somebody is answering on its page; that it is still open is no word.
 */
export async function waitForAnswer(
  callId: string,
  asker: { readonly caller: Caller; readonly signal: AbortSignal },
  surface: Surface,
  beyond?: string,
): Promise<Outcome | undefined> {
  const { runtime, clock, waitMs } = surface
  const until = clock.ticks() + waitMs
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const outcome = await runtime.answer(asker.caller, callId)
    const isUnderWay = outcome?.status === 'accepted' || (outcome?.status === 'asking' && outcome.question.id === beyond)
    if (!isUnderWay || clock.ticks() >= until) return outcome
    await sleep(clock, pauseMs, asker.signal)
  }
}
