import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { watchNoise } from '../harness/noise.ts'
import { contenders, durable } from './contenders.ts'
import { markdownReport, type Run, textReport } from './report.ts'
import { runRounds, STDIO } from './rounds.ts'

const SCRATCH = fileURLToPath(new URL('../../../.bench/', import.meta.url))

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** How long each load is timed. */
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    markdown: { type: 'string' },
    /** A folder for CPU profiles of the servers. */
    profile: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const timedMs = Number(values.seconds) * 1000
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number above 0, not ${values.rounds}`)
if (!(timedMs > 0)) throw new Error(`--seconds takes a number above 0, not ${values.seconds}`)

const only = values.only?.split(',')
const isChosen = (id: string): boolean => only?.includes(id) ?? true
const chosen = [...contenders, durable].filter(({ id }) => isChosen(id))
const stdio = STDIO.filter(isChosen)
if (chosen.length + stdio.length === 0)
  throw new Error(
    `--only takes ids of ${[...contenders, durable].map(({ id }) => id).join(', ')}, ${STDIO.join(', ')}`,
  )

console.log(
  `wire: ${chosen.length + stdio.length} contenders, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
)
const date = new Date()
const folder = join(SCRATCH, `wire-${process.pid}`)
mkdirSync(folder, { recursive: true })
try {
  const endNoise = watchNoise(folder)
  const warmUpMs = Math.min(2_000, timedMs)
  const results = await runRounds({
    contenders: chosen,
    stdio,
    rounds,
    folder,
    warmUpMs,
    timedMs,
    profile: values.profile,
  })
  const { user, system } = process.cpuUsage()
  const run: Run = {
    contenders: chosen,
    results,
    noise: endNoise(results.cpuMs + (user + system) / 1000),
    rounds,
    warmUpMs,
    timedMs,
    seconds: (Date.now() - date.getTime()) / 1000,
    date,
    command: ['npm run bench -- wire', ...process.argv.slice(2)].join(' '),
  }
  console.log(textReport(run))
  if (values.markdown !== undefined) writeFileSync(resolve(values.markdown), markdownReport(run))
  if (results.failed.size > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
