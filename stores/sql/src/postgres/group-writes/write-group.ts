import type { LocalDone, LocalRun } from '@surehand/core/ports'
import type pg from 'pg'
import { FIRST_FENCE } from '../../calls/call-row.ts'
import { localRequest, serializeResult } from '../../local-effect.ts'
import {
  begin,
  commit,
  connect,
  giveBack,
  inOneWrite,
  rollBack,
  type Send,
  send,
} from '../session.ts'
import { abandon, type Sessions, sessionNumber } from '../sessions.ts'
import type { Texts } from '../sql-on.ts'
import { isLost } from '../trouble.ts'
import { endedError, txOn } from '../tx-on.ts'
import { areFirst, type DoneLocal, writeAll } from './first-calls.ts'
import { LONG_MS } from './places.ts'

/** It is not known whether the commit happened, because the session was lost during it. */
export type InDoubt = {
  readonly kind: 'in doubt'
  readonly done: LocalDone
  readonly session: number
  readonly cause: unknown
}

type Applied = DoneLocal & { readonly run: LocalRun; readonly result: unknown }

/**
 * First calls in one transaction. Their functions run one after another, and the rows of all of them
 * are written with one statement. It is cancelled or it commits, never both, as a call by itself.
 */
export class WriteGroup {
  #phase: 'running' | 'committing' | 'over' = 'running'
  #client: pg.PoolClient | undefined
  /** The function that runs now. */
  #current: string | undefined
  #functionMs: number | undefined
  #tookTooLong = false
  readonly #givenUp = Promise.withResolvers<undefined>()
  readonly #runs: readonly LocalRun[]
  readonly #sessions: Sessions
  readonly #texts: Texts

  constructor(runs: readonly LocalRun[], sessions: Sessions, texts: Texts) {
    this.#runs = runs
    this.#sessions = sessions
    this.#texts = texts
  }

  /** The name of the function that runs, or that has failed. */
  current(): string | undefined {
    return this.#current
  }

  /** Whether it was given up because it took too long. */
  tookTooLong(): boolean {
    return this.#tookTooLong
  }

  /** What one of its functions took on average, if all have ended. */
  functionMs(): number | undefined {
    return this.#functionMs
  }

  /** What each call has come to. Undefined: nothing was done, and each has to be tried by itself. */
  async perform(): Promise<readonly (LocalDone | InDoubt)[] | undefined> {
    let watch: NodeJS.Timeout | undefined
    try {
      const client = await connect(this.#sessions.pool)
      if (this.#phase === 'over') {
        giveBack(client)
        return undefined
      }
      this.#client = client
      // One slow function would hold up all calls. The time to open a session does not count.
      watch = setTimeout(() => {
        this.#tookTooLong = this.giveUp()
      }, LONG_MS)
      const transacted = this.#transact(client)
      // A function that goes on after the group was given up fails by its next statement.
      transacted.catch(() => undefined)
      return await Promise.race([transacted, this.#givenUp.promise])
    } catch {
      // Whatever it was, the call by itself will report it.
      return undefined
    } finally {
      clearTimeout(watch)
      await this.#leave()
    }
  }

  /** True: nothing will happen. False: the commit has begun, and only its result can tell. */
  giveUp(): boolean {
    if (this.#phase === 'committing') return false
    this.#phase = 'over'
    this.#givenUp.resolve(undefined)
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) void abandon(client, this.#sessions)
    return true
  }

  async #transact(client: pg.PoolClient): Promise<readonly (LocalDone | InDoubt)[] | undefined> {
    const { statement } = this.#texts
    const send = this.#sender(begin(client, 'begin'))
    if (!(await areFirst(send, statement, this.#runs))) return undefined
    const startedAt = performance.now()
    const applied: Applied[] = []
    for (const run of this.#runs) {
      applied.push(await this.#apply(run, client, send))
      if (this.#phase !== 'running') return undefined
    }
    this.#functionMs = (performance.now() - startedAt) / this.#runs.length
    this.#phase = 'committing'
    return this.#commit(client, applied)
  }

  async #apply(run: LocalRun, client: pg.PoolClient, send: Send): Promise<Applied> {
    this.#current = run.name
    let isOpen = true
    const own: Send = async (statement) => {
      if (!isOpen) throw endedError()
      return send(statement)
    }
    const result = await run.apply(txOn(own, this.#texts.statement), run.args as never)
    // Whatever the function still sends must not become part of the next call.
    isOpen = false
    // It went on after one of its statements had failed.
    if (client.getTransactionStatus() === 'E') throw endedError()
    const applied = {
      run,
      request: localRequest(run, this.#texts),
      result,
      ...serializeResult(run.name, result),
    }
    this.#current = undefined
    return applied
  }

  async #commit(
    client: pg.PoolClient,
    applied: readonly Applied[],
  ): Promise<readonly (LocalDone | InDoubt)[] | undefined> {
    const session = sessionNumber(client)
    inOneWrite(client)
    const written = send(client, writeAll(this.#texts.statement, applied))
    written.catch(() => undefined)
    const ending = await commit(client).catch((cause: unknown) => ({ cause }))
    if (ending === 'rolled back') return undefined
    const done = applied.map(toDone)
    if (ending === 'committed') return done
    const { cause } = ending
    // A commit that the server refused has not happened.
    if (!isLost(cause)) return undefined
    return done.map((one) => ({ kind: 'in doubt', done: one, session, cause }))
  }

  #sender(send: Send): Send {
    return async (statement) => {
      if (this.#phase !== 'running') throw endedError()
      return send(statement)
    }
  }

  // The session is released once: by the group itself, or by the timeout that gave it up.
  async #leave(): Promise<void> {
    const client = this.#client
    if (client === undefined) return
    this.#client = undefined
    // A commit that has begun stays one: a call whose time is over meanwhile waits for its result.
    if (this.#phase === 'running') {
      this.#phase = 'over'
      await rollBack(client)
    }
    giveBack(client)
  }
}

function toDone({ run, result }: Applied): LocalDone {
  const { tenant, callId, parentId } = run.claim.call
  return { kind: 'done', fence: { tenant, callId, fence: FIRST_FENCE, parentId }, result }
}
