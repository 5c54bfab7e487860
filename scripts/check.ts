import { runChecks, runSuites } from './steps.ts'

// For the person at the keyboard: the same steps as `npm test`, but no tests until the cheap steps
// are green.
const failedChecks = await runChecks()
if (failedChecks.length > 0) {
  console.log(`check: stopped before the tests, ${failedChecks.join(', ')} failed`)
  process.exit(1)
}
const { passed, failed } = await runSuites()
console.log(
  failed > 0 ? `check: ${failed} failed in the tests` : `check: all green, ${passed} tests`,
)
if (failed > 0 || passed === 0) process.exitCode = 1
