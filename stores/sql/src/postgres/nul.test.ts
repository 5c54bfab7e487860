import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withNul, withoutNul } from './nul.ts'

const text = fc.string({ unit: fc.constantFrom('\0', '\ue000', '0', '1', 'a') })

test('every text comes back as it was, and none is written with a NUL', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect([withNul(withoutNul(given)), withoutNul(given).includes('\0')]).toEqual([given, false])
    }),
  )
})

test('what begins a text begins it as it is written, too', () => {
  fc.assert(
    fc.property(text, text, (start, rest) =>
      withoutNul(start + rest).startsWith(withoutNul(start)),
    ),
  )
})
