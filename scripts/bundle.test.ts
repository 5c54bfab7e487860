import { isAscii } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleCommand } from './bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'surehand-bundle-'))
const dist = join(folder, 'dist')

function surehand(...argv: readonly string[]): {
  readonly code: number | null
  readonly out: string
  readonly err: string
} {
  const env = {
    ...process.env,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    SUREHAND_DEMO: '1',
  }
  const ran = spawnSync(process.execPath, [join(folder, 'bin/surehand.cjs'), ...argv], {
    env,
    cwd: folder,
  })
  return { code: ran.status, out: ran.stdout.toString(), err: ran.stderr.toString() }
}

beforeAll(() => bundleCommand(folder))
afterAll(() => rmSync(folder, { recursive: true }))

test('the bundle has the writer thread beside it, and calls a tool over SQLite', () => {
  expect(readdirSync(dist)).toEqual(expect.arrayContaining(['surehand.cjs', 'writer-thread.mjs']))
  const bought = surehand(
    'call',
    'shop.buy',
    '--data',
    join(folder, 'data'),
    '--productId',
    'tea',
    '--json',
  )
  expect(bought.code, bought.err).toBe(75)
  const { approval_id } = JSON.parse(bought.out).metadata.pending
  const approved = surehand(
    'approvals',
    'approve',
    approval_id,
    '--yes',
    '--data',
    join(folder, 'data'),
  )
  expect(approved, approved.err).toMatchObject({
    code: 0,
    out: expect.stringContaining('receipt: '),
  })
})

test('a write of a pack is done here, and Node has nothing to warn of', () => {
  const captured = surehand(
    'call',
    'task.capture',
    '--data',
    join(folder, 'data'),
    '--text',
    'buy milk',
    '--json',
  )
  expect(captured, captured.err).toMatchObject({
    code: 0,
    out: expect.stringContaining('buy milk'),
  })
  expect(captured.err).not.toContain('Warning')
})

test('what a call loads is ASCII on the disk, and says what it said before', () => {
  const files = readdirSync(dist).filter((name) =>
    /^(?:call|command|surehand)\b.*\.cjs$/.test(name),
  )
  expect(files).toHaveLength(3)
  expect(files.filter((name) => !isAscii(readFileSync(join(dist, name))))).toEqual([])
  const refused = surehand(
    'call',
    'shop.price',
    '--data',
    join(folder, 'data'),
    '--productId',
    'a\u202eb',
    '--json',
  )
  expect(refused.out + refused.err).not.toContain('\u202e')
  const shown = surehand('call', 'shop.nothing\u202e', '--data', join(folder, 'data'))
  expect(shown.err).toContain('\u27e8U+202E\u27e9')
})

test('what was compiled is kept in a folder of the user alone, and a spoilt one is made anew', () => {
  const first = surehand('--version')
  const kept = filesIn(join(folder, 'surehand/code')).filter((file) => file.includes('/other/'))
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([])
  for (const file of kept) writeFileSync(file, 'spoilt')
  expect(surehand('--version')).toEqual(first)
  expect(kept.filter((file) => readFileSync(file, 'utf8') === 'spoilt')).toEqual([])
})

test('switched off, the code cache is neither read nor written, and every command works', () => {
  const code = join(folder, 'surehand/code')
  const first = surehand('--version')
  const kept = filesIn(code).filter((file) => file.includes('/other/'))
  for (const file of kept) writeFileSync(file, 'spoilt')
  process.env.SUREHAND_CODE_CACHE = 'off'
  try {
    expect(surehand('--version')).toEqual(first)
    const price = surehand(
      'call',
      'shop.price',
      '--data',
      join(folder, 'data'),
      '--productId',
      'tea',
    )
    expect(price.code, price.err).toBe(0)
  } finally {
    delete process.env.SUREHAND_CODE_CACHE
  }
  expect(kept.filter((file) => readFileSync(file, 'utf8') !== 'spoilt')).toEqual([])
})

