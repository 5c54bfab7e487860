import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Verdict } from './check-made.ts'
import type { Times, Told } from './child.ts'

export type Figures = Times & {
  /** From the start of the process until the tools are there. */
  readonly wholeMs: number
  readonly peakMb: number
}

export type Ran =
  | {
      readonly status: 'done'
      readonly figures: Figures
      readonly tools: number
      readonly verdict: Verdict
      readonly cpuMs: number
    }
  | { readonly status: 'over'; readonly cpuMs: number }
  | { readonly status: 'failed'; readonly error: string }

export const CAP_MS = 60_000

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
const COMPLAINTS = 2_000

/** Runs a contender once, in a process of its own that is ended when it takes too long. */
export function runChild(args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const startedMs = performance.now()
    const child = fork(CHILD, [...args], {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let complaints = ''
    let made: Omit<Figures, 'peakMb'> | undefined
    let ran: Ran | undefined
    const cap = setTimeout(() => {
      // it was busy all the time, as far as the machine let it
      ran = { status: 'over', cpuMs: CAP_MS }
      child.kill('SIGKILL')
    }, CAP_MS)
    child.stderr?.on('data', (chunk: Buffer) => {
      complaints = (complaints + chunk.toString()).slice(-COMPLAINTS)
    })
    child.on('message', (message) => {
      // erased: child.ts says what it sends
      const told = message as Told
      switch (told.status) {
        case 'made': {
          const { status: _, ...times } = told
          made = { ...times, wholeMs: performance.now() - startedMs }
          return
        }
        case 'checked': {
          const { tools, verdict, peakMb, cpuMs } = told
          if (made !== undefined)
            ran = { status: 'done', figures: { ...made, peakMb }, tools, verdict, cpuMs }
          return
        }
        case 'failed':
          ran = { status: 'failed', error: told.error }
      }
    })
    child.on('close', (code, signal) => {
      clearTimeout(cap)
      resolve(ran ?? { status: 'failed', error: `ended with ${signal ?? code}: ${complaints}` })
    })
  })
}
