/**
 * The small calls that are being answered. Other work lets them pass: a part of a long list that is
 * made while a call waits for the database delays the call, and the list loses nothing by being
 * made a moment later.
 */
export type Answering = {
  readonly begin: (call: object) => void
  readonly end: (call: object) => void
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

export function createAnswering(nowMs: () => number = () => performance.now()): Answering {
  /** Until when each is let pass, in the order in which they were begun. */
  const calls = new Map<object, number>()
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
    begin(call) {
      lastMs = nowMs()
      calls.set(call, lastMs + LET_PASS_MS)
    },
    end(call) {
      if (calls.delete(call) && waiting.length > 0) resumeAll()
    },
    isBusy() {
      for (const [call, untilMs] of calls) {
        if (untilMs > nowMs()) return true
        calls.delete(call)
      }
      return false
    },
    wasBusyLately: () => nowMs() - lastMs < LATELY_MS,
    onNext(resume) {
      waiting.push(resume)
      timer ??= setTimeout(resumeAll, LET_PASS_MS)
    },
  }
}
