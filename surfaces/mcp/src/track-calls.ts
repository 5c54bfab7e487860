import type { Runtime } from '@surehand/core'

export type TrackedRuntime = { readonly runtime: Runtime; readonly settled: () => Promise<void> }

/** A runtime whose calls can be waited for, whoever began them. */
export function trackCalls(watched: Runtime): TrackedRuntime {
  const underWay = new Set<Promise<unknown>>()
  const call = (request: Parameters<Runtime['call']>[0]) => {
    const outcome = watched.call(request)
    underWay.add(outcome)
    // a call never throws: every trouble is an outcome
    void outcome.then(() => underWay.delete(outcome))
    return outcome
  }
  return {
    // erased: both forms of a call are handed on as they are
    runtime: { ...watched, call: call as Runtime['call'] },
    async settled() {
      await Promise.all(underWay)
    },
  }
}
