import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Pools } from './pools.ts'

/** Our sessions as the server sees them. */
export type Sessions = {
  /** Where local effects run. */
  readonly pool: pg.Pool
  /**
   * Terminates a session and waits until it is gone: after that, its uncommitted work will never be
   * committed. Throws when this cannot be determined.
   */
  readonly end: (session: number) => Promise<void>
}

const GONE_MS = 5_000

const END =
  'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and application_name = $2'

export function sessionsOf({ packs, lazy, sessionName }: Pools): Sessions {
  return {
    pool: packs,
    async end(session) {
      const startedAt = performance.now()
      for (;;) {
        const isGone = await lazy.query(END, [session, sessionName]).then(
          ({ rowCount }) => rowCount === 0,
          // When a stopped server is back, every earlier session is gone.
          (cause: unknown) => {
            if (performance.now() - startedAt > GONE_MS) throw cause
            return false
          },
        )
        if (isGone) return
        if (performance.now() - startedAt > GONE_MS)
          throw new Error(`Session ${session} does not end.`)
        await pause(25)
      }
    },
  }
}
