import { type ChildProcess, spawn } from 'node:child_process'

/** The server has a core of its own, and so has whoever loads it. */
export const SERVER_CORE = 0
export const LOAD_CORE = 1

export type Pinned = {
  readonly core: number
  readonly file: string
  readonly args?: readonly string[]
  readonly execArgv?: readonly string[]
}

/** Starts a file on one core alone, with a channel for messages; `stdio` says what its pipes are for. */
export function spawnPinned(
  { core, file, args = [], execArgv = [] }: Pinned,
  stdio: 'pipes' | 'messages' = 'messages',
): ChildProcess {
  const pipes =
    stdio === 'pipes'
      ? (['pipe', 'pipe', 'inherit'] as const)
      : (['ignore', 'ignore', 'inherit', 'ipc'] as const)
  const child = spawn(
    'taskset',
    ['-c', String(core), process.execPath, ...execArgv, file, ...args],
    {
      stdio: [...pipes],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  child.on('error', (error) => {
    throw new Error(
      'The wire suite pins processes to cores with taskset (util-linux), on two cores at least.',
      { cause: error },
    )
  })
  return child
}

/** Sends a message and hands on the next one that comes back. */
export function ask<Answer>(child: ChildProcess, message: object): Promise<Answer> {
  const answer = next<Answer>(child)
  child.send(message)
  return answer
}

export function next<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a child ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      const told = message as { readonly error?: string }
      // erased: the child's file says what it sends
      if (told.error === undefined) resolve(message as Answer)
      else reject(new Error(told.error))
    })
  })
}

/** Ends a child of ours, and waits until it is gone. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => {
    child.once('exit', resolve)
    if (child.connected) child.disconnect()
    else child.kill()
  })
}
