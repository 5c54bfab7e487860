import { ToolError } from '@surehand/core'
import type { LocalDone, LocalRun } from '@surehand/core/ports'
import type { Sessions } from '../sessions.ts'
import type { Texts } from '../sql-on.ts'
import { keyName } from '../taken.ts'
import { isFirstCall } from './first-calls.ts'
import { createPlaces, LONG_MS } from './places.ts'
import { createSingleStatements } from './single-statements.ts'
import { type InDoubt, WriteGroup } from './write-group.ts'

// With more at once the groups would be smaller; with fewer, a distant database would be idle while
// one of them waits for it.
const MOST_GROUPS = 4
const MOST_IN_GROUP = 32
// A function takes as long as its statements travel, at least. Groups are so small that their
// functions end in half of the time after which a group is given up; but not smaller than this,
// because it is by groups that one learns how long functions take.
const LEAST_IN_GROUP = 2
// So many calls of a function that was slow or failed are not grouped.
const ALONE_FOR = 64

/** A timer with a longer delay would fire at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1

type Ended = LocalDone | InDoubt

/** What a call that waited has come to; or that it is its turn, which may occupy a place. */
type Turn =
  | { readonly kind: 'ended'; readonly ended: Ended }
  | { readonly kind: 'alone'; readonly free?: () => void }

type Waiting = {
  readonly run: LocalRun
  readonly key: string
  readonly settle: (turn: Turn) => void
  group: WriteGroup | undefined
}

/**
 * Performs local effects. Calls that arrive while others are written are written together; one that
 * arrives alone, or that cannot be grouped, is performed alone.
 */
export function createWriteGroups(
  sessions: Sessions,
  texts: Texts,
  alone: (run: LocalRun, leftMs: number) => Promise<Ended>,
): (run: LocalRun) => Promise<Ended> {
  const waiting = new Set<Waiting>()
  const places = createPlaces(MOST_GROUPS, startSoon)
  const ungrouped = createUngrouped()
  const singles = createSingleStatements()
  const sizes = createSizes()
  let isScheduled = false

  // After the current turn of the event loop: calls that arrive together are written together.
  function startSoon(): void {
    if (isScheduled || places.free() === 0 || waiting.size === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      startNext()
    })
  }

  function startNext(): void {
    while (places.free() > 0 && waiting.size > 0) {
      const share = Math.ceil(waiting.size / places.free())
      const entries = takeGroup(waiting, Math.min(share, sizes.most()))
      const free = places.take()
      if (entries.length === 1) for (const { settle } of entries) settle({ kind: 'alone', free })
      else void performGroup(entries).finally(free)
    }
  }

  async function performGroup(entries: readonly Waiting[]): Promise<void> {
    const group = new WriteGroup(
      entries.map(({ run }) => run),
      sessions,
      { texts, singles },
    )
    for (const entry of entries) entry.group = group
    const ended = await group.perform()
    const unfinished = group.unfinished()
    for (const name of unfinished)
      if (unfinished.size === 1) ungrouped.add(name)
      // One of several may have held up the others: when they run one by one, it will be found.
      else singles.forget(name)
    if (group.tookTooLong()) sizes.tookTooLong()
    else sizes.learn(group.functionMs())
    for (const [index, { settle }] of entries.entries()) {
      const own = ended?.[index]
      settle(own === undefined ? { kind: 'alone' } : { kind: 'ended', ended: own })
    }
  }

  function waitForTurn(run: LocalRun): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          const isOver = entry.group === undefined ? waiting.delete(entry) : entry.group.giveUp()
          if (isOver) reject(timeoutError(run))
        },
        Math.min(run.timeoutMs, LONGEST_TIMER_MS),
      )
      const entry: Waiting = {
        run,
        key: keyName(run.claim.call),
        group: undefined,
        settle(turn) {
          clearTimeout(timer)
          resolve(turn)
        },
      }
      waiting.add(entry)
      startSoon()
    })
  }

  return async (run) => {
    if (!isFirstCall(run) || ungrouped.has(run.name)) return alone(run, run.timeoutMs)
    const startedAt = performance.now()
    const turn = await waitForTurn(run)
    if (turn.kind === 'ended') return turn.ended
    try {
      return await alone(run, run.timeoutMs - (performance.now() - startedAt))
    } finally {
      turn.free?.()
    }
  }
}

function takeGroup(waiting: Set<Waiting>, most: number): readonly Waiting[] {
  const keys = new Set<string>()
  const group: Waiting[] = []
  for (const one of waiting) {
    // Of two calls with one key, the second is answered with what the first has come to.
    if (keys.has(one.key)) continue
    keys.add(one.key)
    group.push(one)
    waiting.delete(one)
    if (group.length === most) break
  }
  return group
}

type Sizes = {
  /** How many calls a group may have to end in time. */
  readonly most: () => number
  /** What a function took in a group, if all of its functions have ended. */
  readonly learn: (functionMs: number | undefined) => void
  readonly tookTooLong: () => void
}

function createSizes(): Sizes {
  let averageMs = 1
  return {
    most() {
      const inTime = Math.floor(LONG_MS / 2 / averageMs)
      return Math.min(MOST_IN_GROUP, Math.max(LEAST_IN_GROUP, inTime))
    },
    learn(functionMs = averageMs) {
      averageMs += (functionMs - averageMs) / 4
    },
    tookTooLong() {
      averageMs *= 2
    },
  }
}

type Ungrouped = {
  readonly add: (name: string) => void
  /** Whether a call of this function is performed alone; it is counted. */
  readonly has: (name: string) => boolean
}

function createUngrouped(): Ungrouped {
  const calls = new Map<string, number>()
  return {
    add: (name) => void calls.set(name, ALONE_FOR),
    has(name) {
      const left = calls.get(name)
      if (left === undefined) return false
      if (left === 1) calls.delete(name)
      else calls.set(name, left - 1)
      return true
    },
  }
}

export function timeoutError({ name, timeoutMs }: LocalRun): ToolError {
  return new ToolError(
    'TOOL_EXECUTION_TIMEOUT',
    `${name} did not finish within ${timeoutMs} ms and was rolled back.`,
    { effect: 'none' },
  )
}
