import type { Runtime } from '@surehand/core'

export type TrackedRuntime = { readonly runtime: Runtime; readonly settled: () => Promise<void> }

/** A runtime whose running calls can be awaited. */
export function trackCalls(runtime: Runtime): TrackedRuntime {
  const running = new Set<Promise<unknown>>()
  const call = (request: Parameters<Runtime['call']>[0]) => {
    const outcome = runtime.call(request)
    running.add(outcome)
    // A call never rejects: every failure is an outcome.
    void outcome.then(() => running.delete(outcome))
    return outcome
  }
  return {
    // The cast is safe: both overloads are passed on unchanged.
    runtime: { ...runtime, call: call as Runtime['call'] },
    async settled() {
      await Promise.all(running)
    },
  }
}
