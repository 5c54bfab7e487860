import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Path, parsePath } from './dot-path.ts'
import { type Move, moveFields, setField } from './move-fields.ts'

function move(from: string, to: string, change: Move['change'] = (value) => value): Move {
  return { from: parsePath(from), to: parsePath(to), change }
}
const applyMoves = (value: unknown, ...moves: readonly Move[]) => moveFields(value, moves)

describe('fields are moved', () => {
  test.each<[string, unknown, readonly [string, string][], unknown]>([
    [
      'out of an object, which goes when it is empty',
      { schedule: { time: '7' } },
      [['schedule.time', 'at']],
      { at: '7' },
    ],
    [
      'out of an object, which stays with the rest',
      { s: { a: 1, b: 2 } },
      [['s.a', 'a']],
      { a: 1, s: { b: 2 } },
    ],
    ['into an object that is there', { s: { a: 1 }, b: 2 }, [['b', 's.b']], { s: { a: 1, b: 2 } }],
    ['into an object that is empty', { s: {}, b: 2 }, [['b', 's.b']], { s: { b: 2 } }],
    ['into a place that holds null', { s: null, b: 2 }, [['b', 's.b']], { s: { b: 2 } }],
    [
      'past each other',
      { a: 1, b: 2 },
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      { a: 2, b: 1 },
    ],
    [
      'in each element',
      { l: [{ a: 1 }, { b: 2 }, { a: 3, b: 4 }] },
      [['l[].a', 'l[].x']],
      { l: [{ x: 1 }, { b: 2 }, { x: 3, b: 4 }] },
    ],
    [
      'out of each element',
      { l: [{ a: 1, b: 2 }] },
      [['l[].a', 'as[]']],
      { l: [{ b: 2 }], as: [1] },
    ],
    [
      'out of a list, whose places stay',
      { l: [1, 2, 3] },
      [['l[0]', 'first']],
      { l: [null, 2, 3], first: 1 },
    ],
    ['off the end of a list', { l: [1, 2] }, [['l[1]', 'last']], { l: [1], last: 2 }],
    [
      'into a list',
      { from: 1, to: 2 },
      [
        ['from', 'range[0]'],
        ['to', 'range[1]'],
      ],
      { range: [1, 2] },
    ],
    ['not at all, when they are not there', { b: 1 }, [['a', 'x']], { b: 1 }],
    ['not at all, of a list of answers', [{ a: 1 }], [['a', 'x']], [{ a: 1 }]],
    ['in a list of answers, when the path says so', [{ a: 1 }], [['[].a', '[].x']], [{ x: 1 }]],
    ['not into nothing', {}, [['a', 'x.y']], {}],
  ])('%s', (_, value, pairs, expected) => {
    expect(applyMoves(value, ...pairs.map(([from, to]) => move(from, to)))).toEqual({
      ok: true,
      value: expected,
    })
  })

  test('and changed on the way, with their place', () => {
    const shout = move('l[].a', 'l[].a', (value, at) => `${at.join('/')}=${value}`)
    expect(applyMoves({ l: [{ a: 'x' }, { a: 'y' }] }, shout)).toEqual({
      ok: true,
      value: { l: [{ a: 'l/0/a=x' }, { a: 'l/1/a=y' }] },
    })
  })

  test.each<[string, unknown, string, string, string]>([
    ['a place that is taken', { a: 1, b: 2 }, 'a', 'b', 'b'],
    ['a place within a text', { a: 1, s: 'text' }, 'a', 's.a', 's'],
    ['a key of a list', { a: 1, s: [1] }, 'a', 's.a', 's[0]'],
    ['a place within what another brought', { a: { x: 1 }, b: { c: 2 } }, 'a', 'b', 'b'],
  ])('but not to %s', (_, value, from, to, field) => {
    const copy = structuredClone(value)
    const result = applyMoves(value, move(from, to))
    expect(result.ok || result.field).not.toBe(true)
    expect(result).toMatchObject({
      ok: false,
      field: expect.stringMatching(new RegExp(`^${field.replace(/[[\]]/g, '\\$&')}`)),
    })
    expect(value).toEqual(copy)
  })

  test('while null makes way on either side', () => {
    expect(applyMoves({ a: 1, b: null }, move('a', 'b'))).toEqual({ ok: true, value: { b: 1 } })
    expect(applyMoves({ a: null, b: 1 }, move('a', 'b'))).toEqual({ ok: true, value: { b: 1 } })
  })
})

