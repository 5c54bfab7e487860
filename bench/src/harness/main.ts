import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { watchNoise } from './noise.ts'
import { markdownReport, type Run, textReport } from './report.ts'
import { runRounds } from './rounds.ts'
import type { Suite } from './suite-shape.ts'

const SCRATCH = fileURLToPath(new URL('../../../.bench/', import.meta.url))

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, only: { type: 'string' }, markdown: { type: 'string' } },
})
const [name] = positionals
const suiteFile = new URL(`../${name}/suite.ts`, import.meta.url).href
const { suite } = (await import(suiteFile)) as { suite: Suite }
const rounds = values.rounds === undefined ? suite.rounds : Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number above 0, not ${values.rounds}`)

const only = values.only?.split(',')
const sections = suite.sections
  .map((section) => ({
    ...section,
    contenders: section.contenders.filter(({ id }) => only?.includes(id) ?? true),
  }))
  .filter((section) => section.contenders.length > 0)
const contenders = sections.flatMap((section) => section.contenders)
if (contenders.length === 0)
  throw new Error(
    `--only takes ids of ${suite.sections.flatMap((section) => section.contenders.map(({ id }) => id)).join(', ')}`,
  )

console.log(
  `${suite.name}: ${contenders.length} contenders, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
)
const date = new Date()
const endNoise = watchNoise(SCRATCH)
const { results, cpuMs } = await runRounds(contenders, {
  suiteFile,
  rounds,
  onProgress: (line) => console.log(line),
})
const { user, system } = process.cpuUsage()
const noise = endNoise(cpuMs + (user + system) / 1000)
const run: Run = {
  results,
  noise,
  rounds,
  seconds: (Date.now() - date.getTime()) / 1000,
  date,
  command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
}
const shown = { ...suite, sections }
console.log(textReport(shown, run))
if (values.markdown !== undefined)
  writeFileSync(resolve(values.markdown), markdownReport(shown, run))
if ([...results.values()].some(({ failure }) => failure !== undefined)) process.exitCode = 1
