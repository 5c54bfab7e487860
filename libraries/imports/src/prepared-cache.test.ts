import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256 } from '@surehand/core/internal'
import { expect, test } from 'vitest'
import { diskCache } from './prepared-cache.ts'

test('an entry is read back; a truncated, empty or damaged one is ignored', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'))
  const cache = diskCache(folder)
  const prepared = Buffer.from('https://a.example and everything else')
  cache.put('key', prepared)
  expect(Buffer.from(cache.get('key') ?? [])).toEqual(prepared)

  const kept = readFileSync(join(folder, 'key'))
  const damaged = [kept.subarray(0, 20), kept.subarray(0, 2), Buffer.alloc(0)]
  for (let at = 0; at < kept.length; at++) {
    const flipped = Buffer.from(kept)
    flipped.writeUInt8(kept.readUInt8(at) ^ (1 << (at % 8)), at)
    damaged.push(flipped)
  }
  for (const bytes of damaged) {
    writeFileSync(join(folder, 'key'), bytes)
    expect(cache.get('key')).toBeUndefined()
  }
})

const DAY_MS = 24 * 3_600_000

function age(file: string, ageMs: number): void {
  const then = new Date(Date.now() - ageMs)
  utimesSync(file, then, then)
}

/** As the workshop names them. */
const keys = (...names: readonly string[]): string[] => names.map(sha256)

test('files that were not used for thirty days are deleted; used ones stay, however old', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'))
  const cache = diskCache(folder)
  const [forgotten = '', used = '', recent = '', fresh = ''] = keys(
    'forgotten',
    'used',
    'recent',
    'fresh',
  )
  for (const key of [forgotten, used, recent]) cache.put(key, Buffer.from(key))
  writeFileSync(join(folder, `${forgotten}.4711`), 'half of it')
  for (const name of [forgotten, `${forgotten}.4711`, used]) age(join(folder, name), 31 * DAY_MS)
  age(join(folder, recent), 29 * DAY_MS)
  expect(cache.get(used)).toBeDefined()
  cache.put(fresh, Buffer.from('new'))
  expect(readdirSync(folder).sort()).toEqual([fresh, recent, used].sort())
})

test('other files in the folder stay, however old and large', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'))
  const [key = ''] = keys('key')
  const theirs = [
    'customers.csv',
    'index.ts',
    `${key}.json`,
    `${key.slice(1)}`,
    key.toUpperCase(),
    `${key}.4711.bak`,
  ]
  for (const name of theirs) {
    writeFileSync(join(folder, name), 'x'.repeat(1_000))
    age(join(folder, name), 31 * DAY_MS)
  }
  symlinkSync(join(folder, 'index.ts'), join(folder, key))
  diskCache(folder, 10).cleanUp()
  expect(readdirSync(folder).sort()).toEqual([...theirs, key].sort())
})

test('over the limit the least recently used files are deleted first, but none that may be in use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'))
  const cache = diskCache(folder, 2_500)
  for (const [index, key] of keys('a', 'b', 'c', 'd').entries()) {
    cache.put(key, Buffer.alloc(1_000))
    age(join(folder, key), (4 - index) * DAY_MS)
  }
  cache.cleanUp()
  expect(readdirSync(folder).sort()).toEqual(keys('c', 'd').sort())
  for (const key of keys('e', 'f', 'g')) cache.put(key, Buffer.alloc(1_000))
  expect(readdirSync(folder).sort()).toEqual(keys('e', 'f', 'g').sort())
})

test('a file that cannot be deleted and a missing folder do not make writing fail', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'))
  diskCache(join(folder, 'none')).cleanUp()
  expect(existsSync(join(folder, 'none'))).toBe(false)
  const [notAFile = '', old = ''] = keys('not a file', 'old')
  mkdirSync(join(folder, notAFile))
  age(join(folder, notAFile), 31 * DAY_MS)
  const cache = diskCache(folder)
  cache.put(old, Buffer.from('old'))
  age(join(folder, old), 31 * DAY_MS)
  chmodSync(folder, 0o500)
  cache.cleanUp()
  chmodSync(folder, 0o700)
  cache.put('key', Buffer.from('key'))
  expect(cache.get('key')).toBeDefined()
})
