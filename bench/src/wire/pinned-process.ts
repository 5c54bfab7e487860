import { type ChildProcess, spawn } from 'node:child_process'

/** The server and the load generator have a core each. */
export const SERVER_CORE = 0
export const LOAD_CORE = 1
export const BOTH_CORES = `${SERVER_CORE},${LOAD_CORE}`

export type PinnedProcess = {
  readonly core: number | typeof BOTH_CORES
  readonly file: string
  readonly args?: readonly string[]
  readonly execArgv?: readonly string[]
}

/** Starts a file on one core alone, or on both: with stdin and stdout as pipes, or with a channel for messages. */
export function spawnPinned(
  { core, file, args = [], execArgv = [] }: PinnedProcess,
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
      'The wire suite pins processes to cores with `taskset`, which could not be started. Install util-linux and use a machine with at least two cores.',
      { cause: error },
    )
  })
  return child
}

/** Sends a message and resolves with the next one that comes back. */
export function ask<Answer>(child: ChildProcess, message: object): Promise<Answer> {
  const answer = nextMessage<Answer>(child)
  child.send(message)
  return answer
}

/** Rejects when the message is an error, or the process ends without one. */
export function nextMessage<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`a process of the suite ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      const { error } = message as { readonly error?: string }
      // The type of the message is declared by the child's file.
      if (error === undefined) resolve(message as Answer)
      else reject(new Error(error))
    })
  })
}

/** Ends a child process and waits until it has exited. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => {
    child.once('exit', resolve)
    if (child.connected) child.disconnect()
    else child.kill()
  })
}
