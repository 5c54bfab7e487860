import type { Outcome } from '@surehand/core'
import { awaitAnswer } from '@surehand/core/host'
import type { Pages, SignedInPerson } from './signed-in-person.ts'

// Most calls have ended by then; the page of the others loads itself again.
const WAIT_MS = 5_000
const REFRESH_SECONDS = 2

/** Waits a moment for what a decision or an answer leads to, so that the next page can show it. */
export async function awaitOutcome(
  { caller }: SignedInPerson,
  callId: string,
  { surface: { runtime, clock } }: Pages,
): Promise<void> {
  // What was decided stands, whether or not its outcome can be read at this moment.
  await awaitAnswer(runtime, caller, callId, {
    clock,
    waitMs: WAIT_MS,
    signal: undefined,
    until: 'news',
  }).catch(() => undefined)
}

export function refreshWhileRunning(outcome: Outcome | undefined): number | undefined {
  return outcome?.status === 'accepted' ? REFRESH_SECONDS : undefined
}
