import type { Progress } from '@surehand/core/host'
import type { ProgressRequest } from '../day-previews-port.ts'

type ReportedProgress = Progress & { readonly fraction: number }

/** Passes progress from running work to the callers that wait for it, by idempotency key. */
export type ProgressFeed = {
  readonly report: (key: string, progress: ReportedProgress) => void
  /** The work has ended, with or without success. */
  readonly end: (key: string) => void
  readonly next: (request: ProgressRequest, signal: AbortSignal) => Promise<ReportedProgress | null>
}

export function createProgressFeed(): ProgressFeed {
  const latest = new Map<string, ReportedProgress>()
  const waiting = new Map<string, Set<(progress: ReportedProgress | null) => void>>()

  function wake(key: string, progress: ReportedProgress | null): void {
    const woken = waiting.get(key)
    waiting.delete(key)
    for (const answer of woken ?? []) answer(progress)
  }

  return {
    report(key, progress) {
      latest.set(key, progress)
      wake(key, progress)
    },
    end(key) {
      latest.delete(key)
      wake(key, null)
    },
    next({ idempotencyKey, after }, signal) {
      const reported = latest.get(idempotencyKey)
      if (signal.aborted) return Promise.resolve(null)
      if (reported !== undefined && reported.fraction > after) return Promise.resolve(reported)
      // The work may not have begun yet: wait until it does, or until the caller aborts.
      return new Promise((resolve) => {
        const answers = waiting.get(idempotencyKey) ?? new Set()
        waiting.set(idempotencyKey, answers)
        const abort = (): void => {
          answers.delete(resolve)
          if (answers.size === 0 && waiting.get(idempotencyKey) === answers)
            waiting.delete(idempotencyKey)
          resolve(null)
        }
        answers.add((progress) => {
          signal.removeEventListener('abort', abort)
          resolve(progress)
        })
        signal.addEventListener('abort', abort, { once: true })
      })
    },
  }
}
