import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scopedKey } from './scope.ts'

// pieces that look like what the separator is made of meet most often
const part = fc.oneof(
  fc.string({ unit: fc.constantFrom('0', '1', '2', ':', ',', 'a', '😀') }),
  fc.string({ unit: 'binary' }),
)
const parts = fc.array(part, { maxLength: 5 })

test('two different lists never share a string', () => {
  fc.assert(
    fc.property(parts, parts, (left, right) => {
      expect(scopedKey(...left) === scopedKey(...right)).toBe(
        JSON.stringify(left) === JSON.stringify(right),
      )
    }),
    { numRuns: 2_000 },
  )
})

test('a list can be read back, so that no two can meet', () => {
  fc.assert(
    fc.property(parts, (list) => {
      expect(readBack(scopedKey(...list))).toEqual(list)
    }),
  )
})

test('where the border lies makes a difference', () => {
  expect(scopedKey('a:b', 'c')).not.toBe(scopedKey('a', 'b:c'))
  expect(scopedKey('', 'a')).not.toBe(scopedKey('a', ''))
  expect(scopedKey()).not.toBe(scopedKey(''))
  expect(scopedKey('1:a,')).not.toBe(scopedKey(scopedKey('a'), ''))
})

function readBack(text: string): string[] {
  const list: string[] = []
  for (let at = 0; at < text.length; ) {
    const colon = text.indexOf(':', at)
    const end = colon + 1 + Number(text.slice(at, colon))
    list.push(text.slice(colon + 1, end))
    at = end + 1
  }
  return list
}
