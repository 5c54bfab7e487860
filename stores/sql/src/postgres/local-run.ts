import { setTimeout as pause } from 'node:timers/promises'
import { ToolError, type Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import type { LocalDone, LocalRun } from '@surehand/core/ports'
import type pg from 'pg'
import { INSERT_CALL } from '../calls/call-row.ts'
import { localEffect, localRequest } from '../local-effect.ts'
import { isControl } from '../statement-kind.ts'
import type { Sql } from '../step.ts'
import { storageError } from '../storage-error.ts'
import { lockNumber } from './lock-number.ts'
import { begin, commit, connect, giveBack, rollBack, type Send } from './session.ts'
import type { Sessions } from './sessions.ts'
import { sqlOn, type Texts } from './sql-on.ts'
import type { Statements } from './statements.ts'
import { isTaken, keyName, refusal, takeNumber, withTake } from './taken.ts'
import { isLost } from './trouble.ts'

// Most statements end sooner, and waiting for a session is much cheaper than opening a new one.
const GRACE_MS = 250

// A separate statement would be parsed and planned for every call.
const INSERT_TAKING = withTake(INSERT_CALL)

/** It is not known whether the commit happened, because the session was lost during it. */
export type InDoubt = {
  readonly kind: 'in doubt'
  readonly done: LocalDone
  readonly session: number
  readonly cause: unknown
}

/**
 * One attempt of a local effect. It is cancelled or it commits, never both: the first that moves
 * `phase` away from `running` decides, and COMMIT is sent only after that.
 */
export class LocalAttempt {
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
    if (client !== undefined) void this.#abandon(client)
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
    const request = localRequest(this.#run, this.#texts.secretKeys)
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

  async #abandon(client: pg.PoolClient): Promise<void> {
    const session = sessionNumber(client)
    const isBack = await Promise.race([
      rollBack(client).then(() => true),
      pause(GRACE_MS, false, { ref: false }),
    ])
    if (isBack) return giveBack(client)
    // A server that executes a statement does not notice a closed connection and would hold its
    // locks until the statement ends.
    client.release(true)
    await this.#sessions.end(session).catch(() => undefined)
  }
}

function refuse(thrown: unknown): never {
  throw refusal(thrown)
}

// erased: every server sends this number, but the types do not declare it
function sessionNumber(client: pg.PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID
}

function nothingHappened(thrown: unknown): never {
  const { message, cause } = storageError(thrown)
  throw new ToolError('TOOL_STORAGE_ERROR', message, { effect: 'none', cause })
}

function endedError(): ToolError {
  return new ToolError('TOOL_CANCELLED', 'The transaction has ended.', { effect: 'none' })
}

function ignoreRejection(name: string): ToolError {
  const message = `${name} went on after one of its statements had failed, and was rolled back.`
  return new ToolError('TOOL_STORAGE_ERROR', message, { effect: 'none' })
}

/** The transaction as a pack's function sees it: statements, but no way to end it. */
export function txOn(send: Send, statement: Statements): Tx {
  const run: (text: string, values: Parameters<Statements>[1]) => ReturnType<Send> = async (
    text,
    values,
  ) => {
    if (isControl(text)) {
      const message = `"${text.trim().slice(0, 40)}" is not for a transaction function: it commits with its call, or not at all.`
      throw new ToolError('TOOL_CONFIGURATION_ERROR', message, { effect: 'none' })
    }
    return send(statement(text, values))
  }
  return {
    get: async (text, ...values) => (await run(text, values)).rows[0] as Row | undefined,
    all: async (text, ...values) => (await run(text, values)).rows as Row[],
    run: async (text, ...values) => ({ changes: (await run(text, values)).rowCount ?? 0 }),
  }
}
