import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import {
  CHROMIUM,
  DOCUMENTS,
  missingNeeds,
  type Need,
  NGINX,
  OPENSSL,
  POSTGRES,
  RADICALE,
} from './needs.ts'

/** One run of vitest, or of a program that leaves a report like vitest's where it is told. A new suite is a new row in SUITES. */
export type Suite = { name: string; command: string[]; needs: Need[] }
export type Tally = { passed: number; failed: number }
/** How a behaviour of the conformance kit fared at a surface. */
export type BehaviourResult = {
  id: string
  surface: string
  verdict: 'holds' | 'broken' | 'does not apply'
}
/** `broken`: what failed, a line each, to be said once more at the end, where it is found. */
export type Outcome = Tally & { behaviours: BehaviourResult[]; failures: string[] }

/** The cheap steps, by their names in package.json. `types` also proves the type tests (`*.test-d.ts`). */
const CHECKS = ['types', 'lint', 'format:check', 'layers', 'language']

const SUITES: Suite[] = [
  // a forgotten test.only would leave the others out and still be green
  { name: 'tests', command: ['vitest', 'run', '--project=tests', '--allowOnly=false'], needs: [] },
  {
    name: 'postgres',
    command: ['vitest', 'run', '--project=postgres', '--allowOnly=false'],
    needs: [POSTGRES],
  },
  {
    name: 'browser',
    command: ['vitest', 'run', '--project=browser', '--allowOnly=false'],
    needs: [CHROMIUM],
  },
  {
    name: 'outside',
    command: ['vitest', 'run', '--project=outside', '--allowOnly=false'],
    needs: [POSTGRES, NGINX, OPENSSL, DOCUMENTS, RADICALE],
  },
  {
    name: 'chaos',
    command: ['vitest', 'run', '--project=chaos', '--allowOnly=false'],
    needs: [POSTGRES],
  },
  // the official suite, a test a scenario
  { name: 'mcp', command: ['node', 'surfaces/mcp/src/fixtures/conformance-main.ts'], needs: [] },
]

const root = join(import.meta.dirname, '..')
const isCi = !['', 'false', '0'].includes(process.env.CI ?? '')

/** Runs every cheap step at once and gives back the names of those that failed. */
export async function runChecks(): Promise<string[]> {
  const results = await Promise.all(CHECKS.map(runCheck))
  return CHECKS.filter((_, index) => results[index] === 'failed')
}

async function runCheck(name: string): Promise<'ok' | 'failed'> {
  const { code, output, seconds } = await run(['npm', 'run', '--silent', name], 'pipe')
  const result = code === 0 ? 'ok' : 'failed'
  console.log(`${name.padEnd(14)}${result.padEnd(8)}${seconds} s`)
  if (result === 'failed') console.log(output)
  return result
}

/** Runs the suites one after the other, since each uses all cores, and adds up their tests. */
export async function runSuites(suites = SUITES): Promise<Outcome> {
  const total: Outcome = { passed: 0, failed: 0, behaviours: [], failures: [] }
  for (const suite of suites) {
    const missing = await missingNeeds(suite.needs)
    const tally = missing.length > 0 ? leaveOut(suite, missing) : await runSuite(suite)
    total.passed += tally.passed
    total.failed += tally.failed
    total.behaviours.push(...tally.behaviours)
    total.failures.push(...tally.failures)
  }
  return total
}

// On a person's machine a missing database is worth a line; in CI it would be a gate that quietly lets everything pass.
function leaveOut(suite: Suite, missing: Need[]): Outcome {
  const said = `${suite.name}: NOT RUN (${suite.command.join(' ')}): it needs ${missing.map((need) => need.what).join(' and ')}`
  console.log(said)
  return { passed: 0, failed: isCi ? 1 : 0, behaviours: [], failures: isCi ? [said] : [] }
}

async function runSuite({ name, command }: Suite): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-test-'))
  const reportPath = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`]
  const { code, seconds } = await run([...command, ...reporters], 'inherit')
  const tally = existsSync(reportPath)
    ? readReport(reportPath)
    : { passed: 0, failed: 0, seen: [], broken: [] }
  rmSync(folder, { recursive: true })
  // vitest can end badly without a failed test (an unhandled rejection, no test at all): that is a failure too
  const isBroken = tally.failed === 0 && (code !== 0 || tally.passed === 0)
  const broken = isBroken
    ? [`${name}: no test failed, yet it ended with code ${code} after ${tally.passed} passed tests`]
    : tally.failures
  if (isBroken) console.log(broken[0])
  const failed = isBroken ? 1 : tally.failed
  console.log(`${name.padEnd(14)}${(failed > 0 ? 'failed' : 'ok').padEnd(8)}${seconds} s`)
  return { passed: tally.passed, failed, behaviours: tally.behaviours, failures: broken }
}

type TestStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'todo' | 'disabled'
type TestReport = {
  status: TestStatus
  fullName?: string
  failureMessages?: string[]
  meta?: { behaviour?: BehaviourResult }
}
type FileReport = {
  name?: string
  message?: string
  status: 'passed' | 'failed'
  assertionResults: TestReport[]
}
type Report = { testResults: FileReport[] }

/** A file that broke before its tests began counts as one failure: its tests are in no number. */
function readReport(path: string): Outcome {
  const report: Report = JSON.parse(readFileSync(path, 'utf8'))
  const counts = report.testResults.map((file) => {
    const count = (status: TestStatus) =>
      file.assertionResults.filter((one) => one.status === status).length
    return {
      passed: count('passed'),
      failed: Math.max(count('failed'), file.status === 'failed' ? 1 : 0),
    }
  })
  const seen = report.testResults.flatMap((file) =>
    file.assertionResults.flatMap(({ meta }) => meta?.behaviour ?? []),
  )
  const sum = (of: keyof Tally) => counts.reduce((all, file) => all + file[of], 0)
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    behaviours: seen,
    failures: report.testResults.flatMap(listFailures),
  }
}

function listFailures({ name = '', message = '', status, assertionResults }: FileReport): string[] {
  const file = relative(root, name)
  const failed = assertionResults.filter((one) => one.status === 'failed')
  if (status === 'failed' && failed.length === 0) return [`${file}: ${firstLine(message)}`]
  return failed.map(
    ({ fullName = '', failureMessages = [] }) =>
      `${file} > ${fullName}: ${firstLine(failureMessages[0] ?? '')}`,
  )
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, 300) ?? ''
}

type Ended = { code: number; output: string; seconds: string }

function run([program = '', ...parameters]: string[], output: 'pipe' | 'inherit'): Promise<Ended> {
  const startedMs = performance.now()
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  // nodes that are killed and started again by the hundred need not compile the same files each time
  const NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'compiled')
  const child = spawn(program, parameters, {
    cwd: root,
    env: { NODE_COMPILE_CACHE, ...process.env, PATH: path },
    stdio: ['ignore', output, output],
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  return new Promise((resolve) => {
    const end = (code: number) =>
      resolve({
        code,
        output: chunks.join(''),
        seconds: ((performance.now() - startedMs) / 1000).toFixed(1),
      })
    child.on('close', (code) => end(code ?? 1))
    child.on('error', (error) => {
      console.log(`${program} could not be started (${error.message}); has "npm ci" run?`)
      end(127)
    })
  })
}
