/**
 * The small calls that are being answered. Other work lets them pass: a part of a long list that is
 * made while a call waits for the database delays the call, and the list loses nothing by being
 * made a moment later.
 */
export type Answering = {
  /** Returns when the call was begun, for `end`. */
  readonly begin: () => number
  readonly end: (sinceMs: number) => void
  /** Whether a call is being answered that was begun lately. */
  readonly isBusy: () => boolean
  /** Whether a call was begun within the last second. */
  readonly wasBusyLately: () => boolean
  /** Calls a function once: when the next call has been answered, or after `LET_PASS_MS`. */
  readonly onNext: (resume: () => void) => void
}

/**
 * For so long a call is let pass: one that takes longer waits for something else than this process.
 * And work that has waited for so long goes on, however many calls there are.
 */
export const LET_PASS_MS = 3

const LATELY_MS = 1_000

const SLOTS = LET_PASS_MS + 1

export function createAnswering(nowMs: () => number = () => performance.now()): Answering {
  // How many were begun in each of the last milliseconds and have not ended. A map of the calls took
  // a tenth of the time of a small call, because they are garbage a moment later.
  const begunIn = new Float64Array(SLOTS).fill(Number.NEGATIVE_INFINITY)
  const counts = new Int32Array(SLOTS)
  let lastMs = Number.NEGATIVE_INFINITY
  let waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  function resumeAll(): void {
    clearTimeout(timer)
    timer = undefined
    const resumed = waiting
    waiting = []
    for (const resume of resumed) resume()
  }

  return {
    begin() {
      lastMs = nowMs()
      const ms = Math.floor(lastMs)
      const slot = ms % SLOTS
      if (begunIn[slot] !== ms) {
        begunIn[slot] = ms
        counts[slot] = 0
      }
      counts[slot] = (counts[slot] ?? 0) + 1
      return lastMs
    },
    end(sinceMs) {
      const ms = Math.floor(sinceMs)
      const slot = ms % SLOTS
      if (begunIn[slot] === ms) counts[slot] = (counts[slot] ?? 0) - 1
      if (waiting.length > 0) resumeAll()
    },
    isBusy() {
      const oldest = Math.floor(nowMs()) - LET_PASS_MS
      return begunIn.some((ms, slot) => ms > oldest && (counts[slot] ?? 0) > 0)
    },
    wasBusyLately: () => nowMs() - lastMs < LATELY_MS,
    onNext(resume) {
      waiting.push(resume)
      timer ??= setTimeout(resumeAll, LET_PASS_MS)
    },
  }
}
