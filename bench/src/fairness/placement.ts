import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LOAD_CORE, SERVER_CORE } from '../wire/pinned-process.ts'

/**
 * Where the processes run. Apart: the attacker has one core, the server the other, on which the
 * client interrupts it for a moment. Shared: all are placed by the kernel, so the attacker's own work
 * is in the figures.
 */
export type Placement = 'apart' | 'shared'

type Role = 'server' | 'client' | 'attacker'

// Before all ordinary processes, so that other work on the machine hardly delays these.
const NICE: Readonly<Record<Role, string>> = { server: '-20', client: '-20', attacker: '-10' }

// The client reads how much CPU time the server has used when it sends a request and when its answer
// arrives, so it must run at that moment: in a real-time class it interrupts the server at once, and
// of a thread that does not run the kernel knows the time exactly (of another, as of up to 4 ms ago).
// It has one thread then, because threads of Node wait for each other busily, and the one that is
// waited for would not run.
const AT_ONCE = ['chrt', '-f', '1']
const ONE_THREAD = ['--single-threaded']

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
  const isFirst = placement === 'apart' && canPutFirst()
  const isAtOnce = isFirst && role === 'client'
  const core = role === 'server' || isAtOnce ? SERVER_CORE : LOAD_CORE
  const before = placement === 'shared' ? [] : ['taskset', '-c', String(core)]
  if (isAtOnce) before.push(...AT_ONCE)
  else if (isFirst) before.push('nice', '-n', NICE[role])
  const path = fileURLToPath(new URL(file, import.meta.url))
  const node = [process.execPath, ...(isAtOnce ? ONE_THREAD : []), path, ...args]
  const [command = process.execPath, ...rest] = [...before, ...node]
  const child = spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
    detached: isFirst,
  })
  // Linux shares the cores among sessions first, and `nice` counts within one. Detached, the process
  // has a session of its own.
  const group = `/proc/${child.pid}/autogroup`
  if (isFirst && existsSync(group)) writeFileSync(group, NICE[role])
  return child
}
