import type { LocalDone, LocalRun } from '@surehand/core/ports'
import type pg from 'pg'
import { FIRST_FENCE } from '../../calls/call-row.ts'
import { localRequest, serializeResult } from '../../local-effect.ts'
import { openBatch } from '../batch.ts'
import { commit, connect, giveBack, inOneWrite, rollBack, type Send, send } from '../session.ts'
import { abandon, type Sessions, sessionNumber } from '../sessions.ts'
import type { Texts } from '../sql-on.ts'
import { isLost } from '../trouble.ts'
import { endedError, isEnded, txOn } from '../tx-on.ts'
import { checkFirst, type DoneLocal, writeAll } from './first-calls.ts'
import { LONG_MS } from './places.ts'
import type { SingleStatements } from './single-statements.ts'

/** It is not known whether the commit happened, because the session was lost during it. */
export type InDoubt = {
  readonly kind: 'in doubt'
  readonly done: LocalDone
  readonly session: number
  readonly cause: unknown
}

type Applied = DoneLocal & { readonly run: LocalRun; readonly result: unknown }

/**
 * First calls in one transaction: one check, their functions, and one statement that writes the rows
 * of all of them. It is cancelled or it commits, never both, as a call by itself.
 */
export class WriteGroup {
  #phase: 'running' | 'committing' | 'over' = 'running'
  #client: pg.PoolClient | undefined
  /** The calls whose functions have begun and not ended. */
  readonly #running = new Set<LocalRun>()
  #functionMs: number | undefined
  #tookTooLong = false
  readonly #givenUp = Promise.withResolvers<undefined>()
  readonly #runs: readonly LocalRun[]
  readonly #sessions: Sessions
  readonly #texts: Texts
  readonly #singles: SingleStatements

  constructor(
    runs: readonly LocalRun[],
    sessions: Sessions,
    { texts, singles }: { readonly texts: Texts; readonly singles: SingleStatements },
  ) {
    this.#runs = runs
    this.#sessions = sessions
    this.#texts = texts
    this.#singles = singles
  }

  /** The names of the functions that were running when it was over, or that have failed. */
  unfinished(): ReadonlySet<string> {
    return new Set([...this.#running].map(({ name }) => name))
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
    const startedAt = performance.now()
    const applied = await this.#applyAll(this.#begin(client))
    if (applied === undefined) return undefined
    this.#functionMs = (performance.now() - startedAt) / this.#runs.length
    this.#phase = 'committing'
    return this.#commit(client, applied)
  }

  /**
   * Functions of one statement are started together, and their statements are sent with BEGIN and
   * the check. As none sends a second one, they are executed one after another all the same; the
   * statements of other functions would mix, so those run one by one.
   */
  async #applyAll(send: Send): Promise<readonly Applied[] | undefined> {
    const checked = checkFirst(send, this.#texts.statement, this.#runs)
    const started = this.#runs.map((run) =>
      this.#singles.has(run.name) ? this.#apply(run, send, 'one statement') : undefined,
    )
    await Promise.all([checked, ...started])
    const applied: Applied[] = []
    for (const [index, run] of this.#runs.entries()) {
      if (this.#phase !== 'running') return undefined
      applied.push(await (started[index] ?? this.#apply(run, send, 'any statements')))
    }
    return this.#phase === 'running' ? applied : undefined
  }

  async #apply(
    run: LocalRun,
    send: Send,
    may: 'one statement' | 'any statements',
  ): Promise<Applied> {
    this.#running.add(run)
    let isOpen = true
    let hasFailed = false
    let statements = 0
    const own: Send = async (statement) => {
      if (!isOpen) throw endedError()
      statements++
      if (may === 'one statement' && statements > 1) throw this.#sentTooMany(run, statements)
      return send(statement).catch((thrown: unknown) => {
        hasFailed = true
        // It was not executed, because of another one.
        if (isEnded(thrown)) this.#running.delete(run)
        throw thrown
      })
    }
    const result = await run.apply(txOn(own, this.#texts.statement), run.args as never)
    // Whatever the function still sends must not become part of the next call.
    isOpen = false
    // It went on after one of its statements had failed.
    if (hasFailed) throw endedError()
    this.#singles.learn(run.name, statements)
    const request = localRequest(run, this.#texts)
    const applied = { run, request, result, ...serializeResult(run.name, result) }
    this.#running.delete(run)
    return applied
  }

  // Those of other functions may have come between its statements.
  #sentTooMany(run: LocalRun, statements: number): unknown {
    this.#singles.learn(run.name, statements)
    // No function is to blame.
    this.#running.clear()
    this.giveUp()
    return endedError()
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

  /** Sends BEGIN with the statements of this turn of the event loop. */
  #begin(client: pg.PoolClient): Send {
    const batch = openBatch(client, () => this.#phase === 'running')
    const begun = batch.add(this.#texts.statement('begin', []))
    begun.catch(() => undefined)
    return async (statement) => {
      if (this.#phase !== 'running') throw endedError()
      if (batch.takes(statement)) return batch.add(statement)
      // Before BEGIN is known to have worked, or after the end, it would take effect by itself.
      await begun
      if (this.#phase !== 'running') throw endedError()
      return send(client, statement)
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
