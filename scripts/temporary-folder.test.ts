import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const made = mkdtempSync(join(tmpdir(), 'while-collecting-'))

// the file's own hooks come first: what they look at and close is still there
afterAll(() => {
  if (!existsSync(made))
    throw new Error('The temporary directory was gone before the file was done with it.')
})

test('a test file has a temporary directory of its own, and so have the processes it starts', () => {
  expect(basename(tmpdir())).toMatch(/^sht-/)
  expect(readdirSync(tmpdir())).toEqual([basename(made)])
  const printed = execFileSync(process.execPath, ['-p', 'os.tmpdir()'], { encoding: 'utf8' })
  expect(printed.trim()).toBe(tmpdir())
})
