import { describe, expect, test } from 'vitest'
import { overlap, parsePath, pathTrouble, placePath, valuesAt } from './dot-path.ts'

describe('a dot path', () => {
  test.each([
    ['name', ['name']],
    ['schedule.time', ['schedule', 'time']],
    ['days[0]', ['days', 0]],
    ['days.0', ['days', 0]],
    ['habits[].name', ['habits', '[]', 'name']],
    ['grid[1][]', ['grid', 1, '[]']],
    ['[].name', ['[]', 'name']],
  ])('%s is %j', (text, path) => {
    expect(pathTrouble(text)).toBeUndefined()
    expect(parsePath(text)).toEqual(path)
  })

  test.each(['', '.', 'a.', '.a', 'a..b', 'a[', 'a]', 'a[x]', 'a[-1]', 'a:b', 'a[]b'])(
    '%j is none',
    (text) => {
      expect(pathTrouble(text)).toBe(`"${text}" is not a dot path such as schedule.days[].name`)
    },
  )

  test.each(['__proto__', 'a.__proto__.b', 'a.constructor', 'a[].prototype'])(
    '%s reaches for a prototype and is refused',
    (text) => {
      expect(pathTrouble(text)).toContain('which is not accepted')
    },
  )

  test('with an index that would make a thousand nulls is refused', () => {
    expect(pathTrouble('days[999]')).toBeUndefined()
    expect(pathTrouble('days[1000]')).toBe('"days[1000]" has an index over 999')
    expect(pathTrouble('days.99999999999')).toContain('has an index over 999')
  })
})

test.each([
  ['a', 'a', true],
  ['a', 'a.b', true],
  ['a[]', 'a[3].b', true],
  ['a.b', 'a.c', false],
  ['a', 'ab', false],
  ['a[0]', 'a[1]', false],
])('%s and %s overlap: %s', (one, other, expected) => {
  expect(overlap(parsePath(one), parsePath(other))).toBe(expected)
  expect(overlap(parsePath(other), parsePath(one))).toBe(expected)
})

test('the indexes found on the way there are filled in on the other side', () => {
  expect(placePath(parsePath('x[].y[].z'), parsePath('a[][].b'), ['a', 4, 2, 'b'])).toEqual([
    'x',
    4,
    'y',
    2,
    'z',
  ])
})

describe('what a path names', () => {
  const value = { habits: [{ name: 'run' }, {}, 'odd'], empty: [] }
  test.each([
    [
      'habits[].name',
      [
        ['run', 'habits', 0, 'name'],
        [undefined, 'habits', 1, 'name'],
        [undefined, 'habits', 2, 'name'],
      ],
    ],
    ['habits[1].name', [[undefined, 'habits', 1, 'name']]],
    ['empty[]', []],
    ['nothing[].name', []],
    ['toString', [[undefined, 'toString']]],
    ['habits.length', [[undefined, 'habits', 'length']]],
  ])('%s: only own members', (path, found) => {
    expect(valuesAt(value, parsePath(path)).map((one) => [one.value, ...one.path])).toEqual(found)
  })
})
