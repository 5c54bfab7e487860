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

export function createUnderWay(): UnderWay {
  // requests that have left and not arrived, answers that were given and not received
  const transit = createTransit()
  return {
    watched(runtime) {
      const call = async (request: Parameters<Runtime['call']>[0]) => {
        transit.arrive()
        const outcome = await runtime.call(request as never)
        transit.leave()
        return outcome
      }
      // Erased types: counting does not read the arguments.
      return { ...runtime, call: call as Runtime['call'] }
    },
    async carried(call) {
      transit.leave()
      try {
        return await call()
      } finally {
        transit.arrive()
      }
    },
    pause: transit.pause,
  }
}

/** A count of what is between a client and the runtime. */
export type Transit = {
  readonly leave: () => void
  readonly arrive: () => void
  /** Waits until nothing is between the two, and what runs has come to rest. */
  readonly pause: () => Promise<void>
}

export function createTransit(): Transit {
  let count = 0
  let arrived = Promise.withResolvers<void>()
  return {
    leave() {
      count++
    },
    arrive() {
      count--
      if (count > 0) return
      arrived.resolve()
      arrived = Promise.withResolvers()
    },
    async pause() {
      // What rests may have sent something: then that has to arrive too.
      for (await settle(); count > 0; await settle()) await arrived.promise
    },
  }
}