test('a folder that others may write to, or that is a link, is not run from nor written to', () => {
  const code = join(folder, 'surehand/code')
  surehand('--version')
  const kept = filesIn(code).filter((file) => file.includes('/other/'))
  for (const file of kept) writeFileSync(file, 'spoilt')
  chmodSync(code, 0o770)
  const shared = surehand('--version')
  chmodSync(code, 0o700)
  renameSync(code, `${code}-elsewhere`)
  symlinkSync(`${code}-elsewhere`, code)
  const linked = surehand('--version')
  rmSync(code)
  renameSync(`${code}-elsewhere`, code)
  expect([
    shared.code,
    linked.code,
    kept.filter((file) => readFileSync(file, 'utf8') !== 'spoilt'),
  ]).toEqual([0, 0, []])
  surehand('--version')
  expect(kept.filter((file) => readFileSync(file, 'utf8') === 'spoilt')).toEqual([])
})

test('cached code that is damaged, or belongs to another source, is not run', () => {
  const first = surehand('--version')
  const kept = filesIn(join(folder, 'surehand/code')).filter((file) => file.includes('/other/'))
  for (const file of kept) {
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0, Math.floor(bytes.length * 0.75)))
  }
  expect(surehand('--version')).toEqual(first)
  for (const file of kept) {
    const bytes = readFileSync(file)
    bytes.writeUInt32LE((bytes.readUInt32LE(0) + 1) % 2 ** 32, 0)
    writeFileSync(file, bytes)
  }
  expect(surehand('--version')).toEqual(first)
  // each was made anew
  expect(
    kept.filter(
      (file) => readFileSync(file).readUInt32LE(4) !== crc32(readFileSync(file).subarray(8)),
    ),
  ).toEqual([])
})

test('cached code that was not used for thirty days is removed; code in use stays, however old', () => {
  surehand('--version')
  const code = join(folder, 'surehand/code')
  const used = filesIn(code).filter((file) => file.includes('/other/'))
  const old = join(code, 'v20.0.0-x64/call/_opt_surehand_dist_call-1.cjs')
  mkdirSync(dirname(old), { recursive: true })
  writeFileSync(old, 'of another Node')
  const aMonthAgo = new Date(Date.now() - 31 * 24 * 3_600_000)
  for (const file of [old, ...used]) utimesSync(file, aMonthAgo, aMonthAgo)
  expect(surehand('--version').code).toBe(0)
  expect(used.filter((file) => !existsSync(file))).toEqual([])
  expect(readdirSync(code)).not.toContain('v20.0.0-x64')
})

test('help loads neither core nor a store, and a call neither another pack nor a thread', () => {
  expect(surehand('--help').out).toContain('surehand call')
  expect(loadedBy('surehand.cjs').filter(isHeavy)).toEqual([])
  const called = readdirSync(dist).find((file) => /^call-.*\.cjs$/.test(file)) ?? ''
  const text = readFileSync(join(dist, called), 'utf8')
  expect(text.length).toBeLessThan(1_000_000)
  expect(
    ['node:worker_threads', 'node:http', 'node:readline', 'undici'].filter((name) =>
      text.includes(`require("${name}")`),
    ),
  ).toEqual([])
  expect(loadedBy(called).length).toBeLessThan(6)
})

function filesIn(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )
}

/** The files that one of the bundle requires at once, itself among them. */
function loadedBy(file: string, seen = new Set<string>()): readonly string[] {
  seen.add(file)
  for (const [, name = ''] of readFileSync(join(dist, file), 'utf8').matchAll(
    /^(?:const \w+ = )?require\("\.\/([^"]+)"\);$/gm,
  ))
    if (!seen.has(name)) loadedBy(name, seen)
  return [...seen]
}

function isHeavy(file: string): boolean {
  return file.startsWith('call-') || statSync(join(dist, file)).size > 60_000
}
