import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

// plain JavaScript has no types
const { removeUnused } = createRequire(import.meta.url)('../bin/code-cache/remove-unused.cjs') as {
  readonly removeUnused: (folder: string) => void
}

const A_MONTH_AGO = new Date(Date.now() - 31 * 24 * 3_600_000)

function writeOldFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  utimesSync(file, A_MONTH_AGO, A_MONTH_AGO)
}

const within = (folder: string) => readdirSync(folder, { recursive: true }).sort()

test('code that was not used for a month is removed with the folders it leaves empty; used code stays', () => {
  const code = mkdtempSync(join(tmpdir(), 'code-'))
  for (const name of ['v1/call/a', 'v1/call/b', 'v1/list/a', 'v2/call/a'])
    writeOldFile(join(code, name))
  writeFileSync(join(code, 'v1', 'call', 'b'), 'used today')
  removeUnused(code)
  expect(within(code)).toEqual(['v1', join('v1', 'call'), join('v1', 'call', 'b')])
})

test('links are not followed, not even where the folder itself is one', () => {
  const [code, elsewhere] = [
    mkdtempSync(join(tmpdir(), 'code-')),
    mkdtempSync(join(tmpdir(), 'elsewhere-')),
  ]
  writeOldFile(join(elsewhere, 'deep', 'letter'))
  writeOldFile(join(elsewhere, 'photo'))
  symlinkSync(elsewhere, join(code, 'folder'))
  symlinkSync(join(elsewhere, 'photo'), join(code, 'file'))
  removeUnused(code)
  removeUnused(join(code, 'folder'))
  expect(within(elsewhere)).toEqual(['deep', join('deep', 'letter'), 'photo'])
})
