import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyPrograms } from './server-program.ts'

let root: string
let packaged: string
let copy: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'surehand-programs-'))
  packaged = join(root, 'package', 'native')
  copy = join(root, 'home', 'native')
  for (const folder of ['package/native/bin', 'package/native/lib', 'home'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const file of ['bin/postgres', 'bin/initdb', 'lib/libpq.so.5.18'])
    writeFileSync(join(packaged, file), 'x'.repeat(1_000_000))
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  writeFileSync(join(packaged, 'pg-symlinks.json'), JSON.stringify(links))
})
afterEach(() => rmSync(root, { recursive: true }))

function expectWholeCopy(): void {
  expect(readdirSync(join(root, 'home'))).toEqual(['native'])
  expect(readdirSync(copy)).toEqual(['bin', 'lib', 'pg-symlinks.json'])
  expect(readlinkSync(join(copy, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18')
}

test('programs can be copied twice to the same folder', () => {
  expect([copyPrograms(packaged, copy), copyPrograms(packaged, copy)]).toEqual([copy, copy])
  expectWholeCopy()
})

test('processes that copy the programs at the same time share one whole copy', async () => {
  const source = `
    import { copyPrograms } from ${JSON.stringify(new URL('./server-program.ts', import.meta.url).href)}
    while (Date.now() < ${Date.now() + 1_500});
    copyPrograms(${JSON.stringify(packaged)}, ${JSON.stringify(copy)})`
  const parameters = ['--input-type=module', '--no-warnings', '-e', source]
  await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, parameters)))
  expectWholeCopy()
})
