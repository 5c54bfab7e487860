import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { LOAD_CORE, SERVER_CORE } from '../wire/pinned-process.ts'

/**
 * Where the processes run. Apart: the server has one core alone; the client shares the other with
 * the attacker and always comes before it, as if it were on a machine of its own. Shared: all are
 * placed by the kernel, so the attacker's own work is in the figures.
 */
export type Placement = 'apart' | 'shared'

type Role = 'server' | 'client' | 'attacker'

// Before all ordinary processes: other work on the machine hardly delays these, and a client that
// wakes up interrupts the attacker. Not a real-time class: threads of Node wait for each other
// busily, and on one core the one that is waited for would never run.
const FIRST: Readonly<Record<Role, readonly string[]>> = {
  server: ['nice', '-n', '-20'],
  client: ['nice', '-n', '-20'],
  attacker: ['nice', '-n', '-10'],
}

/** Whether this user may put processes first; usually only root may. */
export function canPutFirst(): boolean {
  return spawnSync('nice', ['-n', '-20', 'nice'], { encoding: 'utf8' }).stdout.trim() === '-20'
}

/** Starts a file of this folder with a channel for messages. */
export function startPlaced(
  role: Role,
  placement: Placement,
  [file, ...args]: readonly [string, ...string[]],
): ChildProcess {
  const core = role === 'server' ? SERVER_CORE : LOAD_CORE
  const first = canPutFirst() ? FIRST[role] : []
  const before = placement === 'shared' ? [] : ['taskset', '-c', String(core), ...first]
  const path = fileURLToPath(new URL(file, import.meta.url))
  const [command = process.execPath, ...rest] = [...before, process.execPath, path, ...args]
  return spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
}
