import type { Clock } from '@surehand/core'

/** A clock that stands still until it is told to go on. */
export type FakeClock = Clock & {
  /** Lets time pass, running what falls due on the way, and the promises behind it. */
  readonly advance: (byMs: number) => Promise<void>
  readonly set: (nowMs: number) => void
}

type Timer = { readonly due: number; readonly run: () => void }

export function fakeClock(startMs: number = Date.parse('2026-01-15T08:00:00Z')): FakeClock {
  let nowMs = startMs
  const timers = new Set<Timer>()

  function nextDue(until: number): Timer | undefined {
    return [...timers].filter((timer) => timer.due <= until).sort((left, right) => left.due - right.due)[0]
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
      await settle()
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        timers.delete(timer)
        nowMs = Math.max(nowMs, timer.due)
        timer.run()
        await settle()
      }
      nowMs = until
      await settle()
    },
  }
}

/** Lets promises that are ready run; enough turns for any chain of stages. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}
