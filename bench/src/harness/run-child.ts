import { fork } from 'node:child_process'

export type Failed = { readonly status: 'failed'; readonly error: string }

export type Child = {
  readonly file: string
  readonly args: readonly string[]
  readonly execArgv?: readonly string[]
}

const TIMEOUT_MS = 60_000

/** Runs a file once, in a process of its own, and hands on the one message it sends. */
export function runChild<Report>({ file, args, execArgv = [] }: Child): Promise<Report | Failed> {
  return new Promise((resolve) => {
    const child = fork(file, [...args], {
      execArgv: [...execArgv],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        OPENAI_AGENTS_DISABLE_TRACING: '1',
        LANGSMITH_TRACING: 'false',
        GENKIT_TELEMETRY_DISABLED: 'true',
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: TIMEOUT_MS,
    })
    let complaints = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      complaints += chunk.toString()
    })
    let report: Report | undefined
    child.on('message', (message) => {
      // erased: the child's file says what it sends
      report = message as Report
    })
    child.on('close', (code, signal) =>
      resolve(
        report ?? {
          status: 'failed',
          error: `ended with ${signal ?? code}: ${complaints.slice(-2000)}`,
        },
      ),
    )
  })
}
