import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { watchNoise } from '../harness/noise.ts'
import { contenders, nothing } from './contenders.ts'
import { closeGround, openGround, STRIPE_IS_MISSING } from './ground.ts'
import { markdownReport, type Run, textReport } from './report.ts'
import { runRounds } from './rounds.ts'

const SCRATCH = fileURLToPath(new URL('../../../.bench/', import.meta.url))

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    markdown: { type: 'string' },
    /** Stripe's document, where it lies elsewhere. */
    stripe: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number above 0, not ${values.rounds}`)
const only = values.only?.split(',')
// the beginning of an id names all that begin so
const asked = contenders.filter(
  ({ id }) => only?.some((one) => id === one || id.startsWith(`${one}-`)) ?? true,
)
if (asked.length === 0)
  throw new Error(
    `--only takes ids, or how they begin, of ${contenders.map(({ id }) => id).join(', ')}`,
  )

const date = new Date()
const ground = openGround(SCRATCH, values.stripe)
try {
  const chosen = [nothing, ...asked.filter((contender) => ground.givenTo(contender) !== undefined)]
  const missing = chosen.length === asked.length + 1 ? [] : [STRIPE_IS_MISSING]
  console.log(
    [
      `sources: ${chosen.length} contenders, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
      ...missing,
    ].join('\n'),
  )
  const endNoise = watchNoise(ground.folder)
  const before = process.cpuUsage()
  const { results, cpuMs } = await runRounds(chosen, ground, {
    rounds,
    onProgress: (line) => console.log(line),
  })
  const { user, system } = process.cpuUsage(before)
  const run: Run = {
    contenders: chosen,
    results,
    ground,
    missing,
    noise: endNoise(cpuMs + (user + system) / 1000),
    rounds,
    seconds: (Date.now() - date.getTime()) / 1000,
    date,
    command: ['npm run bench -- sources', ...process.argv.slice(2)].join(' '),
  }
  console.log(textReport(run))
  if (values.markdown !== undefined) writeFileSync(resolve(values.markdown), markdownReport(run))
  // that a peer can't do a document is a finding; that we can't is a fault
  if (chosen.some(({ id, whose }) => whose === 'ours' && results.get(id)?.status !== 'measured'))
    process.exitCode = 1
} finally {
  closeGround(ground)
}
