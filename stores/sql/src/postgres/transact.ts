import { isToolError, ToolError } from '@surehand/core'
import type { CallRow, LocalDone, LocalRun } from '@surehand/core/ports'
import type pg from 'pg'
import { INSERT_CALL } from '../calls/call-row.ts'
import { countTry } from '../calls/calls.ts'
import { getCall } from '../calls/looks.ts'
import type { Database } from '../database.ts'
import { localEffect, localRequest } from '../local-effect.ts'
import type { PostgresOptions } from '../options.ts'
import type { Sql } from '../step.ts'
import { storageError } from '../storage-error.ts'
import type { InDoubt } from './group-writes/write-group.ts'
import { createWriteGroups, LONGEST_TIMER_MS, timeoutError } from './group-writes/write-groups.ts'
import { lockNumber } from './lock-number.ts'
import { again } from './run-step.ts'
import { begin, commit, connect, giveBack, rollBack, type Send } from './session.ts'
import { abandon, type Sessions, sessionNumber } from './sessions.ts'
import { sqlOn, type Texts } from './sql-on.ts'
import { isTaken, keyName, refusal, takeNumber, withTake } from './taken.ts'
import { isCollision, isLost } from './trouble.ts'
import { endedError, txOn } from './tx-on.ts'

/** Local effects: claim, effect, record and answer in one transaction, within their timeout. */
export function transactor(
  sessions: Sessions,
  texts: Texts,
  step: Database['step'],
  groupCommit: PostgresOptions['groupCommit'] = 'on',
): Database['transact'] {
  const alone = (run: LocalRun, leftMs: number): Promise<LocalDone | InDoubt> =>
    withinTime(run, leftMs, (begin) =>
      again(() => begin(new LocalAttempt(run, sessions, texts)), isWorthAnotherTry),
    )
  const perform =
    groupCommit === 'off'
      ? (run: LocalRun) => alone(run, run.timeoutMs)
      : createWriteGroups(sessions, texts, alone)

  return async (run) => {
    try {
      const done = await perform(run)
      return done.kind === 'in doubt' ? await settle(run, done) : done
    } catch (thrown) {
      // Another job of the same call holds it, possibly until that job ends.
      if (run.claim.atMost !== undefined && run.claim.resumes && isTaken(thrown))
        return { kind: 'busy' }
      await count(run, thrown)
      throw thrown
    }
  }

  /**
   * The commit is in doubt: the row decides, once the session that was to commit is certainly gone.
   */
  async function settle({ name }: LocalRun, { done, session, cause }: InDoubt): Promise<LocalDone> {
    if (done.kind !== 'done') return done
    const { tenant, callId, fence } = done.fence
    const row = await rowAfter(session, { tenant, callId }).catch((reason: unknown) => {
      throw new ToolError(
        'TOOL_STORAGE_ERROR',
        `The database was lost while ${name} was committed: nobody knows whether it was.`,
        {
          cause: reason,
        },
      )
    })
    if (row?.state === 'succeeded' && row.fence === fence) return done
    throw new ToolError(
      'TOOL_STORAGE_ERROR',
      `The database was lost before ${name} was committed.`,
      { effect: 'none', cause },
    )
  }

  async function rowAfter(
    session: number,
    call: { readonly tenant: string; readonly callId: string },
  ): Promise<CallRow | undefined> {
    await sessions.end(session)
    return step(getCall, call)
  }

  // Counted in the background when the caller must not wait any longer.
  async function count({ claim }: LocalRun, thrown: unknown): Promise<void> {
    // A call that another process is executing was not attempted here, and counting would wait for
    // the other.
    if (!claim.resumes || isTaken(thrown)) return
    const counted = step(countTry, { tenant: claim.call.tenant, callId: claim.call.callId }).catch(
      () => undefined,
    )
    if (!isTimeout(thrown)) await counted
  }
}

function isTimeout(thrown: unknown): boolean {
  return isToolError(thrown) && thrown.code === 'TOOL_EXECUTION_TIMEOUT'
}

// Most local effects end within a moment; then their real result can be returned.
function isWorthAnotherTry(thrown: unknown): boolean {
  return isCollision(thrown) || isTaken(thrown)
}

type Attempts<T> = (begin: (attempt: LocalAttempt) => Promise<T>) => Promise<T>

/**
 * The result, or a timeout even if the function never returns. A commit that has begun is awaited.
 */
