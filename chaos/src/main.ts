import { type Options, readOptions, USAGE } from './options.ts'
import { isPassed, reportJson, reportTable } from './report/report.ts'
import { openLab } from './run-scenario.ts'

function readOrExplain(): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exit(64)
  }
}

const options = readOrExplain()
const lab = await openLab(options.store)
const report = await lab.run(options)
await lab.close()
const ledger = options.ledger === 'correct' ? '' : `, ${options.ledger.toUpperCase()} ledger`
const title = `chaos: ${options.scenario} on ${options.store}, seed ${options.seed}${ledger}`
console.log(options.report === 'json' ? reportJson(report) : reportTable(title, report))
if (!isPassed(report) && options.ledger === 'correct')
  console.error(`The vendor's log and the store are in ${lab.folder}`)
process.exit(isPassed(report) ? 0 : 1)
