import type { Caller } from '../call/caller.ts'
import { isOpen, type Outcome } from '../call/outcome.ts'
import type { Progress } from '../call/request.ts'
import type { StoredProgress } from '../ledger/progress.ts'
import { type Clock, sleep } from '../ports/clock.ts'

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 250
// Progress costs a second query per poll, and many clients may watch one call.
const LONGEST_WATCHING_PAUSE_MS = 500

/** Where stored answers are fetched from: a runtime. */
export type AnswerSource = {
  readonly answer: (caller: Caller, callId: string) => Promise<Outcome | undefined>
  readonly progress: (caller: Caller, callId: string) => Promise<StoredProgress | undefined>
  /** Tells that this process has changed a call; see `Runtime`. */
  readonly onChange: (callId: string, listener: () => void) => () => void
}

export type AwaitOptions = {
  readonly clock: Clock
  readonly waitMs: number
  readonly signal: AbortSignal | undefined
  /** `end`: waits for people too. `news`: returns as soon as a person is needed. */
  readonly until: 'end' | 'news'
  /**
   * An approval request or question that a person is dealing with already: `news` does not return
   * for it.
   */
  readonly beyond?: string | undefined
  /** Receives the progress, from whichever node executes the call. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Awaited before each further look, so that many waiting clients do not occupy the process. */
  readonly turn?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined
}

/**
 * Waits for a stored answer until it is there, the time is over, or the signal is aborted. A change
 * that this process makes ends the wait at once; those of other processes are found by polling.
 */
export async function awaitAnswer(
  source: AnswerSource,
  caller: Caller,
  callId: string,
  waiting: AwaitOptions,
): Promise<Outcome | undefined> {
  const { clock, waitMs, signal, until, beyond, onProgress, turn } = waiting
  const overTicks = clock.ticks() + waitMs
  const longestMs = onProgress === undefined ? LONGEST_PAUSE_MS : LONGEST_WATCHING_PAUSE_MS
  let reported = 0
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, longestMs)) {
    const changed = new AbortController()
    // Before the look: a change during it must not be missed.
    const stopListening = source.onChange(callId, () => changed.abort())
    try {
      const outcome = await source.answer(caller, callId)
      // Read after the answer, so that progress reported before the end is passed on before it.
      const stored = onProgress === undefined ? undefined : await source.progress(caller, callId)
      if (stored !== undefined && stored.number > reported) {
        reported = stored.number
        onProgress?.(stored.progress)
      }
      const leftMs = overTicks - clock.ticks()
      if (outcome === undefined || leftMs <= 0) return outcome
      if (!isOpen(outcome, until) && !isWaitingFor(outcome, beyond)) return outcome
      await sleepUnless(changed.signal, clock, Math.min(pauseMs, leftMs), signal)
    } finally {
      stopListening()
    }
    await turn?.(signal)
  }
}

/** Sleeps until the time is over or the call has changed; rejects when the caller has left. */
function sleepUnless(
  changed: AbortSignal,
  clock: Clock,
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const either = signal === undefined ? changed : AbortSignal.any([signal, changed])
  return sleep(clock, delayMs, either).catch((thrown: unknown) => {
    if (signal?.aborted) throw thrown
  })
}

function isWaitingFor(outcome: Outcome, id: string | undefined): boolean {
  if (outcome.status === 'pending') return outcome.approval.id === id
  return outcome.status === 'asking' && outcome.question.id === id
}

/**
 * The awaited outcome, or the known one if waiting fails. Stopping to wait does not stop the
 * worker, and a store that cannot be reached for a moment must not make a model believe that
 * nothing was done.
 */
export async function awaitOrKnown(
  known: Outcome,
  wait: () => Promise<Outcome | undefined>,
): Promise<Outcome> {
  try {
    return (await wait()) ?? known
  } catch {
    return known
  }
}
