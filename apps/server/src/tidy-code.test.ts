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

// erased: plain JavaScript has no types
const { tidyCode } = createRequire(import.meta.url)('../bin/tidy-code.cjs') as {
  readonly tidyCode: (folder: string) => void
}

const A_MONTH_AGO = new Date(Date.now() - 31 * 24 * 3_600_000)

function unused(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  utimesSync(file, A_MONTH_AGO, A_MONTH_AGO)
}

const within = (folder: string) => readdirSync(folder, { recursive: true }).sort()

test('what nobody used goes, with the folders it leaves empty; what is used stays', () => {
  const code = mkdtempSync(join(tmpdir(), 'code-'))
  for (const name of ['v1/call/a', 'v1/call/b', 'v1/list/a', 'v2/call/a']) unused(join(code, name))
  writeFileSync(join(code, 'v1', 'call', 'b'), 'used today')
  tidyCode(code)
  expect(within(code)).toEqual(['v1', join('v1', 'call'), join('v1', 'call', 'b')])
})

test('what lies behind a link is somebody else’s, and so is everything where the folder itself is one', () => {
  const [code, elsewhere] = [
    mkdtempSync(join(tmpdir(), 'code-')),
    mkdtempSync(join(tmpdir(), 'elsewhere-')),
  ]
  unused(join(elsewhere, 'deep', 'letter'))
  unused(join(elsewhere, 'photo'))
  symlinkSync(elsewhere, join(code, 'folder'))
  symlinkSync(join(elsewhere, 'photo'), join(code, 'file'))
  tidyCode(code)
  tidyCode(join(code, 'folder'))
  expect(within(elsewhere)).toEqual(['deep', join('deep', 'letter'), 'photo'])
})
