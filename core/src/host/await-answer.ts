import type { Caller } from '../call/caller.ts'
import { isOpen, type Outcome } from '../call/outcome.ts'
import type { Progress } from '../call/request.ts'
import type { StoredProgress } from '../ledger/progress.ts'
import { type Clock, sleep } from '../ports/clock.ts'

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 250
// progress is looked for besides, by as many as care to look
const LONGEST_WATCHING_PAUSE_MS = 1_000

/** What keeps answers: a runtime. */
export type AnswerSource = {
  readonly answer: (caller: Caller, callId: string) => Promise<Outcome | undefined>
  readonly progress: (caller: Caller, callId: string) => Promise<StoredProgress | undefined>
}

export type AwaitOptions = {
  readonly clock: Clock
  readonly waitMs: number
  readonly signal: AbortSignal | undefined
  /** `end`: people are waited for too. `news`: whoever waits must hear that a person is needed. */
  readonly until: 'end' | 'news'
  /** A question that somebody is answering on its page: that it is still open is no news. */
  readonly beyond?: string | undefined
  /** Hears the newest word of whichever node drives it. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** Looks for a kept answer until it is there, the time is over, or whoever waits has left. */
export async function awaitAnswer(
  keeper: AnswerSource,
  caller: Caller,
  callId: string,
  waiting: AwaitOptions,
): Promise<Outcome | undefined> {
  const { clock, waitMs, signal, until, beyond, onProgress } = waiting
  const overTicks = clock.ticks() + waitMs
  const longestMs = onProgress === undefined ? LONGEST_PAUSE_MS : LONGEST_WATCHING_PAUSE_MS
  let told = 0
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, longestMs)) {
    const outcome = await keeper.answer(caller, callId)
    // after the answer: what was reported before the end is told before it
    const kept = onProgress === undefined ? undefined : await keeper.progress(caller, callId)
    if (kept !== undefined && kept.number > told) {
      told = kept.number
      onProgress?.(kept.progress)
    }
    const leftMs = overTicks - clock.ticks()
    if (outcome === undefined || leftMs <= 0) return outcome
    const isBeingAnswered = outcome.status === 'asking' && outcome.question.id === beyond
    if (!isOpen(outcome, until) && !isBeingAnswered) return outcome
    await sleep(clock, Math.min(pauseMs, leftMs), signal)
  }
}
