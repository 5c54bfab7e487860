import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ChildReport } from './child.ts'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
const TIMEOUT_MS = 60_000

/** Runs one contender once, in a process of its own. */
export function runChild(suiteFile: string, contenderId: string): Promise<ChildReport> {
  return new Promise((resolve) => {
    const child = fork(CHILD, [suiteFile, contenderId], {
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
    let report: ChildReport | undefined
    child.on('message', (message) => {
      report = message as ChildReport
    })
    child.on('close', (code, signal) =>
      resolve(report ?? { status: 'failed', error: `ended with ${signal ?? code}: ${complaints.slice(-2000)}` }),
    )
  })
}
