import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutPage, sortByKey } from './page.ts'

type Item = { readonly id: string; readonly key: string }
const keyOf = ({ key }: Item) => key

test('pages contain everything once, in order, for any page size', () => {
  const items = fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 4 }),
      key: fc.constantFrom('a', 'b', 'ä', ''),
    }),
    {
      selector: ({ id }) => id,
    },
  )
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 5 }), (all, limit) => {
      const sorted = sortByKey(all, keyOf)
      const seen: Item[] = []
      let cursor: string | undefined
      do {
        const page = cutPage(sorted, { limit, cursor }, keyOf)
        seen.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(seen).toEqual(sorted)
    }),
  )
})

test('an item removed between two pages hides no other', () => {
  const sorted = sortByKey(
    ['a', 'b', 'c', 'd'].map((key) => ({ id: key, key })),
    keyOf,
  )
  const { nextCursor } = cutPage(sorted, { limit: 2 }, keyOf)
  const without = sorted.filter(({ id }) => id !== 'b')
  expect(
    cutPage(without, { limit: 2, cursor: nextCursor }, keyOf).items.map(({ id }) => id),
  ).toEqual(['c', 'd'])
})

test('a made-up cursor is refused', () => {
  for (const cursor of ['nonsense', 'eyJhIjoxfQ', ''])
    expect(() => cutPage([], { limit: 1, cursor }, keyOf)).toThrow(
      expect.objectContaining({ code: 'TOOL_INVALID_FIELD_VALUE' }),
    )
})
