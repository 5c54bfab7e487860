import type { Clock } from '@surehand/core/ports'
import { type Answering, LET_PASS_MS } from './answering.ts'

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

type TurnQueue = {
  readonly isEmpty: () => boolean
  readonly wait: FairTurns['next']
  /** Begins the turn of the name that waits longest. */
  readonly beginNext: () => void
}

function createTurnQueue(): TurnQueue {
  // In the order of their last turn: the first name is the one that waits longest for its next.
  const queues = new Map<string, Set<Waiting>>()
  return {
    isEmpty: () => queues.size === 0,
    wait(name, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
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
        signal?.addEventListener('abort', leave, { once: true })
        queue.add(waiting)
        queues.set(name, queue)
      })
    },
    beginNext() {
      for (const [name, queue] of queues) {
        queues.delete(name)
        const [first] = queue
        if (first === undefined) continue
        queue.delete(first)
        // Added again at the end, behind all other names.
        if (queue.size > 0) queues.set(name, queue)
        return first.begin()
      }
    },
  }
}

export function createFairTurns(perSecond: number, clock: Clock): FairTurns {
  const queue = createTurnQueue()
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
    for (; left > 0 && !queue.isEmpty(); left--) queue.beginNext()
    schedule()
  }

  function schedule(): void {
    if (isScheduled || queue.isEmpty()) return
    isScheduled = true
    clock.after(TICK_MS, () => {
      isScheduled = false
      serve()
    })
  }

  return {
    next(name, signal) {
      refill()
      if (queue.isEmpty() && left > 0) {
        left--
        return Promise.resolve()
      }
      const turn = queue.wait(name, signal)
      schedule()
      return turn
    },
  }
}

/**
 * One turn in each round of the event loop, the names one after the other: for work that would
 * otherwise hold up all other requests. Small calls that are being answered are let pass. What a turn
 * does should take less than a millisecond.
 */
export function createLoopTurns(
  answering?: Answering,
  nowMs: () => number = () => performance.now(),
): FairTurns {
  const queue = createTurnQueue()
  let isScheduled = false
  /** When the turn that is due now became due. */
  let dueMs = Number.POSITIVE_INFINITY

  function schedule(): void {
    if (isScheduled || queue.isEmpty()) return
    isScheduled = true
    dueMs = nowMs()
    setImmediate(begin)
  }

  function begin(): void {
    if (answering?.isBusy() && nowMs() - dueMs < LET_PASS_MS) {
      answering.onNext(() => setImmediate(begin))
      return
    }
    isScheduled = false
    queue.beginNext()
    schedule()
  }

  return {
    next(name, signal) {
      const turn = queue.wait(name, signal)
      schedule()
      return turn
    },
  }
}

// Another request waits for as long as a part of such work takes, or twice that.
const PART_MS = 0.5

/**
 * Divides long work into small parts: called before each step of it, waits for a turn before the
 * first step and whenever the last turn is used up.
 */
export function paceWork(turn: () => Promise<void>): () => Promise<void> | undefined {
  let untilMs = Number.NEGATIVE_INFINITY
  return () =>
    performance.now() < untilMs
      ? undefined
      : turn().then(() => {
          untilMs = performance.now() + PART_MS
        })
}
