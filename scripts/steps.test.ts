import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Need } from './needs.ts'

let said: string[]
beforeEach(() => {
  said = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
  vi.resetModules()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const MISSING: Need = { what: 'a browser', isThere: () => false }

async function runWith(needs: Need[], ci: string) {
  vi.stubEnv('CI', ci)
  const { runSuites } = await import('./steps.ts')
  // a program that is no test run: whoever starts it is told that nothing was tested
  return runSuites([{ name: 'pages', command: ['true'], needs }])
}

describe('a suite whose needs are missing', () => {
  test('is named as not run, and costs a person nothing', async () => {
    expect(await runWith([MISSING], '')).toEqual({ passed: 0, failed: 0, seen: [] })
    expect(said).toEqual(['pages: NOT RUN (true): it needs a browser'])
  })

  test('fails CI', async () => {
    expect(await runWith([MISSING], 'true')).toEqual({ passed: 0, failed: 1, seen: [] })
  })

  test('is run once they were brought', async () => {
    let isThere = false
    const bring = async () => {
      isThere = true
    }
    expect(await runWith([{ what: 'a browser', isThere: () => isThere, bring }], '')).toEqual({ passed: 0, failed: 1, seen: [] })
    expect(said.join()).toContain('ended with code 0 after 0 passed tests')
  })
})
