import type { Clock } from '@surehand/core/ports'

/** A clock that moves only when a test advances it. */
export type FakeClock = Clock & {
  /** Lets time pass, running what falls due on the way, and the promises behind it. */
  readonly advance: (byMs: number) => Promise<void>
  readonly set: (nowMs: number) => void
  /** When the next timer is due; undefined without timers. */
  readonly nextDue: () => number | undefined
}

type Timer = { readonly due: number; readonly run: () => void }

/** `pause` lets promises that are ready run; a world with sockets in it hands in a longer one. */
export function fakeClock(
  startMs: number = Date.parse('2026-01-15T08:00:00Z'),
  pause: () => Promise<void> = settle,
): FakeClock {
  let nowMs = startMs
  const timers = new Set<Timer>()

  function nextTimer(until: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of timers)
      if (timer.due <= until && (next === undefined || timer.due < next.due)) next = timer
    return next
  }

  return {
    now: () => nowMs,
    ticks: () => nowMs,
    after(delayMs, run) {
      const timer = { due: nowMs + delayMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    set(to) {
      nowMs = to
    },
    async advance(byMs) {
      const until = nowMs + byMs
      await pause()
      for (let timer = nextTimer(until); timer !== undefined; timer = nextTimer(until)) {
        timers.delete(timer)
        nowMs = Math.max(nowMs, timer.due)
        timer.run()
        await pause()
      }
      nowMs = until
      await pause()
    },
    nextDue: () => nextTimer(Number.POSITIVE_INFINITY)?.due,
  }
}

/** Lets promises that are ready run; enough turns for any chain of stages. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}
