import { expect } from 'vitest'
import type { OpenStores } from './opened.ts'
import { type Promises, registerSuite } from './suite.ts'

export const cachePromises: Promises = {
  'an entry is returned exactly as it was set, until it expires': async ({ stores, advance }) => {
    const value = '{"data":"é\\u2028","z":1}'
    await stores.cache.set('a', value, 1_000)
    expect(await stores.cache.get('a')).toBe(value)
    await advance(1_000)
    expect(await stores.cache.get('a')).toBeUndefined()
  },
  'an entry that is set again expires from then on': async ({ stores, advance }) => {
    await stores.cache.set('a', '1', 1_000)
    await advance(600)
    await stores.cache.set('a', '2', 1_000)
    await advance(600)
    expect(await stores.cache.get('a')).toBe('2')
  },
  'keys are independent of each other': async ({ stores }) => {
    const keys = [
      'a',
      'a ',
      'A',
      '',
      '__proto__',
      'constructor',
      'x'.repeat(2_000),
      `${'x'.repeat(1_999)}y`,
    ]
    for (const key of keys) await stores.cache.set(key, `of ${key}`, 60_000)
    for (const key of keys) expect(await stores.cache.get(key)).toBe(`of ${key}`)
  },
  'an entry that was never set is missing': async ({ stores }) => {
    expect([await stores.cache.get('a'), await stores.cache.get('toString')]).toEqual([
      undefined,
      undefined,
    ])
  },
}

/**
 * The promises of the cache. It may lose entries under pressure; it never gives a wrong or an old
 * one.
 */
export function cacheSuite(name: string, open: OpenStores): void {
  registerSuite('cache', name, open, cachePromises)
}
