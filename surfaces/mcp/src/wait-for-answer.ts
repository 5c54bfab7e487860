import { type Caller, type Outcome, sleep } from '@surehand/core'
import type { Surface } from './options.ts'

const FIRST_LOOK_MS = 10
const LONGEST_PAUSE_MS = 250

/** Looks for a call's answer until it is there, the wait is over, or the client has left. */
export async function waitForAnswer(
  callId: string,
  asker: { readonly caller: Caller; readonly signal: AbortSignal },
  surface: Surface,
): Promise<Outcome | undefined> {
  const { runtime, clock, waitMs } = surface
  const until = clock.ticks() + waitMs
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const outcome = await runtime.answer(asker.caller, callId)
    if (outcome?.status !== 'accepted' || clock.ticks() >= until) return outcome
    await sleep(clock, pauseMs, asker.signal)
  }
}
