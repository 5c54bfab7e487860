import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeText } from '../call/approval.ts'
import { canonicalJson } from '../call/canonical.ts'
import { listChanges, toFacts } from './facts.ts'

describe('what has changed', () => {
  test.each<[string, unknown, unknown, readonly string[]]>([
    ['nothing', { total: 1 }, { total: 1 }, []],
    ['a member', { total: 100 }, { total: 140 }, ['total: 100 → 140']],
    ['a new member', {}, { terms: 'none' }, ['terms: nothing → "none"']],
    ['a member that is gone', { terms: null }, {}, ['terms: null → nothing']],
    ['inside lists', [{ n: 1 }, { n: 2 }], [{ n: 1 }, { n: 3 }], ['[1].n: 2 → 3']],
    ['a longer list', { lines: ['a'] }, { lines: ['a', 'b'] }, ['lines[1]: nothing → "b"']],
    ['another kind of value', { a: [] }, { a: {} }, ['a: [] → {}']],
    ['all of it', undefined, 'x', ['everything: nothing → "x"']],
    ['an inherited name', {}, JSON.parse('{"constructor":1}'), ['constructor: nothing → 1']],
  ])('%s', (_, before, after, lines) => {
    expect(listChanges(before, after).map(changeText)).toEqual(lines)
  })

  // Keys that JSON.parse would not give back unchanged are refused elsewhere.
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)))

  test('is empty exactly for values with the same hash', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const isSame = toFacts('t', before).hash === toFacts('t', after).hash
        expect(listChanges(before, after).length === 0).toBe(isSame)
        expect(listChanges(before, before)).toEqual([])
      }),
    )
  })
})

describe('facts', () => {
  test('keep their order to read them in, and do not depend on it in their hash', () => {
    const [one, other] = [toFacts('t', { b: 1, a: 2 }), toFacts('t', { a: 2, b: 1 })]
    expect(Object.keys(one.visible as object)).toEqual(['b', 'a'])
    expect(one.hash).toBe(other.hash)
  })

  test('are no longer tied to what the tool holds', () => {
    const held = { total: 1 }
    const { value } = toFacts('t', held)
    held.total = 2
    expect(canonicalJson(value)).toBe('{"total":1}')
  })

  test('that are missing are null', () => {
    expect(toFacts('t', undefined).value).toBeNull()
  })
})
