import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PassingMap } from './passing-map.ts'

test('holds what a Map holds, whatever comes and goes', () => {
  // Few ends and many beginnings, so that keys share a list.
  const key = fc.tuple(fc.nat(20), fc.constantFrom('', 'a', 'end')).map((parts) => parts.join(''))
  const change = fc.record({ key, value: fc.option(fc.nat(), { nil: undefined }) })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const passing = new PassingMap<number>()
      const expected = new Map<string, number>()
      for (const { key, value } of changes) {
        if (value === undefined) passing.delete(key)
        else passing.set(key, value)
        if (value === undefined) expected.delete(key)
        else expected.set(key, value)
        expect(passing.get(key)).toBe(expected.get(key))
      }
      for (const [key, value] of expected) expect(passing.get(key)).toBe(value)
      expect(passing.values().toSorted()).toEqual([...expected.values()].toSorted())
    }),
  )
})

test('takes any text as a key', () => {
  const passing = new PassingMap<string>()
  for (const key of ['', '__proto__', 'constructor', 'é', '\ud800']) passing.set(key, key)
  expect(passing.values()).toHaveLength(5)
  for (const key of ['', '__proto__', 'constructor', 'é', '\ud800'])
    expect(passing.get(key)).toBe(key)
})
