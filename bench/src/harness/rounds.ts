import { fileURLToPath } from 'node:url'
import type { ChildReport } from './child.ts'
import type { Contender } from './contender.ts'
import type { Result } from './results.ts'
import { runChild } from './run-child.ts'
import { median } from './statistics.ts'

export type RoundsOptions = {
  readonly suiteFile: string
  readonly rounds: number
  readonly onProgress: (line: string) => void
}
export type Measured = { readonly results: ReadonlyMap<string, Result>; readonly cpuMs: number }

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))

type Draft = { rounds: number[]; failure: string | undefined }

/** Runs all contenders in turn, then all again: a slow minute of the machine falls on everybody. */
export async function runRounds(
  contenders: readonly Contender[],
  { suiteFile, rounds, onProgress }: RoundsOptions,
): Promise<Measured> {
  const drafts = new Map<string, Draft>(
    contenders.map(({ id }) => [id, { rounds: [], failure: undefined }]),
  )
  let cpuMs = 0
  for (let round = 1; round <= rounds; round += 1) {
    for (const { id, label } of contenders) {
      const draft = drafts.get(id)
      // what failed once fails again, and costs the time of the others
      if (draft === undefined || draft.failure !== undefined) continue
      const report = await runChild<ChildReport>({ file: CHILD, args: [suiteFile, id] })
      if (report.status === 'failed') {
        draft.failure = report.error
        onProgress(`round ${round} of ${rounds}  ${label}: failed: ${report.error}`)
        continue
      }
      const microseconds = median(report.batches)
      draft.rounds.push(microseconds)
      cpuMs += report.cpuMs
      onProgress(`round ${round} of ${rounds}  ${label}: ${microseconds.toFixed(2)} µs`)
    }
  }
  const results = new Map(
    [...drafts].map(([id, { rounds: figures, failure }]) => [
      id,
      { id, rounds: failure === undefined ? figures : [], failure },
    ]),
  )
  return { results, cpuMs }
}
