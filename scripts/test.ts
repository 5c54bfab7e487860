import { reportBehaviours } from './behaviours.ts'
import { runChecks, runSuites } from './steps.ts'

// The gate: everything runs, whatever failed before it, and the last line is the sum. The types take
// a minute on one core, in which the tests have begun on the other.
const [failedChecks, tests] = await Promise.all([runChecks(), runSuites()])
const SLOWEST = 20
for (const { file, seconds } of tests.durations
  .toSorted((one, other) => other.seconds - one.seconds)
  .slice(0, SLOWEST))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
const outdatedPages = reportBehaviours(tests.behaviours)
// A failed check counts as a failure; a check that passed is not a test and is not counted.
const failed = tests.failed + failedChecks.length + outdatedPages
for (const line of tests.failures) console.log(`failed: ${line}`)
for (const line of tests.notRun) console.log(line)
if (failedChecks.length > 0) console.log(`failed checks: ${failedChecks.join(', ')}`)
console.log(`${tests.passed} passed, ${failed} failed`)
if (failed > 0 || tests.passed === 0) process.exitCode = 1
