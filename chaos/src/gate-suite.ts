import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { canOpenSmallDisk } from '@surehand/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOptions } from './options.ts'
import type { StoreKind } from './processes/store-backend.ts'
import { isPassed, reportJson, reportTable } from './report/report.ts'
import { type Lab, openLab } from './run-scenario.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const NO_FAULTS = {
  duplicated: 0,
  missing: 0,
  different: 0,
  stuck: 0,
  contradicted: 0,
  needlesslyUnknown: 0,
  unrecorded: 0,
}
const NO_PROGRAM_FAULTS = {
  state: 0,
  answer: 0,
  doubled: 0,
  stuckRuns: 0,
  diverged: 0,
  orphaned: 0,
  stuck: 0,
  unrecorded: 0,
}
const PASSED = { passed: true, faults: NO_FAULTS, broken: [] }
const POSITIVE: unknown = expect.toSatisfy((count) => count > 0)

/** Runs a scenario and returns its report as JSON. */
type RunReport = (...args: readonly string[]) => Promise<unknown>

type Part = 'crashes' | 'calls'

/**
 * Half of the scenarios that the gate runs on one store. They share one bundled node program and, on
 * PostgreSQL, one server. Each half on each store is a test file, so that all run side by side: one
 * waits for its leases while another computes.
 */
export function chaosGate(store: StoreKind, part: Part): void {
  let lab: Lab | undefined

  const report: RunReport = async (...args) => {
    if (lab === undefined) throw new Error('the lab was not opened')
    const found = await lab.run(readOptions(['--store', store, ...args]))
    // The figures alone do not say which call it was.
    if (!isPassed(found)) console.log(reportTable([store, ...args].join(' '), found))
    return JSON.parse(reportJson(found))
  }

  beforeAll(async () => {
    lab = await openLab(store)
  })
  // It is missing if it could not be opened, and that error is the one to show.
  afterAll(() => lab?.close())

  if (part === 'crashes') testCrashes(report, store)
  else {
    testKilledCalls(report, store)
    testRaces(report)
    testPrograms(report, store)
  }
}

// A broken promise looks the same to the judge on both stores: each defect is tried on one of them.
const NAIVE_LEDGER_ON: StoreKind = 'sqlite'
const FORGETFUL_JOURNAL_ON: StoreKind = 'postgres'

function testCrashes(report: RunReport, store: StoreKind): void {
  test('a process that dies between any two steps, in any recovery class, leaves one effect or an honest unknown', async () => {
    const half = store === 'sqlite' ? 'first' : 'second'
    expect(await report('--scenario', 'failpoints', '--half', half)).toMatchObject(PASSED)
  })

  test('a process that is paused for longer than its lease and continues does nothing a second time', async () => {
    expect(await report('--scenario', 'pauses')).toMatchObject(PASSED)
  })

  test('a wall clock that is set or runs too fast makes no live call look abandoned, and keeps no dead one', async () => {
    const figures = { steps: 4, calls: 16 }
    const expected = { ...PASSED, effects: 16, figures }
    expect(await report('--scenario', 'clock')).toMatchObject(expected)
  })

  test('calls are answered at their deadline while the store is held', async () => {
    const expected = { ...PASSED, effects: 16, figures: { calls: 16 } }
    expect(await report('--scenario', 'slow-store')).toMatchObject(expected)
  })

  test('a store that is lost between effect and outcome leaves an unknown outcome with its id, and one effect', async () => {
    // Not every process may mount the small disk; the figures say where it was not run.
    const lost = store === 'sqlite' && !canOpenSmallDisk() ? 1 : store === 'sqlite' ? 4 : 3
    const figures = { 'calls that lost their store': lost }
    expect(await report('--scenario', 'lost-store')).toMatchObject({ ...PASSED, figures })
  })

  test('errors that tools leave behind end no process, and a tool that ends its process twice is quarantined', async () => {
    const expected = { ...PASSED, figures: { poisons: 5 } }
    expect(await report('--scenario', 'poison')).toMatchObject(expected)
  })
}

function testKilledCalls(report: RunReport, store: StoreKind): void {
  test('after 1,000 calls and 60 kills no effect is doubled, lost, answered differently or stuck', async () => {
    const expected = { ...PASSED, figures: { calls: 1_000, kills: 60 } }
    expect(await report('--calls', '1000', '--kills', '60')).toMatchObject(expected)
  })

  if (store !== NAIVE_LEDGER_ON) return
  test('the command detects a ledger that executes a call again because its lease has expired', async () => {
    const pause = 'none: 9000 ms after vendor.make'
    const naive = ['--store', store, '--ledger', 'naive', '--scenario', 'pauses', '--only', pause]
    const expected = { exitCode: 1, report: { passed: false, faults: { duplicated: POSITIVE } } }
    expect(await runCommand(...naive)).toMatchObject(expected)
  })
}

function testRaces(report: RunReport): void {
  test('100 keys called by 50 clients at once over four nodes have 100 effects', async () => {
    const expected = { ...PASSED, effects: 100, figures: { keys: 100, calls: 5_000 } }
    const args = ['--scenario', 'same-key', '--keys', '100', '--racers', '50']
    expect(await report(...args)).toMatchObject(expected)
  })

  test('20 approval requests decided and called by 20 at once have one decision and one execution each', async () => {
    const expected = { ...PASSED, effects: 20, figures: { 'approval requests': 20, racers: 400 } }
    const args = ['--scenario', 'approvals', '--keys', '20', '--racers', '20']
    expect(await report(...args)).toMatchObject(expected)
  })

  test('approval requests survive the death of every node, and each approval is one execution', async () => {
    const expected = {
      ...PASSED,
      effects: 40,
      figures: { 'approval requests': 40, 'still pending': 40 },
    }
    expect(await report('--scenario', 'pending', '--keys', '40')).toMatchObject(expected)
  })

  test('a different input under a used key is rejected, whether its call is done or waits', async () => {
    const figures = { 'changed arguments': 500, refused: 500 }
    const args = ['--scenario', 'changed-arguments', '--keys', '50', '--calls', '500']
    expect(await report(...args)).toMatchObject({ ...PASSED, effects: 40, figures })
  })
}

function testPrograms(report: RunReport, store: StoreKind): void {
  test('50 random programs under 50 kills leave the effects that a model predicts, and none is stuck', async () => {
    const figures = { programs: 50, kills: 50 }
    const expected = { passed: true, faults: NO_PROGRAM_FAULTS, broken: [], figures }
    const args = ['--scenario', 'programs', '--programs', '50', '--kills', '50']
    expect(await report(...args)).toMatchObject(expected)
  })

  test('a run whose code has changed stops, reports the step, and sends nothing more', async () => {
    const figures = { programs: 12, 'step reported': 12 }
    const expected = { passed: true, broken: [], effects: 24, figures }
    expect(await report('--scenario', 'diverging')).toMatchObject(expected)
  })

  if (store !== FORGETFUL_JOURNAL_ON) return
  test('a journal that loses the answers of a run is detected', async () => {
    const forgetful = ['--ledger', 'forgetful', '--programs', '12', '--kills', '12']
    const expected = { passed: false, faults: { diverged: POSITIVE } }
    expect(await report('--scenario', 'programs', ...forgetful)).toMatchObject(expected)
  })
}

/** Runs the command in a process of its own, as a person does, and reads its report. */
async function runCommand(
  ...args: readonly string[]
): Promise<{ readonly exitCode: number | null; readonly report: unknown }> {
  const child = spawn(process.execPath, [MAIN, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { exitCode, report: output === '' ? 'no output' : JSON.parse(output) }
}
