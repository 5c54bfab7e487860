import { type Caller, isOpen, type Outcome, type Progress, sleep } from '@surehand/core'
import type { Surface } from './options.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 500
// progress is looked for besides, by as many as care to look
const LONGEST_WATCHING_PAUSE_MS = 1_000

type Waiting = {
  readonly surface: Surface
  readonly waitMs: number
  readonly signal: AbortSignal | undefined
  /** `end`: people are waited for too. `news`: whoever waits must hear that a person is needed. */
  readonly until: 'end' | 'news'
  /** Hears the newest word of whichever node drives it. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** Looks for a kept answer until it is there or the time is over. */
export async function awaitAnswer(caller: Caller, callId: string, waiting: Waiting): Promise<Outcome | undefined> {
  const { surface, waitMs, signal, until, onProgress } = waiting
  const { clock, runtime } = surface
  const overTicks = clock.ticks() + waitMs
  const longestMs = onProgress === undefined ? LONGEST_PAUSE_MS : LONGEST_WATCHING_PAUSE_MS
  let told = 0
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, longestMs)) {
    const outcome = await runtime.answer(caller, callId)
    // after the answer: what was reported before the end is told before it
    const kept = onProgress === undefined ? undefined : await runtime.progress(caller, callId)
    if (kept !== undefined && kept.number > told) {
      told = kept.number
      onProgress?.(kept.progress)
    }
    const leftMs = overTicks - clock.ticks()
    if (outcome === undefined || !isOpen(outcome, until) || leftMs <= 0) return outcome
    await sleep(clock, Math.min(pauseMs, leftMs), signal)
  }
}
