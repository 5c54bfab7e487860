/** How much of the event loop each client has taken lately with long work. */
export type WorkBudgets = {
  /** Counts a part of work that took so long. */
  readonly charge: (name: string, tookMs: number) => void
  /** After how many milliseconds a client is within its budget again; 0 where it is. */
  readonly waitMs: (name: string) => number
}

// A client may do so much at once: ordinary ones never notice that they have a budget. One that has
// used it up may do so much a second.
const BURST_MS = 250
const PER_SECOND_MS = 50

// A part costs at least so much, because its memory has to be collected too.
const LEAST_MS = 0.2
// The harm that a longer one does to others grows with its square: more of their requests arrive in
// it, and each waits longer.
const FAIR_PART_MS = 0.5
// The kernel may let a process wait for longer; that is not its client's doing.
const LONGEST_PART_MS = 7

// What a client does while nobody else is served does not count for longer than this.
const MOST_SPENT_MS = BURST_MS + 100

const MAX_NAMES = 1_000

type Spent = { readonly ms: number; readonly atMs: number }

export function createWorkBudgets(nowMs: () => number, leastMs = LEAST_MS): WorkBudgets {
  const spent = new Map<string, Spent>()

  function spentBy(name: string, now: number): number {
    const last = spent.get(name)
    if (last === undefined) return 0
    return Math.max(0, last.ms - ((now - last.atMs) * PER_SECOND_MS) / 1_000)
  }

  function forgetRested(now: number): void {
    for (const name of spent.keys()) if (spentBy(name, now) === 0) spent.delete(name)
  }

  return {
    charge(name, tookMs) {
      const now = nowMs()
      const part = Math.min(tookMs, LONGEST_PART_MS)
      const cost = Math.max(leastMs, (part * part) / FAIR_PART_MS)
      if (spent.size >= MAX_NAMES) forgetRested(now)
      const ms = Math.min(spentBy(name, now) + cost, MOST_SPENT_MS)
      spent.set(name, { ms, atMs: now })
    },
    waitMs(name) {
      const over = spentBy(name, nowMs()) - BURST_MS
      return over <= 0 ? 0 : (over * 1_000) / PER_SECOND_MS
    },
  }
}
