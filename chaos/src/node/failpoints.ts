import { spawn } from 'node:child_process'
import type { Failpoint, FailpointName } from './failpoint.ts'

/** Watches a process reach its failpoints; at an armed one the process is killed or paused. */
export type Failpoints = {
  readonly arm: (failpoint: Failpoint | undefined) => void
  /** False when a failpoint is armed for one item and this call is for another one. */
  readonly appliesTo: (about: unknown) => boolean
  /** False while the process is to die at a step that leaves the call to another node. */
  readonly mayContinue: () => boolean
  /** The calls for the armed failpoint's item, as far as they are known; undefined without one. */
  readonly ownCalls: () =>
    | readonly { readonly tenant: string; readonly callId: string }[]
    | undefined
  /** Kills or pauses the process if this side of the failpoint is armed for this call. */
  readonly reach: (name: FailpointName, side: Failpoint['side'], about: unknown) => void
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

// After these steps the call is queued. The process that dies there must not have continued it in
// the moment between the step and its death.
const QUEUEING: readonly FailpointName[] = ['runs.wakeDue', 'runs.askToStop']

export function createFailpoints(first: Failpoint | undefined): Failpoints {
  let armed = first
  let underWay = 0
  // The item, and the ids of its calls as soon as they have a row.
  const known = new Set<string>(first?.item === undefined ? [] : [first.item])

  function isAbout(item: string | undefined, about: unknown): boolean {
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

  function pass(name: FailpointName | undefined, side: Failpoint['side'], about: unknown): void {
    if (armed === undefined) return
    const isConcerned = isAbout(armed.item, about)
    if (!isConcerned || armed.name !== name || armed.side !== side) return
    // Pausing inside another call's transaction would block every node that uses the same file.
    if (armed.does.kind === 'pause' && underWay > 0) return
    const { does } = armed
    armed = undefined
    if (does.kind === 'die') process.kill(process.pid, 'SIGKILL')
    else pauseProcess(does.forMs)
  }

  return {
    arm(failpoint) {
      armed = failpoint
      if (failpoint?.item !== undefined) known.add(failpoint.item)
    },
    appliesTo: (about) => isAbout(armed?.item, about),
    mayContinue: () => armed?.item === undefined || !QUEUEING.includes(armed.name),
    ownCalls() {
      const { item, tenant = '' } = armed ?? {}
      if (item === undefined) return undefined
      return [...known].filter((name) => name !== item).map((callId) => ({ tenant, callId }))
    },
    reach: pass,
    async wrap(name, about, run) {
      pass(name, 'before', about)
      const weight = isInStore(name) ? 1 : 0
      underWay += weight
      let result: Awaited<ReturnType<typeof run>>
      try {
        result = await run()
      } finally {
        underWay -= weight
      }
      pass(name, 'after', [about, result])
      return result
    },
  }
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
