import { chooseContenders, readOptions } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { runRounds } from '../harness/rounds.ts'
import { runSuite } from '../harness/run-suite.ts'
import { contenders as all, nothing } from './contenders.ts'
import { prepareFiles, STRIPE_IS_MISSING } from './files.ts'
import { describeFigures, startMeasurement } from './measure.ts'
import { createReport } from './report.ts'

// `stripe` is the path of Stripe's document, where it is not installed in sources/documents.
const options = readOptions({ rounds: 5, texts: ['stripe'] })
const wanted = chooseContenders(all, options.only)

await runSuite('sources', options, async ({ folder, startNoiseWatch }) => {
  const files = prepareFiles(folder, options.texts.stripe)
  const contenders = [
    nothing,
    ...wanted.filter((contender) => files.inputFor(contender) !== undefined),
  ]
  const missing = contenders.length === wanted.length + 1 ? [] : [STRIPE_IS_MISSING]
  console.log(
    [
      `sources: ${count(contenders.length, 'contender')}, ${count(options.rounds, 'round')}`,
      ...missing,
    ].join('\n'),
  )
  startNoiseWatch()
  const { measure, childCpuMs } = startMeasurement(files)
  const results = await runRounds(contenders, {
    rounds: options.rounds,
    // The warm-up checks every contender and fills the disk cache.
    hasWarmUp: true,
    measure,
    describe: describeFigures,
  })
  const report = createReport({ contenders, results, files, missing, rounds: options.rounds })
  return { ...report, childCpuMs: childCpuMs() }
})
