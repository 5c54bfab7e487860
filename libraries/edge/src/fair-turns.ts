import { afterMicrotasks, areSmallPartsWanted, type Clock, doInTurn } from '@surehand/core/ports'
import { type Answering, LET_PASS_MS } from './answering.ts'
import { createWorkBudgets } from './work-budgets.ts'

/**
 * Spreads work that clients can ask for without end, such as looking whether a call has ended, over
 * time: so much a second in this process, the principals in turn. One that waits for a thousand
 * calls is slow itself and slows no other.
 */
export type FairTurns = {
  /** Resolves when it is the turn of this name. Rejects when the signal is aborted before. */
  readonly next: (name: string, options?: TurnOptions) => Promise<void>
}

export type TurnOptions = {
  readonly signal?: AbortSignal | undefined
  /**
   * Of two turns of one name, the one with the lower number is first: what a client asked for first
   * is finished before its next is begun, and not all of it is in memory half done.
   */
  readonly order?: number
}

const TICK_MS = 20

type Waiting = { readonly order: number; readonly begin: () => void }

type TurnQueue = {
  readonly isEmpty: () => boolean
  readonly wait: FairTurns['next']
  /** Begins the turn of the name that waits longest among those that may have one. */
  readonly beginNext: (may?: (name: string) => boolean) => string | undefined
  readonly names: () => Iterable<string>
}

function createTurnQueue(): TurnQueue {
  // In the order of their last turn: the first name is the one that waits longest for its next.
  const queues = new Map<string, Set<Waiting>>()
  return {
    isEmpty: () => queues.size === 0,
    names: () => queues.keys(),
    wait(name, { signal, order = 0 } = {}) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const queue = queues.get(name) ?? new Set()
        const leave = (): void => {
          queue.delete(waiting)
          if (queue.size === 0 && queues.get(name) === queue) queues.delete(name)
          reject(signal?.reason)
        }
        const waiting = {
          order,
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
    beginNext(may = () => true) {
      for (const [name, queue] of queues) {
        if (!may(name)) continue
        queues.delete(name)
        const first = firstOf(queue)
        if (first === undefined) continue
        queue.delete(first)
        // Added again at the end, behind all other names.
        if (queue.size > 0) queues.set(name, queue)
        first.begin()
        return name
      }
      return undefined
    },
  }
}

function firstOf(queue: Iterable<Waiting>): Waiting | undefined {
  let first: Waiting | undefined
  for (const one of queue) if (first === undefined || one.order < first.order) first = one
  return first
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
    next(name, options) {
      refill()
      if (queue.isEmpty() && left > 0) {
        left--
        return Promise.resolve()
      }
      const turn = queue.wait(name, options)
      schedule()
      return turn
    },
  }
}

export type LoopTurnsOptions = {
  readonly answering?: Answering | undefined
  /** What a turn costs of a name's budget at least. */
  readonly leastMs?: number
  readonly nowMs?: () => number
}

/**
 * One turn in each round of the event loop, the names one after the other: for work that would
 * otherwise hold up all other requests. Small calls that are being answered are let pass. While there
 * are such calls, a name that has used up its budget of this work gets its turns slowly. What a turn
 * does should take less than a millisecond.
 */
export function createLoopTurns({
  answering,
  leastMs,
  nowMs = () => performance.now(),
}: LoopTurnsOptions = {}): FairTurns {
  const queue = createTurnQueue()
  const budgets = createWorkBudgets(nowMs, leastMs)
  let isScheduled = false
  /** When the turn that is due now became due. */
  let dueMs = Number.POSITIVE_INFINITY

  function schedule(): void {
    if (isScheduled || queue.isEmpty()) return
    isScheduled = true
    dueMs = nowMs()
    beginSoon()
  }

  function begin(): void {
    if (answering?.isBusy() && nowMs() - dueMs < LET_PASS_MS) {
      answering.onNext(beginSoon)
      return
    }
    const mayAll = answering === undefined || !answering.wasBusyLately()
    const startedMs = nowMs()
    const name = queue.beginNext((one) => mayAll || budgets.waitMs(one) === 0)
    if (name === undefined && !queue.isEmpty()) {
      setTimeout(begin, shortestWaitMs())
      return
    }
    isScheduled = false
    if (name !== undefined) afterMicrotasks(() => budgets.charge(name, nowMs() - startedMs))
    schedule()
  }

  // Beside a light client, all work shares the same small turns.
  function beginSoon(): void {
    if (areSmallPartsWanted()) doInTurn(begin)
    else setImmediate(begin)
  }

  /** Until the first name is within its budget again, or to see whether a new one has come. */
  function shortestWaitMs(): number {
    let shortest = MAX_WAIT_MS
    for (const name of queue.names()) shortest = Math.min(shortest, budgets.waitMs(name))
    return shortest
  }

  return {
    next(name, options) {
      const turn = queue.wait(name, options)
      schedule()
      return turn
    },
  }
}

// A name that comes while others wait for their budget waits for so long at most.
const MAX_WAIT_MS = 5

// Another request waits for as long as a part of such work takes, or twice that.
const PART_MS = 0.5
// Beside a client that asks for little.
const SMALL_PART_MS = 0.2

let works = 0

/** The `order` of the next work. */
export function takeNumber(): number {
  return works++
}

/**
 * Divides long work into small parts: called before each step of it, waits for a turn before the
 * first step and whenever the last turn is used up.
 */
export function paceWork(turn: (order: number) => Promise<void>): () => Promise<void> | undefined {
  const order = takeNumber()
  let untilMs = Number.NEGATIVE_INFINITY
  return () =>
    performance.now() < untilMs
      ? undefined
      : turn(order).then(() => {
          untilMs = performance.now() + (areSmallPartsWanted() ? SMALL_PART_MS : PART_MS)
        })
}
