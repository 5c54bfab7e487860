import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseContenders, readOptions } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { runRounds } from '../harness/rounds.ts'
import { runSuite } from '../harness/run-suite.ts'
import {
  durable,
  type HttpContender,
  httpContenders,
  type StdioContender,
  stdioContenders,
} from './contenders.ts'
import { type HttpFigures, measureHttp } from './measure-http.ts'
import { endProcess, LOAD_CORE, nextMessage, spawnPinned } from './pinned-process.ts'
import { createReport } from './report.ts'
import type { StdioFigures } from './stdio-client.ts'

const STDIO_CLIENT = fileURLToPath(new URL('stdio-client.ts', import.meta.url))

// `seconds` is how long each load is timed; `profile` is a folder for CPU profiles of the servers.
const options = readOptions({ rounds: 5, texts: ['seconds', 'profile'] })
const { seconds = '3', profile } = options.texts
const timedMs = Number(seconds) * 1000
if (!(timedMs > 0)) throw new Error(`--seconds takes a number above 0, not ${seconds}.`)
const warmUpMs = Math.min(2_000, timedMs)

const all: readonly (HttpContender | StdioContender)[] = [
  ...httpContenders,
  durable,
  ...stdioContenders,
]
const contenders = chooseContenders(all, options.only)

console.log(`wire: ${count(contenders.length, 'contender')}, ${count(options.rounds, 'round')}`)
await runSuite('wire', options, async ({ folder, startNoiseWatch }) => {
  startNoiseWatch()
  let childCpuMs = 0
  const results = await runRounds(contenders, {
    rounds: options.rounds,
    measure: async (contender, round): Promise<HttpFigures | StdioFigures> => {
      if (contender.kind === 'stdio') return measureStdio(contender.id)
      const databaseFile = join(folder, `${contender.id}-${round}.db`)
      const figures = await measureHttp(contender, { warmUpMs, timedMs, databaseFile, profile })
      childCpuMs += figures.cpuMs
      return figures
    },
    describe: (figures) =>
      figures.kind === 'http' ? describeHttp(figures) : describeStdio(figures),
  })
  const run = { contenders, results, rounds: options.rounds, warmUpMs, timedMs }
  return { ...createReport(run), childCpuMs }
})

async function measureStdio(id: string): Promise<StdioFigures> {
  const client = spawnPinned({
    core: LOAD_CORE,
    file: STDIO_CLIENT,
    args: [id, String(warmUpMs), String(timedMs)],
  })
  try {
    return await nextMessage<StdioFigures>(client)
  } finally {
    await endProcess(client)
  }
}

function describeHttp({ by, inProcess }: HttpFigures): string {
  const rates = [by[1], by[16], by[64]].map(({ rate }) => Math.round(rate)).join(' / ')
  const beside = inProcess === undefined ? '' : `, in process ${Math.round(inProcess.rate)}/s`
  return `${rates} per second, p99 ${by[64].p99Ms.toFixed(1)} ms, ${by[64].cpuUs.toFixed(0)} µs of CPU${beside}`
}

function describeStdio({ p50Us, cpuUs }: StdioFigures): string {
  return `${p50Us.toFixed(0)} µs per round trip, ${cpuUs.toFixed(0)} µs of CPU`
}
