import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { SeededRandom } from './seeded-random.ts'

/** A process that is killed before it has begun to work shows nothing. */
const MIN_LIFE_MS = 3_000
const RESTART_MS = 200

export type KilledNodes = {
  /** How many processes were killed. */
  readonly kills: () => number
  /** Kills a process that has worked for a while; false where there is none. */
  readonly killOne: (random: SeededRandom) => boolean
  /** Waits until every process has ended by itself, then kills the rest. */
  readonly stop: (withinMs: number) => Promise<void>
}

/**
 * Runs processes that are killed and started again until they end by themselves. A process says
 * that it works by any message over its IPC channel.
 */
export function startKilledNodes(
  count: number,
  spawnNode: (index: number) => ChildProcess,
): KilledNodes {
  const running = new Map<number, { readonly child: ChildProcess; killableAt: number }>()
  let kills = 0
  let isOver = false

  function start(index: number): void {
    const child = spawnNode(index)
    const node = { child, killableAt: Number.POSITIVE_INFINITY }
    running.set(index, node)
    child.once('message', () => {
      node.killableAt = Date.now() + MIN_LIFE_MS
    })
    child.once('exit', (code) => {
      running.delete(index)
      if (code !== 0 && !isOver) setTimeout(() => start(index), RESTART_MS)
    })
  }

  for (let index = 0; index < count; index++) start(index)
  return {
    kills: () => kills,
    killOne(random) {
      const children = [...running.values()].filter(({ killableAt }) => killableAt < Date.now())
      if (children.length === 0) return false
      kills++
      return random.pick(children).child.kill('SIGKILL')
    },
    async stop(withinMs) {
      const deadline = Date.now() + withinMs
      while (running.size > 0 && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 500))
      isOver = true
      for (const { child } of running.values()) child.kill('SIGKILL')
    },
  }
}

/** The whole lines of a file of JSON lines; a process may have been killed in the last one. */
export function readJsonLines<T>(file: string): readonly T[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): T => JSON.parse(line))
}

/** What a run counted, and what must not have happened. */
export type ChaosVerdict = {
  readonly figures: Readonly<Record<string, number>>
  readonly flaws: Readonly<Record<string, readonly string[]>>
}

/** Prints a verdict with the first examples of each flaw, and returns whether there is none. */
export function printVerdict({ figures, flaws }: ChaosVerdict): boolean {
  const print = (value: number, name: string) =>
    console.log(`${String(value).padStart(8)}  ${name}`)
  for (const [name, value] of Object.entries(figures)) print(value, name)
  for (const [name, found] of Object.entries(flaws)) {
    print(found.length, name)
    for (const line of found.slice(0, 10)) console.log(`          ${line}`)
  }
  return Object.values(flaws).every((found) => found.length === 0)
}
