import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isToolError, ToolError } from '@surehand/core'
import type pg from 'pg'
import { claimKey, claimRow, claimUnused } from '../calls/claim.ts'
import type { Database } from '../database.ts'
import type { Step } from '../step.ts'
import { storageError, undoneError } from '../storage-error.ts'
import type { Pools } from './pools.ts'
import { begin, commit, onSession, rollBack, send } from './session.ts'
import { sqlOn, type Texts } from './sql-on.ts'
import { keyInUseError } from './taken.ts'
import { isCollision, isLockTimeout, isLost } from './trouble.ts'

// The number of attempts: a deadlock is reported only after a second, and on a busy machine even a
// short transaction takes a while.
const LEAST_TRIES = 5
const PATIENCE_MS = 1_000
const LONGEST_PAUSE_MS = 100
const CLAIMS: ReadonlySet<string> = new Set(
  [claimUnused, claimKey, claimRow].map(({ name }) => name),
)

/** Runs steps: a single statement by itself, several inside a transaction. */
export function stepRunner(pools: Pools, texts: Texts): Database['step'] {
  return async (step, args) => {
    const pool = step.mode === 'lazy' ? pools.lazy : pools.durable
    const isBare = step.statements === 'one' || step.mode === 'read'
    const once = () =>
      onSession(pool, (client) => (isBare ? bare(client, step, args) : whole(client, step, args)))
    if (CLAIMS.has(step.name)) return again(once, isCollision).catch(orKeyInUse)
    return again(once, step.mode === 'lazy' ? mayPassLater : isCollision)
  }

  function bare<A, R>(client: pg.PoolClient, step: Step<A, R>, args: A): Promise<R> {
    return step
      .run(
        sqlOn((statement) => send(client, statement), texts),
        args,
      )
      .catch((thrown: unknown) => {
        // A statement that the server refused was not done; one whose answer was lost may be.
        throw isLost(thrown) || !isToolError(thrown) ? thrown : undoneError(thrown)
      })
  }

  async function whole<A, R>(client: pg.PoolClient, step: Step<A, R>, args: A): Promise<R> {
    let isCommitting = false
    try {
      const result = await step.run(sqlOn(begin(client, 'begin'), texts), args)
      isCommitting = true
      if ((await ending(client)) === 'committed') return result
      throw new ToolError(
        'TOOL_STORAGE_ERROR',
        `${step.name} went on after one of its statements had failed, and was rolled back.`,
        { effect: 'none' },
      )
    } catch (thrown) {
      await rollBack(client)
      const isInDoubt = isCommitting && isLost(thrown)
      throw isInDoubt || !isToolError(thrown) ? thrown : undoneError(thrown)
    }
  }
}

async function ending(client: pg.PoolClient): Promise<'committed' | 'rolled back'> {
  try {
    return await commit(client)
  } catch (cause) {
    throw storageError(cause)
  }
}

// A transaction that holds the key is in progress, and its result is not visible yet.
function orKeyInUse(thrown: unknown): never {
  throw isLockTimeout(thrown) ? keyInUseError(thrown) : thrown
}

// A lazy session has a short lock timeout and is retried.
function mayPassLater(thrown: unknown): boolean {
  return isCollision(thrown) || isLockTimeout(thrown)
}

/** Retries a step that lost against another transaction and wrote nothing. */
export async function again<T>(
  once: () => Promise<T>,
  isWorthIt: (thrown: unknown) => boolean,
): Promise<T> {
  const startedAt = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      return await once()
    } catch (thrown) {
      const isEnough = tries >= LEAST_TRIES && performance.now() - startedAt > PATIENCE_MS
      if (isEnough || !isWorthIt(thrown)) throw thrown
      // A random delay, so that they do not meet again.
      await pause(randomInt(5, Math.min(20 * tries, LONGEST_PAUSE_MS)))
    }
  }
}
