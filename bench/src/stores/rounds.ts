import { fileURLToPath } from 'node:url'
import { cpuTimes } from '../harness/cpu-times.ts'
import { fdatasyncRate } from '../harness/fdatasync-rate.ts'
import { runChild } from '../harness/run-child.ts'
import type { ChildReport, Figures } from './child.ts'
import type { Contender } from './contenders.ts'
import type { Ground } from './ground.ts'

/** What one contender did in one round, and what the machine did besides. */
export type Measured = {
  readonly figures: Figures
  /** Raw fdatasync calls a second, before and after. */
  readonly disk: readonly [number, number]
  readonly foreignCpu: number
}

/** By id, one a round; none at all if a round failed. */
export type Results = ReadonlyMap<string, readonly Measured[]>
export type Outcome = {
  readonly results: Results
  readonly failed: ReadonlyMap<string, string>
  readonly cpuMs: number
}

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
const TELL_COMMITS = new URL('tell-commits.ts', import.meta.url).href

/** Runs all contenders in turn, then all again: a slow minute of the machine falls on everybody. */
export async function runRounds(
  contenders: readonly Contender[],
  ground: Ground,
  rounds: number,
): Promise<Outcome> {
  const results = new Map<string, Measured[]>(contenders.map(({ id }) => [id, []]))
  const failed = new Map<string, string>()
  let cpuMs = 0
  let disk = fdatasyncRate(ground.folder)
  for (let round = 1; round <= rounds; round += 1) {
    for (const contender of contenders) {
      // what is counted is the same in every round, and what failed once fails again
      if (failed.has(contender.id) || (contender.kind === 'counts' && round > 1)) continue
      const { report, foreignCpu } = await watched(contender, ground)
      const before = disk
      disk = fdatasyncRate(ground.folder)
      if (report.status === 'failed') {
        failed.set(contender.id, report.error)
        results.delete(contender.id)
      } else {
        cpuMs += report.cpuMs
        results
          .get(contender.id)
          ?.push({ figures: report.figures, disk: [before, disk], foreignCpu })
      }
      console.log(
        `round ${round} of ${rounds}  ${contender.id}: ${told(report)}, fdatasync ${Math.round(disk)}/s, foreign CPU ${Math.round(foreignCpu * 100)} %`,
      )
    }
  }
  return { results, failed, cpuMs: cpuMs + ground.serverCpuMs() }
}

async function watched(
  contender: Contender,
  ground: Ground,
): Promise<{ readonly report: ChildReport; readonly foreignCpu: number }> {
  const { user, system } = process.cpuUsage()
  const [server, start] = [ground.serverCpuMs(), cpuTimes()]
  const report = await ground.withPlace(contender.store, (place) =>
    runChild<ChildReport>({
      file: CHILD,
      args: [contender.id, place],
      execArgv: contender.kind === 'counts' ? ['--import', TELL_COMMITS] : [],
    }),
  )
  const end = cpuTimes()
  const own = process.cpuUsage({ user, system })
  const ownMs =
    (own.user + own.system) / 1000 +
    ground.serverCpuMs() -
    server +
    (report.status === 'measured' ? report.cpuMs : 0)
  const foreignCpu = Math.max(
    0,
    (end.busyMs - start.busyMs - ownMs) / (end.totalMs - start.totalMs),
  )
  return { report, foreignCpu }
}

function told(report: ChildReport): string {
  if (report.status === 'failed') return `failed: ${report.error}`
  const { figures } = report
  switch (figures.kind) {
    case 'writes':
      return `${Math.round(figures.rate)} calls/s, p50 ${figures.p50Ms.toFixed(2)} ms, p99 ${figures.p99Ms.toFixed(2)} ms`
    case 'counts':
      return `${figures.durableCommits} durable commits a call`
    case 'audit':
      return `${Math.round(figures.sequenced)} placed, ${Math.round(figures.verified)} verified a second`
  }
}
