import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '@surehand/core'
import type pg from 'pg'
import type { Database } from '../database.ts'
import type { Step } from '../step.ts'
import { storageError } from '../storage-error.ts'
import type { Pools } from './pools.ts'
import { begin, commit, onSession, rollBack, send } from './session.ts'
import { sqlOn, type Texts } from './sql-on.ts'
import { isCollision } from './trouble.ts'

const MOST_TRIES = 5

/** Runs steps: one statement by itself, several inside a transaction. */
export function stepRunner(pools: Pools, texts: Texts): Database['step'] {
  return async (step, args) => {
    const pool = step.mode === 'lazy' ? pools.lazy : pools.durable
    const isBare = step.statements === 'one' || step.mode === 'read'
    const once = () => onSession(pool, (client) => (isBare ? bare(client, step, args) : whole(client, step, args)))
    return again(once)
  }

  function bare<A, R>(client: pg.PoolClient, step: Step<A, R>, args: A): Promise<R> {
    return step.run(
      sqlOn((statement) => send(client, statement), texts),
      args,
    )
  }

  async function whole<A, R>(client: pg.PoolClient, step: Step<A, R>, args: A): Promise<R> {
    try {
      const result = await step.run(sqlOn(begin(client, 'begin'), texts), args)
      if ((await ending(client)) === 'committed') return result
      throw new ToolError('TOOL_STORAGE_ERROR', `${step.name} went on after one of its statements had failed, and was rolled back.`)
    } catch (thrown) {
      await rollBack(client)
      throw thrown
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

/** Tries again what lost against another and left nothing behind. */
export async function again<T>(once: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await once()
    } catch (thrown) {
      if (!isCollision(thrown) || tries === MOST_TRIES) throw thrown
      // not all at the same moment, or they meet again
      await pause(randomInt(5, 20 * tries))
    }
  }
}
