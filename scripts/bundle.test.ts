import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleCommand } from './bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'surehand-bundle-'))
const dist = join(folder, 'dist')

function surehand(...argv: readonly string[]): { readonly code: number | null; readonly out: string; readonly err: string } {
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, SUREHAND_DEMO: '1' }
  const ran = spawnSync(process.execPath, [join(dist, 'surehand.mjs'), ...argv], { env, cwd: folder })
  return { code: ran.status, out: ran.stdout.toString(), err: ran.stderr.toString() }
}

beforeAll(() => bundleCommand({ entry: new URL('../apps/server/src/surehand.ts', import.meta.url).pathname, folder: dist }))
afterAll(() => rmSync(folder, { recursive: true }))

test('the bundle has the writer thread beside it, and calls a tool over SQLite', () => {
  expect(readdirSync(dist)).toEqual(expect.arrayContaining(['surehand.mjs', 'writer-thread.mjs']))
  const bought = surehand('call', 'shop.buy', '--data', join(folder, 'data'), '--productId', 'tea', '--json')
  expect(bought.code, bought.err).toBe(75)
  const { approval_id } = JSON.parse(bought.out).metadata.pending
  const approved = surehand('approvals', 'approve', approval_id, '--yes', '--data', join(folder, 'data'))
  expect(approved, approved.err).toMatchObject({ code: 0, out: expect.stringContaining('receipt: ') })
})

test('help loads neither core nor a store', () => {
  const { out } = surehand('--help')
  expect(out).toContain('surehand call')
  const loaded = spawnSync(process.execPath, ['--input-type=module', '-e', listing], {
    env: { ...process.env, ENTRY: join(dist, 'surehand.mjs') },
  })
  expect(loaded.stdout.toString().split('\n').filter(isHeavy)).toEqual([])
  expect(loaded.stdout.toString()).toContain('surehand.mjs')
})

// what the entry imports at once, and what those import
const listing = `
  import { readFileSync } from 'node:fs'
  const seen = new Set()
  const look = (file) => {
    if (seen.has(file)) return
    seen.add(file)
    const text = readFileSync(file, 'utf8')
    console.log(file, text.length)
    for (const [, name] of text.matchAll(/^import [^\\n]*?["'](\\.\\/[^"']+)["'];?$/gm)) look(new URL(name, 'file://' + file).pathname)
  }
  look(process.env.ENTRY)`

function isHeavy(line: string): boolean {
  return /house|schemas|backend|writer|write-turn/.test(line) || Number(line.split(' ')[1]) > 60_000
}
