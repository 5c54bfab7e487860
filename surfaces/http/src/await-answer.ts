import { type Caller, type Outcome, sleep } from '@surehand/core'
import type { Surface } from './options.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 500

type Waiting = { readonly surface: Surface; readonly waitMs: number; readonly signal: AbortSignal | undefined }

/** Looks for a kept answer until it is there or the time is over. */
export async function awaitAnswer(caller: Caller, callId: string, { surface, waitMs, signal }: Waiting): Promise<Outcome | undefined> {
  const { clock, runtime } = surface
  const until = clock.ticks() + waitMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const outcome = await runtime.answer(caller, callId)
    const isOpen = outcome?.status === 'accepted' || outcome?.status === 'pending'
    const leftMs = until - clock.ticks()
    if (!isOpen || leftMs <= 0) return outcome
    await sleep(clock, Math.min(pauseMs, leftMs), signal)
  }
}
