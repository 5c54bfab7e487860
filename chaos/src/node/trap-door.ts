import { spawn } from 'node:child_process'
import type { Failpoint, FailpointName } from './failpoint.ts'

/** Watches a process pass its failpoints; where one is armed, the process dies or stands still. */
export type TrapDoor = {
  readonly arm: (failpoint: Failpoint | undefined) => void
  /** False: it is armed for one item, and this is about somebody else's. */
  readonly concerns: (about: unknown) => boolean
  /** Runs a step between its two sides. `about`: whatever tells whose call it is. */
  readonly around: <T>(
    name: FailpointName | undefined,
    about: unknown,
    run: () => T | Promise<T>,
  ) => Promise<T>
}

// whoever looks for what is due names nobody
const EVERYBODYS: FailpointName = 'runs.wakeDue'

export function createTrapDoor(first: Failpoint | undefined): TrapDoor {
  let armed = first
  let underWay = 0
  // what an armed item's call is known by, once it has a row
  const known = new Set<string>(first?.item === undefined ? [] : [first.item])

  function isAbout(item: string | undefined, about: unknown): boolean {
    if (item === undefined) return true
    const text = JSON.stringify(about) ?? ''
    if (![...known].some((name) => text.includes(name))) return false
    const callIds = new Set(
      [...text.matchAll(/"callId":"([^"]+)"/g)].map(([, callId]) => callId ?? item),
    )
    // in a list of many it stands beside strangers
    if (callIds.size === 1) for (const callId of callIds) known.add(callId)
    return true
  }

  function pass(name: FailpointName | undefined, side: Failpoint['side'], about: unknown): void {
    if (armed === undefined) return
    const concerned = isAbout(armed.item, about) || armed.name === EVERYBODYS
    if (!concerned || armed.name !== name || armed.side !== side) return
    // standing still inside somebody else's transaction would stop every node on the same file
    if (armed.does.kind === 'stand-still' && underWay > 0) return
    const { does } = armed
    armed = undefined
    if (does.kind === 'die') process.kill(process.pid, 'SIGKILL')
    else standStill(does.forMs)
  }

  return {
    arm(failpoint) {
      armed = failpoint
      if (failpoint?.item !== undefined) known.add(failpoint.item)
    },
    concerns: (about) => isAbout(armed?.item, about),
    async around(name, about, run) {
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

/** Somebody else wakes us: a stopped process can't, and one whose harness has died would stand there for ever. */
function standStill(forMs: number): void {
  spawn('sh', ['-c', `sleep ${forMs / 1_000}; kill -CONT ${process.pid}`], {
    stdio: 'ignore',
    detached: true,
  }).unref()
  process.kill(process.pid, 'SIGSTOP')
}
