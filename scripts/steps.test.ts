import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Need } from './needs.ts'
import { runSuites } from './steps.ts'

let printed: string[]
beforeEach(() => {
  printed = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const MISSING: Need = { what: 'a browser', isThere: () => false }

async function runWith(needs: Need[], ci: string) {
  vi.stubEnv('CI', ci)
  // A program that runs no test: the suite must report that nothing was tested.
  return runSuites([{ name: 'pages', command: ['true'], needs }])
}

describe('a suite whose needs are missing', () => {
  test('is named as not run, and costs a person nothing', async () => {
    expect(await runWith([MISSING], '')).toEqual({
      passed: 0,
      failed: 0,
      behaviours: [],
      durations: [],
      failures: [],
      notRun: ['pages: NOT RUN (true): it needs a browser'],
    })
    expect(printed).toEqual(['pages: NOT RUN (true): it needs a browser'])
  })

  test('fails CI', async () => {
    expect(await runWith([MISSING], 'true')).toEqual({
      passed: 0,
      failed: 1,
      behaviours: [],
      durations: [],
      failures: [],
      notRun: ['pages: NOT RUN (true): it needs a browser'],
    })
  })

  test('is run once they were brought', async () => {
    let isThere = false
    const bring = async () => {
      isThere = true
    }
    expect(await runWith([{ what: 'a browser', isThere: () => isThere, bring }], '')).toMatchObject(
      { passed: 0, failed: 1 },
    )
    expect(printed.join()).toContain('ended with code 0 after 0 passed tests')
  })
})

describe('a suite with a failure', () => {
  const REPORT = {
    testResults: [
      {
        name: join(import.meta.dirname, 'a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'one' },
          {
            status: 'failed',
            fullName: 'two',
            failureMessages: ['AssertionError: not so\n    at somewhere'],
          },
        ],
      },
      {
        name: join(import.meta.dirname, 'b.test.ts'),
        status: 'failed',
        message: 'SyntaxError: no',
        assertionResults: [],
      },
    ],
  }

  test('names the tests, and the files that failed before their tests ran', async () => {
    const write = `require('fs').writeFileSync(process.argv.at(-1).split('=')[1], ${JSON.stringify(JSON.stringify(REPORT))})`
    const outcome = await runSuites([
      { name: 'pages', command: ['node', '-e', write, '--'], needs: [] },
    ])
    expect(outcome).toMatchObject({
      passed: 1,
      failed: 2,
      failures: [
        'scripts/a.test.ts > two: AssertionError: not so',
        'scripts/b.test.ts: SyntaxError: no',
      ],
    })
  })
})

test('what runs alone starts when all others have ended, and installations never overlap', async () => {
  const events: string[] = []
  const need = (what: string): Need => ({
    what,
    isThere: () => false,
    async bring() {
      events.push(`${what} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      events.push(`${what} ends`)
    },
  })
  const suite = (name: string, more: object) => ({ name, command: ['true'], needs: [], ...more })
  await runSuites([
    suite('first', {}),
    suite('second', { needs: [need('a clock')] }),
    suite('beside', { needs: [need('a browser')], lane: 'side' }),
    suite('alone', { needs: [need('a proxy')], lane: 'alone' }),
  ])
  expect(events).toEqual(
    ['a clock', 'a browser', 'a proxy'].flatMap((what) => [`${what} begins`, `${what} ends`]),
  )
  const order = printed.map((line) => line.split(/[ :]/)[0])
  expect(order.at(-1)).toBe('alone')
})
