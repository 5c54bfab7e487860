import { fork } from 'node:child_process'

export type Child = {
  readonly file: string
  readonly args: readonly string[]
  readonly execArgv?: readonly string[]
}

/** What a child sends instead of its report when it cannot be measured. */
export type ChildFailure = { readonly status: 'failed'; readonly error: string }

/** A child process was ended because it took longer than `TIMEOUT_MS`. */
export class ChildTimeout extends Error {
  constructor() {
    super(`over ${TIMEOUT_MS / 1000} s`)
  }
}

export const TIMEOUT_MS = 60_000
const ERROR_CHARACTERS = 2_000
// Telemetry of the peers would be measured, and would leave the machine.
const ENVIRONMENT = {
  NODE_ENV: 'production',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  LANGSMITH_TRACING: 'false',
  GENKIT_TELEMETRY_DISABLED: 'true',
}

/** Runs a file in a process of its own and resolves with the last message it sends; rejects when that is a failure or there is none. */
export function runChild<Message extends { readonly status: string }>(
  { file, args, execArgv = [] }: Child,
  onMessage?: (message: Message) => void,
): Promise<Exclude<Message, ChildFailure>> {
  return new Promise((resolve, reject) => {
    const child = fork(file, [...args], {
      execArgv: [...execArgv],
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let isOver = false
    // SIGKILL, because a peer may handle SIGTERM, and a handler does not run while the process is busy.
    const timer = setTimeout(() => {
      isOver = true
      child.kill('SIGKILL')
    }, TIMEOUT_MS)
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-ERROR_CHARACTERS)
    })
    let last: Message | ChildFailure | undefined
    child.on('message', (message) => {
      // The type of the messages is declared by the child's file.
      last = message as Message | ChildFailure
      onMessage?.(message as Message)
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (isOver) reject(new ChildTimeout())
      else if (last === undefined)
        reject(new Error(`the process ended with ${signal ?? code}: ${stderr}`))
      else if (isFailure(last)) reject(new Error(last.error))
      else resolve(last as Exclude<Message, ChildFailure>)
    })
  })
}

function isFailure(message: { readonly status: string }): message is ChildFailure {
  return message.status === 'failed'
}
