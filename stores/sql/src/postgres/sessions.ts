import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Pools } from './pools.ts'
import { giveBack, rollBack } from './session.ts'

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

// Most statements end sooner, and waiting for a session is much cheaper than opening a new one.
const GRACE_MS = 250

/** Leaves a transaction that may be executing a statement. */
export async function abandon(client: pg.PoolClient, sessions: Sessions): Promise<void> {
  const session = sessionNumber(client)
  const isBack = await Promise.race([
    rollBack(client).then(() => true),
    pause(GRACE_MS, false, { ref: false }),
  ])
  if (isBack) return giveBack(client)
  // A server that executes a statement does not notice a closed connection and would hold its
  // locks until the statement ends.
  client.release(true)
  await sessions.end(session).catch(() => undefined)
}

// erased: every server sends this number, but the types do not declare it
export function sessionNumber(client: pg.PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID
}