test('a field is set over whatever stood there', () => {
  expect(setField({ a: { b: { c: 1 } }, d: 2 }, ['a', 'b'], 'x')).toEqual({
    ok: true,
    value: { a: { b: 'x' }, d: 2 },
  })
  expect(setField({}, ['a', 'b'], 'x')).toEqual({ ok: true, value: { a: { b: 'x' } } })
  expect(setField({ a: 'text' }, ['a', 'b'], 'x')).toEqual({ ok: false, field: 'a.b' })
})

// keys of the two versions are told apart by their first letter, so that no unmapped field stands
// in a mapped one's way
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('p', 'q', 'r'), tie('value')),
  ),
})).value

/** Distinct places, none within another: `v0`, `v1.a`, `v2.a.b`. */
const places = (letter: string, count: number) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, index) =>
      fc
        .constantFrom([], ['a'], ['a', 'b'], ['0', 'a'], [0], [0, 'a'])
        .map((rest): Path => [`${letter}${index}`, ...rest]),
    ),
  )

const world = fc.integer({ min: 1, max: 5 }).chain((count) =>
  fc.record({
    from: places('v', count),
    to: places('w', count),
    given: fc.array(fc.option(json, { nil: undefined }), { minLength: count, maxLength: count }),
    rest: fc.dictionary(fc.constantFrom('x', 'y', 'z'), json),
  }),
)

test('moved there and back, everything is as it was, and the input was never touched', () => {
  fc.assert(
    fc.property(world, ({ from, to, given, rest }) => {
      const there = from.map(
        (source, index): Move => ({ from: source, to: to[index] ?? [], change: (value) => value }),
      )
      const back = there.map((one): Move => ({ ...one, from: one.to, to: one.from }))
      const input = given.reduce<unknown>((built, value, index) => {
        const set =
          value === undefined
            ? { ok: true as const, value: built }
            : setField(built, from[index] ?? [], value)
        return set.ok ? set.value : built
      }, rest)
      const copy = structuredClone(input)
      const v2 = moveFields(input, there)
      const v1 = v2.ok ? moveFields(v2.value, back) : v2
      expect(v1).toEqual({ ok: true, value: copy })
      expect(input).toEqual(copy)
    }),
    { numRuns: 500 },
  )
})

test('moved within each element there and back, a list is as it was', () => {
  const element = fc.oneof(json, fc.record({ p: json, s: json }, { requiredKeys: [] }))
  fc.assert(
    fc.property(fc.array(element, { maxLength: 5 }), (list) => {
      const there = applyMoves({ list }, move('list[].s', 'list[].t.u'))
      expect(there.ok && applyMoves(there.value, move('list[].t.u', 'list[].s'))).toEqual({
        ok: true,
        value: { list },
      })
    }),
  )
})

test('no input writes into a prototype or comes out with another one', () => {
  const nasty = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'a', 'b')
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 2 }),
      fc.array(fc.tuple(nasty, tie('value')), { maxLength: 3 }).map(Object.fromEntries),
    ),
  })).value
  const before = Object.getOwnPropertyNames(Object.prototype)
  fc.assert(
    fc.property(value, (input) => {
      const result = moveFields(input, [
        move('a', 'b.c'),
        move('b.a', 'a.toString'),
        move('x[].a', 'x[].b'),
      ])
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
      expect(({} as { c?: unknown }).c).toBeUndefined()
      const isObject = result.ok && typeof result.value === 'object' && result.value !== null
      if (isObject)
        expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(result.value))
    }),
    { numRuns: 500 },
  )
})
