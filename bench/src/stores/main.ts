import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { watchNoise } from '../harness/noise.ts'
import { contenders } from './contenders.ts'
import { openGround } from './ground.ts'
import { markdownReport, type Run, textReport } from './report.ts'
import { runRounds } from './rounds.ts'

const SCRATCH = fileURLToPath(new URL('../../../.bench/', import.meta.url))
const ROUNDS = 5

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, only: { type: 'string' }, markdown: { type: 'string' } },
})
const rounds = values.rounds === undefined ? ROUNDS : Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number above 0, not ${values.rounds}`)
const only = values.only?.split(',')
// the beginning of an id names all that begin so
const chosen = contenders.filter(
  ({ id }) => only?.some((asked) => id === asked || id.startsWith(`${asked}-`)) ?? true,
)
if (chosen.length === 0)
  throw new Error(
    `--only takes ids, or how they begin, of ${contenders.map(({ id }) => id).join(', ')}`,
  )

console.log(`stores: ${chosen.length} contenders, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`)
const date = new Date()
const ground = await openGround(SCRATCH, new Set(chosen.map(({ store }) => store)))
try {
  const endNoise = watchNoise(ground.folder)
  const serverBefore = ground.serverCpuMs()
  const { results, failed, cpuMs } = await runRounds(chosen, ground, rounds)
  const { user, system } = process.cpuUsage()
  const noise = endNoise(cpuMs - serverBefore + (user + system) / 1000)
  const command = ['npm run bench -- stores', ...process.argv.slice(2)].join(' ')
  const run: Run = {
    contenders: chosen,
    results,
    noise,
    rounds,
    seconds: (Date.now() - date.getTime()) / 1000,
    date,
    command,
  }
  console.log(textReport(run))
  if (values.markdown !== undefined) writeFileSync(resolve(values.markdown), markdownReport(run))
  if (failed.size > 0) process.exitCode = 1
} finally {
  await ground.close()
}
