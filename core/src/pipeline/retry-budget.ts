/** Retries may add a tenth to a provider's load, not multiply it when it is already in trouble. */
export type RetryBudget = {
  readonly countCall: () => void
  /** False: no more retries for now. */
  readonly take: () => boolean
}

const SHARE = 0.1
const MOST = 10

export function createRetryBudget(): RetryBudget {
  let tokens = MOST
  return {
    countCall() {
      tokens = Math.min(MOST, tokens + SHARE)
    },
    take() {
      if (tokens < 1) return false
      tokens--
      return true
    },
  }
}
