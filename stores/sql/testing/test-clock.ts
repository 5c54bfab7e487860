import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** Controls the clock of a database that was opened with the time `shifted`. */
export type TestClock = {
  /** The database's time, in milliseconds since 1970. */
  readonly now: () => number
  /** Advances the time from one due job to the next, and lets the workers finish each. */
  readonly advance: (byMs: number) => Promise<void>
  /** Stops the time: however long a test takes, no more of it passes. Jobs are not waited for. */
  readonly stopAt: (atMs: number) => Promise<void>
  readonly close: () => Promise<void>
}

// In real time, and only when a job is due: how long a worker may take to poll, to fetch the job,
// and to finish it.
const COMES_MS = 400
const FETCHES_MS = 20_000
const DOES_MS = 500

const LOOK = `select
  count(*) filter (where state in ('created', 'retry') and start_after <= pgboss.job_now()) as due,
  count(*) filter (where state = 'active') as active,
  extract(epoch from min(start_after) filter (where state in ('created', 'retry') and start_after > pgboss.job_now())
    - pgboss.job_now()) * 1000 as next,
  (select count(*) from pg_stat_activity where datname = current_database() and application_name = 'surehand-jobs') as workers
  from pgboss.job where name = 'surehand'`

// pg-boss notifies its workers of a job when it is created; it cannot know that a job became due
// because the test moved the clock.
export const TELL = `select pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), 'surehand')`

type Look = {
  readonly due: number
  readonly active: number
  readonly next: number | null
  readonly workers: number
}

export async function openTestClock(url: string): Promise<TestClock> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query('select extract(epoch from clock_timestamp()) * 1000 as ms')
  const zeroMs = Number(rows[0]?.ms) - performance.now()
  let offsetMs = 0

  async function look(): Promise<Look> {
    const row = (await client.query(LOOK)).rows[0]
    return {
      due: Number(row.due),
      active: Number(row.active),
      next: row.next === null ? null : Number(row.next),
      workers: Number(row.workers),
    }
  }

  async function settle(): Promise<Look> {
    const startedAt = performance.now()
    for (;;) {
      const seen = await look()
      const waitedMs = performance.now() - startedAt
      const patienceMs =
        seen.due === 0
          ? seen.active === 0
            ? 0
            : DOES_MS
          : seen.workers === 0
            ? COMES_MS
            : FETCHES_MS
      if (waitedMs >= patienceMs) return seen
      if (seen.due > 0) await client.query(TELL)
      await pause(10)
    }
  }

  return {
    now: () => Math.round(zeroMs + performance.now() + offsetMs),
    async advance(byMs) {
      let leftMs = byMs
      for (;;) {
        const { next } = await settle()
        if (leftMs <= 0) return
        const stepMs = Math.min(leftMs, Math.ceil(next ?? leftMs))
        leftMs -= stepMs
        offsetMs += stepMs
        await client.query('update test_clock set offset_ms = $1', [offsetMs])
      }
    },
    async stopAt(atMs) {
      await client.query('update test_clock set stopped_at = $1', [atMs])
    },
    close: () => client.end(),
  }
}
