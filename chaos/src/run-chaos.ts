import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

/** How the command ended, and what it found. */
export type ChaosRun = { readonly exitCode: number | null; readonly report: unknown }

/** Runs the command as a person does, in a process of its own, and reads its report. */
export async function runChaos(...args: readonly string[]): Promise<ChaosRun> {
  const child = spawn(process.execPath, [MAIN, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { exitCode, report: output === '' ? 'it said nothing' : JSON.parse(output) }
}
