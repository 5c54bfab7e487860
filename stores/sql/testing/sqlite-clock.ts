import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestClock } from './test-clock.ts'

// In real time: how long a worker may take to poll, and how long it may take to finish a job.
const COMES_MS = 2_000
const DOES_MS = 500

const DUE =
  'select count(*) as jobs from jobs where run_at <= ? and (lease_until is null or lease_until <= ?)'
const LEASED = 'select count(*) as jobs from jobs where lease_until > ?'
const NEXT = 'select min(run_at) as at from jobs where run_at > ?'

/**
 * Controls the clock of a file that was opened with the time `shifted`. Without a worker a due job
 * stays where it is, and there is nothing to wait for.
 */
export function openSqliteClock(file: string, countWorkers: () => number): TestClock {
  const database = new DatabaseSync(file, { timeout: 10_000 })
  const [due, leased, next] = [DUE, LEASED, NEXT].map((text) => database.prepare(text))
  const move = database.prepare('update test_clock set offset_ms = ?')
  const stop = database.prepare('update test_clock set stopped_at = ?')
  let offsetMs = 0
  const now = () => Date.now() + offsetMs

  function moveTo(atMs: number): void {
    offsetMs = Math.max(offsetMs, atMs - Date.now())
    move.run(offsetMs)
  }

  /** Lets the workers finish the jobs that are due. */
  async function settle(): Promise<void> {
    const startedAt = performance.now()
    while (countWorkers() > 0) {
      const waitedMs = performance.now() - startedAt
      const isDue = Number(due?.get(now(), now())?.jobs) > 0
      const isLeased = Number(leased?.get(now())?.jobs) > 0
      if (waitedMs >= (isDue ? COMES_MS : isLeased ? DOES_MS : 0)) return
      await pause(10)
    }
  }

  return {
    now,
    async advance(byMs) {
      const until = now() + byMs
      for (;;) {
        await settle()
        const at = next?.get(now())?.at
        if (typeof at !== 'number' || at > until) break
        moveTo(at)
      }
      moveTo(until)
      await settle()
    },
    async stopAt(atMs) {
      stop.run(atMs)
    },
    close: async () => database.close(),
  }
}
