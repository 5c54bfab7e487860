import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Noise, watchNoise } from './noise.ts'
import type { Options } from './options.ts'
import { markdownReport, type Report, textReport } from './report.ts'

export const ROOT = join(import.meta.dirname, '../../..')
/** Ignored by Git, and on the disk whose fdatasync rate is reported. */
export const SCRATCH = join(ROOT, '.bench')

export type SuiteRun = {
  /** A folder of this run, deleted at its end. */
  readonly folder: string
  /** Starts measuring what else the machine does; call it when the preparations are done. */
  readonly startNoiseWatch: () => void
}

export type SuiteResult = Report & {
  /** CPU time of the child processes since the noise watch was started; left out where it is not known. */
  readonly childCpuMs?: number
}

/** The frame of every suite: a scratch folder, the noise and duration of the run, the report as text and, with `--markdown`, as a file. */
export async function runSuite(
  name: string,
  { markdown }: Pick<Options, 'markdown'>,
  work: (run: SuiteRun) => Promise<SuiteResult>,
): Promise<void> {
  const date = new Date()
  const folder = join(SCRATCH, `${name}-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  let endNoiseWatch: ((childCpuMs: number | undefined) => Noise) | undefined
  try {
    const result = await work({
      folder,
      startNoiseWatch: () => {
        endNoiseWatch = watchNoise(folder)
      },
    })
    const facts = {
      command: [`npm run bench -- ${name}`, ...process.argv.slice(2)].join(' '),
      date,
      seconds: (Date.now() - date.getTime()) / 1000,
      noise: endNoiseWatch?.(result.childCpuMs),
    }
    console.log(textReport(result, facts))
    if (markdown !== undefined) writeFileSync(resolve(markdown), markdownReport(result, facts))
    if (result.hasFailed) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
