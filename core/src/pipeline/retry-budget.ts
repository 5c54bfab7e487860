/** Retries may add a tenth to a provider's load, not multiply it when it is already in trouble. */
export type RetryBudget = {
  readonly countCall: () => void
  /** False: no more retries for now. */
  readonly take: () => boolean
}

// in tenths of a retry, so that ten calls earn exactly one
const RETRY = 10
const MOST = 100

export function createRetryBudget(): RetryBudget {
  let tenths = MOST
  return {
    countCall() {
      tenths = Math.min(MOST, tenths + 1)
    },
    take() {
      if (tenths < RETRY) return false
      tenths -= RETRY
      return true
    },
  }
}