function withinTime(
  run: LocalRun,
  leftMs: number,
  work: Attempts<LocalDone | InDoubt>,
): Promise<LocalDone | InDoubt> {
  return new Promise((resolve, reject) => {
    let current: LocalAttempt | undefined
    let isOver = false
    const timer = setTimeout(
      () => {
        isOver = current === undefined || current.giveUp()
        if (isOver) reject(timeoutError(run))
      },
      Math.min(leftMs, LONGEST_TIMER_MS),
    )
    const begin = (attempt: LocalAttempt) => {
      // Between two attempts there is nothing to cancel.
      if (isOver) return Promise.reject(timeoutError(run))
      current = attempt
      return attempt.perform()
    }
    work(begin)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}

// A separate statement would be parsed and planned for every call.
const INSERT_TAKING = withTake(INSERT_CALL)

/**
 * One attempt of a local effect. It is cancelled or it commits, never both: the first that moves
 * `phase` away from `running` decides, and COMMIT is sent only after that.
 */
class LocalAttempt {
  #phase: 'running' | 'committing' | 'cancelled' = 'running'
  #client: pg.PoolClient | undefined
  readonly #run: LocalRun
  readonly #sessions: Sessions
  readonly #texts: Texts

  constructor(run: LocalRun, sessions: Sessions, texts: Texts) {
    this.#run = run
    this.#sessions = sessions
    this.#texts = texts
  }

  async perform(): Promise<LocalDone | InDoubt> {
    const client = await connect(this.#sessions.pool).catch(nothingHappened)
    if (this.#phase === 'cancelled') {
      giveBack(client)
      throw endedError()
    }
    this.#client = client
    try {
      return await this.#commit(client, await this.#apply(this.#sender(this.#begin(client))))
    } catch (thrown) {
      // Closed, even if the function still continues by itself.
      this.#phase = 'cancelled'
      await this.#leave(rollBack)
      throw thrown
    } finally {
      await this.#leave(async () => undefined)
    }
  }

  /** True: it will not happen. False: the commit has begun, and only its result can tell. */
  giveUp(): boolean {
    if (this.#phase === 'committing') return false
    this.#phase = 'cancelled'
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) void abandon(client, this.#sessions)
    return true
  }

  // After the key's lock, or with the insert that takes it; an unused key cannot be held by another
  // call.
  #begin(client: pg.PoolClient): Send {
    const { resumes, guardMs, call } = this.#run.claim
    if (!resumes && (call.keySource === 'fresh' || guardMs === undefined))
      return begin(client, 'begin')
    return begin(client, `begin; ${takeNumber(`'${lockNumber(keyName(call))}'`)}`, refusal)
  }

  async #apply(send: Send): Promise<LocalDone> {
    const { args } = this.#run
    const tx = txOn(send, this.#texts.statement)
    const request = localRequest(this.#run, this.#texts)
    return localEffect(this.#sql(send), request, () => this.#run.apply(tx, args as never))
  }

  #sql(send: Send): Sql {
    const { call } = this.#run.claim
    const sql = sqlOn(send, this.#texts)
    const lock: Sql['lock'] = async (what) => {
      await send(this.#texts.statement(takeNumber('?'), [lockNumber(what)])).catch(refuse)
    }
    if (call.keySource === 'fresh') return { ...sql, lock }
    const get: Sql['get'] = (text, ...values) =>
      text === INSERT_CALL
        ? sql.get(INSERT_TAKING, ...values, lockNumber(keyName(call))).catch(refuse)
        : sql.get(text, ...values)
    return { ...sql, lock, get }
  }

  async #commit(client: pg.PoolClient, done: LocalDone): Promise<LocalDone | InDoubt> {
    if (this.#phase !== 'running') throw endedError()
    this.#phase = 'committing'
    const session = sessionNumber(client)
    const result = await commit(client).catch((cause: unknown) => {
      if (!isLost(cause)) return nothingHappened(storageError(cause))
      return { cause }
    })
    if (result === 'committed') return done
    if (result === 'rolled back') throw ignoreRejection(this.#run.name)
    return { kind: 'in doubt', done, session, cause: result.cause }
  }

  /** A function that outlived its transaction must not write into the next one. */
  #sender(send: Send): Send {
    return async (statement) => {
      if (this.#phase !== 'running') throw endedError()
      return send(statement).catch((thrown: unknown) => {
        if (isTaken(thrown)) throw thrown
        return nothingHappened(thrown)
      })
    }
  }

  // The session is released once: by the run itself, or by the timeout that cancelled it.
  async #leave(how: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = this.#client
    if (client === undefined) return
    this.#client = undefined
    await how(client)
    giveBack(client)
  }
}

function refuse(thrown: unknown): never {
  throw refusal(thrown)
}

function nothingHappened(thrown: unknown): never {
  const { message, cause } = storageError(thrown)
  throw new ToolError('TOOL_STORAGE_ERROR', message, { effect: 'none', cause })
}

function ignoreRejection(name: string): ToolError {
  const message = `${name} went on after one of its statements had failed, and was rolled back.`
  return new ToolError('TOOL_STORAGE_ERROR', message, { effect: 'none' })
}
