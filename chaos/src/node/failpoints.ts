import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Failpoint, FailpointName } from './failpoint.ts'

/** Watches a process reach its failpoints; at an armed one the process is killed or paused. */
export type Failpoints = {
  /** Replaces everything that is armed. */
  readonly arm: (failpoint: Failpoint | undefined) => void
  /** False when failpoints are armed for items and this call is for another one. */
  readonly appliesTo: (about: unknown) => boolean
  /** False while the process is to die at a step that leaves the call to another node. */
  readonly mayContinue: () => boolean
  /** The calls for the armed failpoints' items, as far as they are known; undefined without one. */
  readonly ownCalls: () =>
    | readonly { readonly tenant: string; readonly callId: string }[]
    | undefined
  /**
   * Kills or pauses the process if this side of the failpoint is armed for this call. Never resolves
   * for a call whose failpoint was reached: see `createFailpoints`.
   */
  readonly reach: (
    name: FailpointName | undefined,
    side: Failpoint['side'],
    about: unknown,
  ) => Promise<void>
  /**
   * Runs a step between the two sides of its failpoint. `about` holds the data that identifies the
   * call.
   */
  readonly wrap: <T>(
    name: FailpointName | undefined,
    about: unknown,
    run: () => T | Promise<T>,
  ) => Promise<T>
}

/** `known`: the item, and the ids of its calls as soon as they have a row. */
type Armed = {
  readonly failpoint: Failpoint
  readonly known: Set<string>
  isReached: boolean
}

// After these steps the call is queued. The process that dies there must not have continued it in
// the moment between the step and its death.
const QUEUEING: readonly FailpointName[] = ['runs.wakeDue', 'runs.askToStop']
// A call that is itself inside such a step is not paused there.
const MAX_WAIT_MS = 500
const FOREVER: Promise<never> = new Promise(() => undefined)

/**
 * Several failpoints are armed for one item each, so that one start and one death of a process
 * serve several calls. A call stops for ever at its failpoint: no later step of it is carried out,
 * as if its process were dead. The process dies when all of them have stopped. Tells `onReached`
 * the item each time.
 */
export function createFailpoints(
  first: readonly Failpoint[],
  onReached: (item: string) => void = () => undefined,
): Failpoints {
  let armed = first.map(toArmed)
  let underWay = 0

  function stop(one: Armed, { does, item }: Failpoint): Promise<void> | undefined {
    one.isReached = true
    if (item !== undefined) onReached(item)
    if (does.kind === 'die' && armed.every(({ isReached }) => isReached))
      process.kill(process.pid, 'SIGKILL')
    if (does.kind === 'die') return FOREVER
    armed = []
    pauseProcess(does.forMs)
    return undefined
  }

  async function reach(
    name: FailpointName | undefined,
    side: Failpoint['side'],
    about: unknown,
  ): Promise<void> {
    for (const one of armed.filter(({ failpoint, known }) => isAbout(failpoint, known, about))) {
      const { failpoint } = one
      if (one.isReached) await FOREVER
      if (failpoint.name !== name || failpoint.side !== side) continue
      // Pausing inside another call's transaction would block every node that uses the same file.
      const isTooEarly = (): boolean => failpoint.does.kind === 'pause' && underWay > 0
      for (let waitedMs = 0; isTooEarly() && waitedMs < MAX_WAIT_MS; waitedMs++) await sleep(1)
      if (!isTooEarly()) await stop(one, failpoint)
    }
  }

  return {
    arm(failpoint) {
      armed = failpoint === undefined ? [] : [toArmed(failpoint)]
    },
    appliesTo: (about) =>
      armed.length === 0 || armed.some(({ failpoint, known }) => isAbout(failpoint, known, about)),
    mayContinue: () =>
      armed.every(
        ({ failpoint: { item, name } }) => item === undefined || !QUEUEING.includes(name),
      ),
    ownCalls() {
      const own = armed.filter(({ failpoint }) => failpoint.item !== undefined)
      if (own.length === 0) return undefined
      return own.flatMap(({ failpoint: { item, tenant = '' }, known }) =>
        [...known].filter((name) => name !== item).map((callId) => ({ tenant, callId })),
      )
    },
    reach,
    async wrap(name, about, run) {
      if (armed.length > 0) await reach(name, 'before', about)
      const weight = isInStore(name) ? 1 : 0
      underWay += weight
      let result: Awaited<ReturnType<typeof run>>
      try {
        result = await run()
      } finally {
        underWay -= weight
      }
      if (armed.length > 0) await reach(name, 'after', [about, result])
      return result
    },
  }
}

function toArmed(failpoint: Failpoint): Armed {
  const { item } = failpoint
  return { failpoint, known: new Set(item === undefined ? [] : [item]), isReached: false }
}

function isAbout({ item }: Failpoint, known: Set<string>, about: unknown): boolean {
  if (item === undefined) return true
  const text = JSON.stringify(about) ?? ''
  if (![...known].some((name) => text.includes(name))) return false
  const callIds = new Set(
    [...text.matchAll(/"callId":"([^"]+)"/g)].map(([, callId]) => callId ?? item),
  )
  // In a list of several calls, the other ids belong to other items.
  if (callIds.size === 1) for (const callId of callIds) known.add(callId)
  return true
}

function isInStore(name: FailpointName | undefined): boolean {
  return name !== 'jobs.delivery' && !name?.startsWith('vendor.')
}

/**
 * A shell wakes the process: a stopped process cannot wake itself, and without the shell it would
 * stay stopped if the harness died.
 */
function pauseProcess(forMs: number): void {
  spawn('sh', ['-c', `sleep ${forMs / 1_000}; kill -CONT ${process.pid}`], {
    stdio: 'ignore',
    detached: true,
  }).unref()
  process.kill(process.pid, 'SIGSTOP')
}
