import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
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
