import type { Runtime } from '@surehand/core'
import { settle } from './fake-clock.ts'

/**
 * Counts requests between a surface's client and the runtime, so that the clock does not advance
 * before they arrive.
 */
export type UnderWay = {
  /** The runtime, counting what comes to it and what goes back. */
  readonly watched: (runtime: Runtime) => Runtime
  /** A call on its way. */
  readonly carried: <T>(call: () => Promise<T>) => Promise<T>
  /** Lets everything arrive, and what runs come to rest. */
  readonly pause: () => Promise<void>
}

const LOOK_AGAIN_MS = 1

export function createUnderWay(): UnderWay {
  // requests that have left and not arrived, answers that were given and not received
  let count = 0
  return {
    watched(runtime) {
      const call = async (request: Parameters<Runtime['call']>[0]) => {
        count--
        const outcome = await runtime.call(request as never)
        count++
        return outcome
      }
      // Erased types: counting does not read the arguments.
      return { ...runtime, call: call as Runtime['call'] }
    },
    async carried(call) {
      count++
      try {
        return await call()
      } finally {
        count--
      }
    },
    async pause() {
      do await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
      while (count > 0)
      await settle()
    },
  }
}
