import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import { cancelled } from './attempt.ts'

/** A read under way that several callers wait for. */
export type Flight = {
  readonly answer: Promise<Answer>
  waiting: number
  /** Ends the work when the last one who wanted it has gone. */
  readonly land: AbortController
}

/** Waits with the others; leaving early leaves them alone. */
export function join(flight: Flight, call: Call): Promise<Answer> {
  flight.waiting++
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      flight.waiting--
      call.signal?.removeEventListener('abort', onAbort)
    }
    const onAbort = (): void => {
      leave()
      if (flight.waiting === 0) flight.land.abort()
      reject(cancelled(call))
    }
    if (call.signal?.aborted) return onAbort()
    call.signal?.addEventListener('abort', onAbort, { once: true })
    flight.answer.then(
      (answer) => {
        leave()
        resolve(answer)
      },
      (thrown) => {
        leave()
        reject(thrown)
      },
    )
  })
}
