import { execFileSync } from 'node:child_process'
import { runChecks, runSuites, testSuite } from './steps.ts'

// For every commit: the cheap steps of the gate, and the tests of the packages that were changed.
const failedChecks = await runChecks()
if (failedChecks.length > 0) {
  console.log(`check: stopped before the tests, ${failedChecks.join(', ')} failed`)
  process.exit(1)
}
const packages = changedPackages()
if (packages.length === 0) {
  console.log('check: all steps passed; no package was changed, so no tests were run')
  process.exit(0)
}
console.log(`tests of ${packages.join(', ')}; "npm test" runs all`)
const { passed, failed } = await runSuites([testSuite(packages)])
console.log(failed > 0 ? `check: ${failed} failed` : `check: all passed, ${passed} tests`)
if (failed > 0 || passed === 0) process.exitCode = 1

/** The packages with uncommitted changes or, in a clean tree, those that the last commit changed. */
function changedPackages(): string[] {
  const uncommitted = [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '-o', '--exclude-standard'),
  ]
  const files = uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'HEAD~1')
  const grouped =
    /^(?:(?:libraries|stores|sources|surfaces|packs|apps|examples)\/[^/]+|[^/]+)(?=\/)/
  const folders = files.flatMap((file) => grouped.exec(file)?.[0] ?? [])
  return [...new Set(folders)].filter((folder) => !/^(?:docs|bench|\.ci)$/.test(folder)).toSorted()
}

function git(...parameters: string[]): string[] {
  const output = execFileSync('git', parameters, { encoding: 'utf8' })
  return output.split('\n').filter((line) => line !== '')
}
