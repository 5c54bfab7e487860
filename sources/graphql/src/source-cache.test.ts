import { expect, test } from 'vitest'
import { SHOP_SDL } from './fixtures/shop.ts'
import { cacheKey, fromCache, readGraphql, toCache } from './read-graphql.ts'

const OPTIONS = { name: 'shop', endpoint: 'https://shop.example/graphql', allow: ['mutation.*'] }
const key = cacheKey(SHOP_SDL, OPTIONS)
const read = readGraphql(SHOP_SDL, OPTIONS)
const kept = toCache(read, key)

test('a cached import is read back unchanged', () => {
  expect(fromCache(kept, key)).toEqual(read)
})

test('another schema, other options or damaged bytes are not the same entry', () => {
  expect(cacheKey(`${SHOP_SDL} `, OPTIONS)).not.toBe(key)
  expect(cacheKey(SHOP_SDL, { ...OPTIONS, maxDepth: 2 })).not.toBe(key)
  expect(fromCache(kept, cacheKey(SHOP_SDL, { ...OPTIONS, allow: [] }))).toBeUndefined()
  expect(fromCache(kept.subarray(0, kept.byteLength / 2), key)).toBeUndefined()
})
