import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundleCommand } from '../../../scripts/bundle.ts'
import { goalsSection, judgeFigure, type Verdict } from '../harness/goals.ts'
import { chooseContenders, readOptions } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { runRounds } from '../harness/rounds.ts'
import { runSuite } from '../harness/run-suite.ts'
import { summarize } from '../harness/statistics.ts'
import { contendersFor } from './contenders.ts'

const BEYOND_NODE_MS = 60
const READY_MS = 1_000

const options = readOptions({ rounds: 15 })
await runSuite('start', options, async ({ folder, startNoiseWatch }) => {
  const { bin } = await bundleCommand(join(folder, 'surehand'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const contenders = chooseContenders(contendersFor(bin), options.only)
  console.log(`start: ${count(contenders.length, 'contender')}, ${count(options.rounds, 'round')}`)
  startNoiseWatch()
  const { figuresOf, failures } = await runRounds(contenders, {
    rounds: options.rounds,
    // The first run creates the tables and fills the disk cache.
    hasWarmUp: true,
    measure: ({ timeMs }) => timeMs(data),
    describe: (ms) => `${ms.toFixed(0)} ms`,
  })

  const medianOf = (id: string): number | undefined => summarize(figuresOf(id))?.median
  const nodeMs = medianOf('node, doing nothing')
  const beyondNode = (id: string): number | undefined => {
    const ms = medianOf(id)
    return ms === undefined || nodeMs === undefined ? undefined : ms - nodeMs
  }
  return {
    sections: [
      {
        title: 'Start times',
        table: {
          head: ['contender', 'ms', 'least', 'most', 'beyond node'],
          rows: contenders.map(({ id }) => {
            const { median, least, most } = summarize(figuresOf(id)) ?? {}
            return [
              id,
              ...[median, least, most, beyondNode(id)].map((ms) => ms?.toFixed(0) ?? 'failed'),
            ]
          }),
          right: [1, 2, 3, 4],
        },
      },
      goalsSection([
        judgeMs(
          `surehand --help ≤ ${BEYOND_NODE_MS} ms beyond node`,
          beyondNode('surehand --help'),
          BEYOND_NODE_MS,
        ),
        judgeMs(
          `surehand call ≤ ${BEYOND_NODE_MS} ms beyond node`,
          beyondNode('surehand call, local tool'),
          BEYOND_NODE_MS,
        ),
        judgeMs(
          `the server is ready within ${READY_MS} ms`,
          medianOf('surehand serve, until ready'),
          READY_MS,
        ),
      ]),
    ],
    hasFailed: failures.size > 0,
  }
})

function judgeMs(promise: string, found: number | undefined, mostMs: number): Verdict {
  return judgeFigure(promise, found, (ms) => ({
    isReached: ms <= mostMs,
    measured: `${ms.toFixed(0)} ms`,
  }))
}
