import { fileURLToPath } from 'node:url'
import { cpuTimes, fdatasyncRate, foreignCpuShare } from '../harness/noise.ts'
import { runChild } from '../harness/run-child.ts'
import type { ChildReport, Figures } from './child.ts'
import type { Contender } from './contenders.ts'
import type { Databases } from './databases.ts'

/** One contender in one round, and what else the machine did meanwhile. */
export type Measured = {
  readonly figures: Figures
  /** Raw fdatasync calls per second, before and after. */
  readonly disk: readonly [number, number]
  readonly foreignCpu: number
}

export type Measurement = {
  readonly measure: (contender: Contender) => Promise<Measured>
  /** CPU time of the child processes and of the PostgreSQL server since the start. */
  readonly childCpuMs: () => number
}

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
const REPORT_COMMITS = new URL('report-commits.ts', import.meta.url).href

export function startMeasurement(databases: Databases, folder: string): Measurement {
  const serverBefore = databases.serverCpuMs()
  let childCpuMs = 0
  let disk = fdatasyncRate(folder)
  return {
    async measure(contender) {
      const before = disk
      const { report, foreignCpu } = await runContender(contender, databases).finally(() => {
        // After a failure too, so that the next contender's rate is not an old one.
        disk = fdatasyncRate(folder)
      })
      childCpuMs += report.cpuMs
      return { figures: report.figures, disk: [before, disk], foreignCpu }
    },
    childCpuMs: () => childCpuMs + databases.serverCpuMs() - serverBefore,
  }
}

async function runContender(contender: Contender, databases: Databases) {
  const own = process.cpuUsage()
  const [server, start] = [databases.serverCpuMs(), cpuTimes()]
  const report = await databases.withDatabase(contender.store, (place) =>
    runChild<ChildReport>({
      file: CHILD,
      args: [contender.id, place],
      execArgv: contender.kind === 'counts' ? ['--import', REPORT_COMMITS] : [],
    }),
  )
  const end = cpuTimes()
  const { user, system } = process.cpuUsage(own)
  const ownMs = (user + system) / 1000 + databases.serverCpuMs() - server + report.cpuMs
  return { report, foreignCpu: foreignCpuShare(start, end, ownMs) }
}

export function describeMeasured({ figures, disk, foreignCpu }: Measured): string {
  return `${describeFigures(figures)}, fdatasync ${Math.round(disk[1])}/s, foreign CPU ${Math.round(foreignCpu * 100)} %`
}

function describeFigures(figures: Figures): string {
  switch (figures.kind) {
    case 'writes':
      return `${Math.round(figures.rate)} calls/s, p50 ${figures.p50Ms.toFixed(2)} ms, p99 ${figures.p99Ms.toFixed(2)} ms`
    case 'counts':
      return `${figures.durableCommits} durable commits per call`
    case 'audit':
      return `${Math.round(figures.sequenced)} sequenced, ${Math.round(figures.verified)} verified per second`
  }
}
