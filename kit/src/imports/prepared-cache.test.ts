import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskCache } from './prepared-cache.ts'

test('what was put is there; cut short, empty or changed by one bit it is not', () => {
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

test('what was not used for thirty days goes; what was used stays, however old it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'))
  const cache = diskCache(folder)
  for (const key of ['forgotten', 'used', 'recent']) cache.put(key, Buffer.from(key))
  age(join(folder, 'forgotten'), 31 * DAY_MS)
  age(join(folder, 'used'), 31 * DAY_MS)
  age(join(folder, 'recent'), 29 * DAY_MS)
  expect(cache.get('used')).toBeDefined()
  cache.put('new', Buffer.from('new'))
  expect(readdirSync(folder).sort()).toEqual(['new', 'recent', 'used'])
})

test('over its bound the longest unused goes first, and nothing that somebody may be at', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'))
  const cache = diskCache(folder, 2_500)
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) {
    cache.put(key, Buffer.alloc(1_000))
    age(join(folder, key), (4 - index) * DAY_MS)
  }
  cache.tidy()
  expect(readdirSync(folder).sort()).toEqual(['c', 'd'])
  for (const key of ['e', 'f', 'g']) cache.put(key, Buffer.alloc(1_000))
  expect(readdirSync(folder).sort()).toEqual(['e', 'f', 'g'])
})

test('what does not go, and a folder that is not there, are no trouble of whoever puts something in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'))
  diskCache(join(folder, 'none')).tidy()
  expect(existsSync(join(folder, 'none'))).toBe(false)
  mkdirSync(join(folder, 'not-a-file'))
  age(join(folder, 'not-a-file'), 31 * DAY_MS)
  const cache = diskCache(folder)
  cache.put('old', Buffer.from('old'))
  age(join(folder, 'old'), 31 * DAY_MS)
  chmodSync(folder, 0o500)
  cache.tidy()
  chmodSync(folder, 0o700)
  cache.put('key', Buffer.from('key'))
  expect(cache.get('key')).toBeDefined()
})
