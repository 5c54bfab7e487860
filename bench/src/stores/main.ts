import { chooseContenders, readOptions } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { runRounds } from '../harness/rounds.ts'
import { runSuite } from '../harness/run-suite.ts'
import { contenders as all } from './contenders.ts'
import { openDatabases } from './databases.ts'
import { describeMeasured, startMeasurement } from './measure.ts'
import { createReport } from './report.ts'

const options = readOptions({ rounds: 5 })
const contenders = chooseContenders(all, options.only)

console.log(`stores: ${count(contenders.length, 'contender')}, ${count(options.rounds, 'round')}`)
await runSuite('stores', options, async ({ folder, startNoiseWatch }) => {
  const databases = await openDatabases(folder, new Set(contenders.map(({ store }) => store)))
  try {
    startNoiseWatch()
    const { measure, childCpuMs } = startMeasurement(databases, folder)
    const results = await runRounds(contenders, {
      rounds: options.rounds,
      measure,
      describe: describeMeasured,
      // Counts are the same in every round.
      takesPart: ({ kind }, round) => kind !== 'counts' || round === 1,
    })
    return {
      ...createReport({ contenders, results, rounds: options.rounds }),
      childCpuMs: childCpuMs(),
    }
  } finally {
    await databases.close()
  }
})
