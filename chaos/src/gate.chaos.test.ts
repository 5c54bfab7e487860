import { expect, test } from 'vitest'
import { type ChaosRun, runChaos } from './run-chaos.ts'

// both at once: one waits for its leases while the other works
function onBothStores(...args: readonly string[]): Promise<readonly ChaosRun[]> {
  return Promise.all([
    runChaos('--store', 'sqlite', ...args),
    runChaos('--store', 'postgres', ...args),
  ])
}

const NO_FAULTS = {
  duplicated: 0,
  missing: 0,
  different: 0,
  stuck: 0,
  contradicted: 0,
  needlesslyUnknown: 0,
  unrecorded: 0,
}
const GOOD = { passed: true, faults: NO_FAULTS, broken: [] }
const LONG = 900_000

test('a process that dies between any two steps, in any recovery class, leaves one effect or an honest unknown', {
  timeout: LONG,
}, async () => {
  const good = { exitCode: 0, report: GOOD }
  expect(await onBothStores('--scenario', 'failpoints')).toMatchObject([good, good])
})

test('a process that stands still for longer than its lease and goes on does nothing a second time', {
  timeout: LONG,
}, async () => {
  const good = { exitCode: 0, report: GOOD }
  expect(await onBothStores('--scenario', 'pauses')).toMatchObject([good, good])
})

test('after 1,000 calls and 60 kills nothing is done twice, lost, told otherwise or stuck', {
  timeout: LONG,
}, async () => {
  const good = { exitCode: 0, report: { ...GOOD, figures: { calls: 1_000, kills: 60 } } }
  expect(await onBothStores('--calls', '1000', '--kills', '60')).toMatchObject([good, good])
})

test('a ledger that runs a call again because its lease ran out is caught', {
  timeout: LONG,
}, async () => {
  const caught = {
    exitCode: 1,
    report: { passed: false, faults: { duplicated: expect.toSatisfy((count) => count > 0) } },
  }
  expect(await onBothStores('--ledger', 'naive', '--calls', '200', '--kills', '24')).toMatchObject([
    caught,
    caught,
  ])
})

test('100 keys called by 50 clients at once over four nodes have 100 effects', {
  timeout: LONG,
}, async () => {
  const good = {
    exitCode: 0,
    report: { ...GOOD, effects: 100, figures: { keys: 100, calls: 5_000 } },
  }
  expect(
    await onBothStores('--scenario', 'same-key', '--keys', '100', '--racers', '50'),
  ).toMatchObject([good, good])
})

test('20 questions decided and called by 20 at once have one decision and one execution each', {
  timeout: LONG,
}, async () => {
  const good = {
    exitCode: 0,
    report: { ...GOOD, effects: 20, figures: { questions: 20, racers: 400 } },
  }
  expect(
    await onBothStores('--scenario', 'approvals', '--keys', '20', '--racers', '20'),
  ).toMatchObject([good, good])
})

test('questions wait through the death of every node, and each yes is one execution', {
  timeout: LONG,
}, async () => {
  const good = {
    exitCode: 0,
    report: { ...GOOD, effects: 40, figures: { questions: 40, 'still open': 40 } },
  }
  expect(await onBothStores('--scenario', 'pending', '--keys', '40')).toMatchObject([good, good])
})

test('another input under a used key is refused, whether its call is done or waits', {
  timeout: LONG,
}, async () => {
  const good = {
    exitCode: 0,
    report: { ...GOOD, effects: 40, figures: { 'changed arguments': 500, refused: 500 } },
  }
  expect(
    await onBothStores('--scenario', 'changed-arguments', '--keys', '50', '--calls', '500'),
  ).toMatchObject([good, good])
})

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

test('50 random programs under 50 kills leave the world as a model says, and none is stuck', {
  timeout: LONG,
}, async () => {
  const report = {
    passed: true,
    faults: NO_PROGRAM_FAULTS,
    broken: [],
    figures: { programs: 50, kills: 50 },
  }
  const good = { exitCode: 0, report }
  expect(
    await onBothStores('--scenario', 'programs', '--programs', '50', '--kills', '50'),
  ).toMatchObject([good, good])
})

test('a journal that forgets what a run was told is caught', { timeout: LONG }, async () => {
  const caught = {
    exitCode: 1,
    report: { passed: false, faults: { diverged: expect.toSatisfy((count) => count > 0) } },
  }
  const forgetful = ['--ledger', 'forgetful', '--programs', '12', '--kills', '12'] as const
  expect(await onBothStores('--scenario', 'programs', ...forgetful)).toMatchObject([caught, caught])
})

test('a run whose code has changed its mind stops, says where, and sends nothing more', {
  timeout: LONG,
}, async () => {
  const good = {
    exitCode: 0,
    report: { passed: true, broken: [], effects: 24, figures: { programs: 12, 'told where': 12 } },
  }
  expect(await onBothStores('--scenario', 'diverging')).toMatchObject([good, good])
})
