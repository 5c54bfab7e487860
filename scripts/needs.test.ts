import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  aptPackages,
  debianPackage,
  findProgram,
  missingNeeds,
  type Need,
  type Run,
} from './needs.ts'

let said: string[]
beforeEach(() => {
  said = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
})
afterEach(() => vi.restoreAllMocks())

/** A machine on which apt-get ends as printed, and brings what it installed. */
function machine({ isRoot, code = 0 }: { isRoot: boolean; code?: number }) {
  const commands: string[] = []
  const installed = new Set<string>()
  const run: Run = async (program, parameters) => {
    commands.push([program, ...parameters].join(' '))
    if (code === 0 && parameters[0] === 'install') installed.add(parameters.at(-1) ?? '')
    return { code, output: 'one\ntwo\nE: Unable to locate package' }
  }
  const apt = aptPackages(run, () => isRoot)
  return {
    commands,
    need: (name: string) =>
      debianPackage({ what: name, isThere: () => installed.has(name) }, name, apt),
  }
}

describe('what a suite needs', () => {
  test('is brought where it is missing, and the lists are fetched once', async () => {
    const { commands, need } = machine({ isRoot: true })
    expect(await missingNeeds([need('chromium'), need('nginx-light')])).toEqual([])
    expect(commands).toEqual([
      'apt-get update',
      'apt-get install -y --no-install-recommends chromium',
      'apt-get install -y --no-install-recommends nginx-light',
    ])
    expect(said[0]).toContain('chromium: installing it')
  })

  test('is not brought where it is', async () => {
    const bring = vi.fn()
    expect(await missingNeeds([{ what: 'a browser', isThere: () => true, bring }])).toEqual([])
    expect(bring).not.toHaveBeenCalled()
  })

  test('stays missing without root, and nothing is tried', async () => {
    const { commands, need } = machine({ isRoot: false })
    const browser = need('chromium')
    expect(await missingNeeds([browser])).toEqual([browser])
    expect([commands, said]).toEqual([[], []])
    expect(browser.what).toContain('apt-get install chromium')
  })

  test('stays missing when apt-get fails, and its last lines are printed', async () => {
    const { need } = machine({ isRoot: true, code: 100 })
    expect(await missingNeeds([need('chromium')])).toHaveLength(1)
    expect(said.at(-1)).toContain('code 100\none\ntwo\nE: Unable to locate package')
  })

  test('that cannot be installed is missing, and does not keep the others from being brought', async () => {
    const database: Need = { what: 'a database', isThere: () => false }
    expect(await missingNeeds([database, machine({ isRoot: true }).need('chromium')])).toEqual([
      database,
    ])
  })
})

test('a program is found by its first name that can be run, on the path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-needs-'))
  for (const name of ['plain-file', 'second-name']) writeFileSync(join(folder, name), '')
  chmodSync(join(folder, 'second-name'), 0o755)
  expect(findProgram(['plain-file', 'second-name'], `/nowhere:${folder}`)).toBe(
    join(folder, 'second-name'),
  )
  expect(findProgram(['plain-file'], folder)).toBeUndefined()
  rmSync(folder, { recursive: true })
})
