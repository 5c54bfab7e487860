import { afterMicrotasks } from './after-microtasks.ts'

// One for the process, as its event loop is.
let untilMs = Number.NEGATIVE_INFINITY
const waiting: (() => void)[] = []
let isAtWork = false
let mustLetPass = false

// A turn of the event loop ends with the part in which this time is over.
const TURN_MS = 0.2

/**
 * For so long, work that fills the event loop is done in smaller parts than pay best: a client that
 * asks for little is there, and waits for as long as a turn takes.
 */
export function askForSmallParts(forMs: number): void {
  untilMs = performance.now() + forMs
}

export function areSmallPartsWanted(): boolean {
  return performance.now() < untilMs
}

/** A request of that client has arrived: the parts of `doInTurn` wait until it has been started. */
export function letLightPass(): void {
  mustLetPass = true
}

/**
 * Does a part of some work when it is its turn. Requests, results of the database and jobs share
 * the same turns: a request that arrives waits for one small turn, and not for a part of each.
 */
export function doInTurn(part: () => void): void {
  waiting.push(part)
  if (!isAtWork) schedule()
}

/** Resolves when it is the turn of the next part of some work. */
export function nextPart(): Promise<void> {
  return new Promise((resolve) => doInTurn(resolve))
}

function schedule(): void {
  isAtWork = true
  setImmediate(doSome)
}

function doSome(): void {
  if (mustLetPass) {
    mustLetPass = false
    schedule()
  } else doNext(performance.now())
}

function doNext(startedAt: number): void {
  const part = waiting.shift()
  if (part === undefined) {
    isAtWork = false
    return
  }
  try {
    part()
  } finally {
    afterMicrotasks(() => {
      if (performance.now() - startedAt < TURN_MS) doNext(startedAt)
      else schedule()
    })
  }
}
