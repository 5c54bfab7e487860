import type { Progress } from '@surehand/core/host'
import type { ProgressRequest } from '../day-previews-port.ts'

type Told = Progress & { readonly fraction: number }

/** Where those who make something leave how far they are, and those who wait for it look. */
export type ProgressDesk = {
  readonly tell: (key: string, progress: Told) => void
  /** It is over, well or not. */
  readonly end: (key: string) => void
  readonly next: (request: ProgressRequest, signal: AbortSignal) => Promise<Told | null>
}

export function createProgressDesk(): ProgressDesk {
  const latest = new Map<string, Told>()
  const waiting = new Map<string, Set<(progress: Told | null) => void>>()

  function wake(key: string, progress: Told | null): void {
    const woken = waiting.get(key)
    waiting.delete(key)
    for (const answer of woken ?? []) answer(progress)
  }

  return {
    tell(key, progress) {
      latest.set(key, progress)
      wake(key, progress)
    },
    end(key) {
      latest.delete(key)
      wake(key, null)
    },
    next({ idempotencyKey, after }, signal) {
      const told = latest.get(idempotencyKey)
      if (signal.aborted) return Promise.resolve(null)
      if (told !== undefined && told.fraction > after) return Promise.resolve(told)
      // it may not have begun yet: whoever asks waits until it does, or until nobody wants to know
      return new Promise((resolve) => {
        const answers = waiting.get(idempotencyKey) ?? new Set()
        waiting.set(idempotencyKey, answers)
        const leave = (): void => {
          answers.delete(resolve)
          if (answers.size === 0 && waiting.get(idempotencyKey) === answers)
            waiting.delete(idempotencyKey)
          resolve(null)
        }
        answers.add((progress) => {
          signal.removeEventListener('abort', leave)
          resolve(progress)
        })
        signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}
