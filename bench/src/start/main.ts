import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleCommand } from '../../../scripts/bundle.ts'
import { watchNoise } from '../harness/noise.ts'
import { summarize } from '../harness/statistics.ts'
import { textTable } from '../harness/table.ts'
import { BUNDLE_FOLDER, contenders, ROOT } from './contenders.ts'

const ROUNDS = 15
const BEYOND_NODE_MS = 60
const READY_MS = 1_000

const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
const rounds = values.rounds === undefined ? ROUNDS : Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number above 0, not ${values.rounds}`)

await bundleCommand(BUNDLE_FOLDER)
const scratch = join(ROOT, '.bench')
mkdirSync(scratch, { recursive: true })
const data = mkdtempSync(join(scratch, 'start-'))
const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
console.log(`start: ${contenders.length} contenders, ${rounds} rounds, ${new Date().toISOString()}`)
// the first use makes the tables, and fills the disk's cache
for (const { timeMs } of contenders) await timeMs(data)
const endNoise = watchNoise(scratch)
for (let round = 1; round <= rounds; round++) {
  for (const { name, timeMs } of contenders) times.get(name)?.push(await timeMs(data))
  console.log(`round ${round} of ${rounds}`)
}
const { load } = endNoise(0)
rmSync(data, { recursive: true })

const bare = medianOf('node, doing nothing')
console.log(
  textTable({
    head: ['contender', 'ms', 'least', 'most', 'beyond node'],
    rows: contenders.map(({ name }) => {
      const { median, least, most } = summarize(times.get(name) ?? [])
      return [name, ...[median, least, most, median - bare].map((ms) => ms.toFixed(0))]
    }),
    right: [1, 2, 3, 4],
  }),
)
console.log(`load ${load.map((one) => one.toFixed(2)).join(' ')}`)
goal(
  `surehand --help ≤ ${BEYOND_NODE_MS} ms beyond node`,
  medianOf('surehand --help') - bare,
  BEYOND_NODE_MS,
)
goal(
  `surehand call ≤ ${BEYOND_NODE_MS} ms beyond node`,
  medianOf('surehand call, local tool') - bare,
  BEYOND_NODE_MS,
)
goal(`the server is ready within ${READY_MS} ms`, medianOf('surehand serve, until ready'), READY_MS)

function medianOf(name: string): number {
  return summarize(times.get(name) ?? []).median
}

function goal(what: string, ms: number, most: number): void {
  console.log(`${ms <= most ? 'pass' : 'miss'}: ${what} (measured ${ms.toFixed(0)} ms)`)
}
