import { toToolError } from '@surehand/core/internal'
import { explainError } from './explain-error.ts'

/** Loads the data of an explanation within a time limit. */
type DataLoader = {
  /** Loads data that the explanation cannot do without. */
  readonly required: <T>(work: () => Promise<T>) => Promise<T>
  /**
   * Loads data that may be missing: it is then listed in `missing`, and the explanation is partial.
   */
  readonly optional: <T>(name: string, work: () => Promise<T>, without: T) => Promise<T>
  readonly missing: readonly string[]
}

// Well within the timeout of the contract, so that a slow store leaves time for a partial answer.
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
          'Reading the data takes too long at the moment. Try again later.',
          {
            waited_ms: now() - startedAt,
          },
        )
      return work()
    },
    async optional(name, work, without) {
      if (now() - startedAt > MAY_MS) {
        missing.push(`${name}: not read, because there was no time left`)
        return without
      }
      try {
        return await work()
      } catch (thrown) {
        // A cancelled call needs no partial answer.
        if (signal.aborted) throw thrown
        missing.push(`${name}: could not be read (${toToolError(thrown).code})`)
        return without
      }
    },
  }
}
