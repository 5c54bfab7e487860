import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import {
  BIOME,
  CHROMIUM,
  CLIENTS,
  DOCUMENTS,
  FAKETIME,
  HEADLESS,
  missingNeeds,
  type Need,
  NGINX,
  OPENSSL,
  POSTGRES,
  RADICALE,
  REDIS,
  SERVERS,
  VENDORS_CLIENTS,
  VENDURE,
} from './needs.ts'

/**
 * One run of vitest, or of a program that writes a report like vitest's. A new suite is a new row
 * in SUITES. The suites of a lane run one after the other, the lanes `main` and `side` beside
 * each other, and `alone` after both.
 */
export type Suite = { name: string; command: string[]; needs: Need[]; lane?: Lane }
type Lane = 'main' | 'side' | 'alone'
export type Tally = { passed: number; failed: number }
/** Whether a behaviour of the conformance kit held on a surface. */
export type BehaviourResult = {
  id: string
  surface: string
  verdict: 'holds' | 'broken' | 'does not apply'
}
/**
 * `failures`: one line for each failed test, and `notRun`: one for each suite whose needs are
 * missing. They are printed again at the end, where a reader looks first.
 */
export type Outcome = Tally & {
  behaviours: BehaviourResult[]
  failures: string[]
  notRun: string[]
  durations: { file: string; seconds: number }[]
}

const NOTHING: Outcome = {
  passed: 0,
  failed: 0,
  behaviours: [],
  failures: [],
  notRun: [],
  durations: [],
}

/**
 * The cheap steps, by their names in package.json. `types` also proves the type tests
 * (`*.test-d.ts`).
 */
const CHECKS = ['types', 'lint', 'format:check', 'layers', 'language']

// A forgotten test.only would leave the other tests out and still pass, hence --allowOnly=false.
const vitest = (project: string): string[] => [
  'vitest',
  'run',
  `--project=${project}`,
  '--allowOnly=false',
]

/** The suite of unit tests; with folders, only the tests below them. */
export function testSuite(folders: readonly string[] = []): Suite {
  return { name: 'tests', command: [...vitest('tests'), ...folders], needs: [] }
}

const SUITES: Suite[] = [
  testSuite(),
  { name: 'postgres', command: vitest('postgres'), needs: [POSTGRES], lane: 'side' },
  // Its processes wait for leases and restarts for half of the time, in which the tests compute.
  { name: 'chaos', command: vitest('chaos'), needs: [FAKETIME, POSTGRES], lane: 'side' },
  {
    name: 'outside',
    command: vitest('outside'),
    needs: [
      POSTGRES,
      NGINX,
      OPENSSL,
      DOCUMENTS,
      RADICALE,
      REDIS,
      VENDURE,
      CHROMIUM,
      CLIENTS,
      SERVERS,
      VENDORS_CLIENTS,
    ],
    lane: 'side',
  },
  {
    name: 'browser',
    command: vitest('browser'),
    needs: [CHROMIUM, HEADLESS, CLIENTS],
    lane: 'side',
  },
  // The official MCP suite; each scenario counts as a test. Alone, because some of its checks wait for
  // half a second and no longer.
  {
    name: 'mcp',
    command: ['node', 'surfaces/mcp/src/fixtures/conformance-main.ts'],
    needs: [CLIENTS],
    lane: 'alone',
  },
]

const root = join(import.meta.dirname, '..')
const isCi = (): boolean => !['', 'false', '0'].includes(process.env.CI ?? '')

/** Runs every cheap step at once and returns the names of those that failed. */
export async function runChecks(): Promise<string[]> {
  // Before the steps, because two of them use it at once. If it is missing still, they say so.
  await missingNeeds([BIOME])
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

/**
 * Runs the suites of a lane one after the other, the lanes side by side, and adds up their tests.
 */
export async function runSuites(suites = SUITES): Promise<Outcome> {
  const lanes = Map.groupBy(suites, ({ lane }) => lane ?? 'main')
  // Two suites that print at once are unreadable: with several lanes each prints when it has ended.
  const output = lanes.size > 1 ? 'pipe' : 'inherit'
  const missing = bringNeeds(suites)
  const run = async (...some: Suite[]): Promise<Outcome[]> => {
    const outcomes: Outcome[] = []
    for (const suite of some) {
      const lacking = (await missing.get(suite)) ?? []
      outcomes.push(
        lacking.length > 0 ? reportMissing(suite, lacking) : await runSuite(suite, output),
      )
    }
    return outcomes
  }
  const lane = (name: Lane): Promise<Outcome[]> => run(...(lanes.get(name) ?? []))
  const outcomes = [
    ...(await Promise.all([lane('main'), lane('side')])).flat(),
    ...(await lane('alone')),
  ]
  return outcomes.reduce(add, NOTHING)
}

/**
 * Tries to install what the suites need, in their order, while the first of them run: one after the
 * other, because apt-get locks. Each suite gets what is missing still.
 */
function bringNeeds(suites: Suite[]): ReadonlyMap<Suite, Promise<Need[]>> {
  let last: Promise<unknown> = Promise.resolve()
  return new Map(
    suites.map((suite) => {
      const missing = last.then(() => missingNeeds(suite.needs))
      last = missing
      return [suite, missing]
    }),
  )
}

function add(one: Outcome, other: Outcome): Outcome {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    behaviours: [...one.behaviours, ...other.behaviours],
    failures: [...one.failures, ...other.failures],
    notRun: [...one.notRun, ...other.notRun],
    durations: [...one.durations, ...other.durations],
  }
}

// On a person's machine a missing database is worth a line; in CI the gate would pass unnoticed.
function reportMissing(suite: Suite, missing: Need[]): Outcome {
  const needed = missing.map((need) => need.what).join(' and ')
  const line = `${suite.name}: NOT RUN (${suite.command.join(' ')}): it needs ${needed}`
  console.log(line)
  return { ...NOTHING, failed: isCi() ? 1 : 0, notRun: [line] }
}

async function runSuite({ name, command }: Suite, print: 'pipe' | 'inherit'): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-test-'))
  const reportPath = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`]
  const { code, output, seconds } = await run([...command, ...reporters], print)
  const tally = existsSync(reportPath) ? readReport(reportPath) : NOTHING
  rmSync(folder, { recursive: true })
  // Vitest can end with an error without a failed test (an unhandled rejection, no test at all).
  const isBroken = tally.failed === 0 && (code !== 0 || tally.passed === 0)
  const failures = isBroken
    ? [`${name}: no test failed, yet it ended with code ${code} after ${tally.passed} passed tests`]
    : tally.failures
  const failed = isBroken ? 1 : tally.failed
  if (failed > 0) console.log(output)
  if (isBroken) console.log(failures[0])
  const verdict = failed > 0 ? 'failed' : 'ok'
  console.log(`${name.padEnd(14)}${verdict.padEnd(8)}${seconds} s, ${tally.passed} passed`)
  return { ...tally, failed, failures }
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
  startTime?: number
  endTime?: number
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
    notRun: [],
    durations: report.testResults.map(({ name = '', startTime = 0, endTime = 0 }) => ({
      file: relative(root, name),
      seconds: (endTime - startTime) / 1000,
    })),
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
  // Processes that are started by the hundred need not compile the same files each time.
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
