import { describe, expect, test } from 'vitest'
import { type Excuse, judgeScenarios, SCENARIOS } from './fixtures/judge-scenarios.ts'
import { readSummary, type Scenario } from './fixtures/read-summary.ts'

const revision = '2025-11-25'
const excuse: Excuse = { revision, scenario: 'scenario 0', why: 'it has no harness' }

/** As many scenarios as there are to be, all green but the first. */
function withFirst(first: Partial<Scenario>): Scenario[] {
  const green = Array.from({ length: SCENARIOS[revision] }, (_, index) => ({
    name: `scenario ${index}`,
    passed: 2,
    failed: 0,
  }))
  return green.map((scenario, index) => (index === 0 ? { ...scenario, ...first } : scenario))
}

function troubleIn(scenarios: readonly Scenario[], excuses: readonly Excuse[]): string[] {
  return judgeScenarios(revision, scenarios, excuses)
    .filter(({ status }) => status !== 'passed')
    .map(({ name, status, why }) => `${status}: ${name}: ${why}`)
}

describe('the judge of the official suite', () => {
  test('lets green scenarios pass and no others', () => {
    expect(troubleIn(withFirst({}), [])).toEqual([])
    expect(troubleIn(withFirst({ passed: 1, failed: 1 }), [])).toEqual([
      'failed: scenario 0: 1 of 2 checks fail',
    ])
  })

  test('takes a scenario without checks for a failure, unless there is a reason', () => {
    const empty = withFirst({ passed: 0 })
    expect(troubleIn(empty, [])).toEqual(['failed: scenario 0: it checked nothing'])
    expect(troubleIn(empty, [excuse])).toEqual(['excused: scenario 0: it has no harness'])
  })

  test('excuses no failed check', () => {
    expect(troubleIn(withFirst({ passed: 0, failed: 1 }), [excuse])).toEqual([
      'failed: scenario 0: 1 of 1 checks fail',
    ])
  })

  test('fails an excuse that no longer applies', () => {
    expect(troubleIn(withFirst({}), [excuse])).toEqual([
      'failed: scenario 0: it passes, and its excuse is to go',
    ])
    expect(troubleIn(withFirst({ name: 'renamed' }), [excuse])).toEqual([
      'failed: scenario 0: it is excused, but there is no such scenario',
    ])
  })

  test('fails a suite that ran fewer scenarios than there are', () => {
    expect(troubleIn([], [])).toEqual([`failed: all scenarios: 0 ran, not ${SCENARIOS[revision]}`])
  })

  test('reads the page that the suite ends with', () => {
    const page =
      'noise\n✓ no-scenario: 9 passed, 0 failed\n=== SUMMARY ===\n✓ ping: 2 passed, 0 failed\n✗ tools-list: 1 passed, 3 failed\n\nTotal: 3 passed, 3 failed\n\nNot scored: 1\n  ✗ tools-list (pending)\n'
    expect(readSummary(page)).toEqual([
      { name: 'ping', passed: 2, failed: 0 },
      { name: 'tools-list', passed: 1, failed: 3 },
    ])
  })
})
