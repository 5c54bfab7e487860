import { isToolError, ToolError } from '@surehand/core'
import type { CallRow, LocalDone, LocalRun } from '@surehand/core/ports'
import { getCall } from '../calls/looks.ts'
import { countTry } from '../calls/waiting.ts'
import type { Database } from '../database.ts'
import { type InDoubt, LocalAttempt } from './local-run.ts'
import { again } from './run-step.ts'
import type { Sessions } from './sessions.ts'
import type { Texts } from './sql-on.ts'
import { isTaken } from './taken.ts'
import { isCollision } from './trouble.ts'

/** Local effects: claim, effect, record and answer in one transaction, within their timeout. */
export function transactor(
  sessions: Sessions,
  texts: Texts,
  step: Database['step'],
): Database['transact'] {
  return async (run) => {
    try {
      const done = await withinTime(run, (begin) =>
        again(() => begin(new LocalAttempt(run, sessions, texts)), isWorthAnotherTry),
      )
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

// A timer with a longer delay would fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1

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
  work: Attempts<LocalDone | InDoubt>,
): Promise<LocalDone | InDoubt> {
  return new Promise((resolve, reject) => {
    let current: LocalAttempt | undefined
    let isOver = false
    const timeout = () =>
      new ToolError(
        'TOOL_EXECUTION_TIMEOUT',
        `${run.name} did not finish within ${run.timeoutMs} ms and was rolled back.`,
        {
          effect: 'none',
        },
      )
    const timer = setTimeout(
      () => {
        isOver = current === undefined || current.giveUp()
        if (isOver) reject(timeout())
      },
      Math.min(run.timeoutMs, LONGEST_TIMER_MS),
    )
    const begin = (attempt: LocalAttempt) => {
      // Between two attempts there is nothing to cancel.
      if (isOver) return Promise.reject(timeout())
      current = attempt
      return attempt.perform()
    }
    work(begin)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
