import type { Clock } from '@surehand/core/ports'

/**
 * Spreads work that clients can ask for without end, such as looking whether a call has ended, over
 * time: so much a second in this process, the principals in turn. One that waits for a thousand
 * calls is slow itself and slows no other.
 */
export type FairTurns = {
  /** Resolves when it is the turn of this name. Rejects when the signal is aborted before. */
  readonly next: (name: string, signal?: AbortSignal) => Promise<void>
}

const TICK_MS = 20

type Waiting = { readonly begin: () => void }

export function createFairTurns(perSecond: number, clock: Clock): FairTurns {
  // In the order of their last turn: the first name is the one that waits longest for its next.
  const queues = new Map<string, Set<Waiting>>()
  const most = Math.max(1, Math.round((perSecond * TICK_MS) / 1_000))
  let left = most
  let ticks = Number.NEGATIVE_INFINITY
  let isScheduled = false

  function refill(): void {
    if (clock.ticks() - ticks < TICK_MS) return
    left = most
    ticks = clock.ticks()
  }

  function serve(): void {
    refill()
    for (const [name, queue] of queues) {
      if (left === 0) break
      left--
      queues.delete(name)
      const [first] = queue
      if (first === undefined) continue
      queue.delete(first)
      // Added again at the end: iterating over the map comes to it after all other names.
      if (queue.size > 0) queues.set(name, queue)
      first.begin()
    }
    schedule()
  }

  function schedule(): void {
    if (isScheduled || queues.size === 0) return
    isScheduled = true
    clock.after(TICK_MS, () => {
      isScheduled = false
      serve()
    })
  }

  return {
    next(name, signal) {
      refill()
      if (queues.size === 0 && left > 0) {
        left--
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const queue = queues.get(name) ?? new Set()
        const leave = (): void => {
          queue.delete(waiting)
          if (queue.size === 0 && queues.get(name) === queue) queues.delete(name)
          reject(signal?.reason)
        }
        const waiting = {
          begin() {
            signal?.removeEventListener('abort', leave)
            resolve()
          },
        }
        if (signal?.aborted) return reject(signal.reason)
        signal?.addEventListener('abort', leave, { once: true })
        queue.add(waiting)
        queues.set(name, queue)
        schedule()
      })
    },
  }
}
