import { toToolError } from '@surehand/core/internal'
import { explainError } from './explain-error.ts'

/** Puts together what an explanation is made of, within its time. */
export type DataLoader = {
  /** What it can not do without. */
  readonly required: <T>(work: () => Promise<T>) => Promise<T>
  /** What it is poorer without: missing, it is told, and the explanation is partial. */
  readonly optional: <T>(name: string, work: () => Promise<T>, without: T) => Promise<T>
  readonly missing: readonly string[]
}

// well within the contract's hard limit, so that a slow store still leaves time to answer with what there is
const MUST_MS = 6_000
const MAY_MS = 3_000

export function createDataLoader({
  now,
  signal,
}: {
  readonly now: () => number
  readonly signal: AbortSignal
}): DataLoader {
  const startedAt = now()
  const missing: string[] = []

  return {
    missing,
    async required(work) {
      if (now() - startedAt > MUST_MS)
        throw explainError(
          'EXPLAIN_TIMEOUT',
          'Reading what is to be explained takes too long just now; ask again later.',
          {
            waited_ms: now() - startedAt,
          },
        )
      return work()
    },
    async optional(name, work, without) {
      if (now() - startedAt > MAY_MS) {
        missing.push(`${name}: there was no time left to look`)
        return without
      }
      try {
        return await work()
      } catch (thrown) {
        // nobody waits for what was cancelled
        if (signal.aborted) throw thrown
        missing.push(`${name}: could not be looked at (${toToolError(thrown).code})`)
        return without
      }
    },
  }
}
