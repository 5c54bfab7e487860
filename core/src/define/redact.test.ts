import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sha256 } from '../call/canonical.ts'
import { digestOf, HIDDEN, holdsSecret, redact, secretFields } from './redact.ts'
import { sensitive } from './sensitive.ts'
import { readShape, type Shape } from './shape.ts'

const Secret = sensitive(z.string())
const SECRET = 'tok_live_4242424242'
const Tree: z.ZodType = z.lazy(() => z.object({ token: Secret, children: z.array(Tree) }))

const holders: readonly [string, z.ZodType, unknown, unknown][] = [
  ['a field', z.object({ token: Secret }), { token: SECRET }, { token: HIDDEN }],
  ['optional', z.object({ token: Secret.optional() }), { token: SECRET }, { token: HIDDEN }],
  ['nullable', z.object({ token: Secret.nullable() }), { token: SECRET }, { token: HIDDEN }],
  ['a default', z.object({ token: Secret.default('none') }), { token: SECRET }, { token: HIDDEN }],
  ['read-only', z.object({ token: Secret.readonly() }), { token: SECRET }, { token: HIDDEN }],
  [
    'optional, nullable and a default',
    z.object({ token: Secret.optional().nullable().default(null) }),
    { token: SECRET },
    { token: HIDDEN },
  ],
  ['a list', z.array(Secret), [SECRET, SECRET], [HIDDEN, HIDDEN]],
  ['a record', z.record(z.string(), Secret), { a: SECRET }, { a: HIDDEN }],
  ['a tuple', z.tuple([z.string(), Secret]), ['shown', SECRET], ['shown', HIDDEN]],
  [
    "a tuple's rest",
    z.tuple([z.string()], Secret),
    ['shown', SECRET, SECRET],
    ['shown', HIDDEN, HIDDEN],
  ],
  [
    'one option of a union',
    z.union([z.object({ token: Secret }), z.object({ id: z.string() })]),
    { token: SECRET },
    { token: HIDDEN },
  ],
  [
    'an intersection',
    z.intersection(z.object({ id: z.string() }), z.object({ token: Secret })),
    { id: 'a', token: SECRET },
    { id: 'a', token: HIDDEN },
  ],
  [
    'a tree',
    Tree,
    { token: SECRET, children: [{ token: SECRET, children: [] }] },
    { token: HIDDEN, children: [{ token: HIDDEN, children: [] }] },
  ],
  [
    'an open object',
    z.looseObject({ token: Secret }),
    { token: SECRET, more: 1 },
    { token: HIDDEN, more: 1 },
  ],
  [
    'the further keys of an object',
    z.object({}).catchall(Secret),
    { token: SECRET },
    { token: HIDDEN },
  ],
  [
    'a whole object',
    z.object({ card: sensitive(z.object({ number: z.string() })) }),
    { card: { number: SECRET } },
    { card: HIDDEN },
  ],
]

describe('a secret is hidden inside', () => {
  test.each(holders)('%s', (_where, schema, value, shown) => {
    expect(redact(readShape(schema), value)).toEqual(shown)
  })
})

describe('a shape that holds a secret is known to, through', () => {
  test.each(holders)('%s', (_where, schema) => {
    expect(holdsSecret(readShape(schema))).toBe(true)
  })
})

test('a shape without a secret holds none, also when it contains itself', () => {
  const Plain: z.ZodType = z.lazy(() => z.object({ name: z.string(), children: z.array(Plain) }))
  expect(holdsSecret(readShape(Plain))).toBe(false)
})

test('null and a missing value are shown as they are', () => {
  const shape = readShape(z.object({ token: Secret.nullable().optional() }))
  expect(redact(shape, { token: null })).toEqual({ token: null })
  expect(redact(shape, {})).toEqual({})
})

test('the value itself is not touched', () => {
  const value = { token: SECRET, list: [{ token: SECRET }] }
  redact(readShape(z.object({ token: Secret, list: z.array(z.object({ token: Secret })) })), value)
  expect(value).toEqual({ token: SECRET, list: [{ token: SECRET }] })
})

test('what is not secret is shown unchanged', () => {
  const shape = readShape(
    z.object({ a: z.json(), b: z.array(z.json()), c: z.record(z.string(), z.json()) }),
  )
  fc.assert(
    fc.property(
      fc.record({
        a: fc.jsonValue(),
        b: fc.array(fc.jsonValue()),
        c: fc.dictionary(fc.string(), fc.jsonValue()),
      }),
      (value) => {
        expect(redact(shape, value)).toEqual(value)
      },
    ),
  )
})

describe('a value that is not in the shape it should have', () => {
  test.each([
    ['a text where a list belongs', z.object({ tokens: z.array(Secret) }), { tokens: SECRET }],
    [
      'a text where an object belongs',
      z.object({ card: z.object({ token: Secret }) }),
      { card: SECRET },
    ],
    [
      'a list where a record belongs',
      z.object({ cards: z.record(z.string(), Secret) }),
      { cards: [SECRET] },
    ],
    [
      'an object where a list belongs',
      z.object({ cards: z.array(Secret) }),
      { cards: { first: SECRET } },
    ],
    ['a secret of the wrong type', z.object({ token: Secret }), { token: { raw: SECRET } }],
  ])('does not give its secret away: %s', (_what, schema, value) => {
    expect(JSON.stringify(redact(readShape(schema), value))).not.toContain(SECRET)
  })
})

describe('what a decider sees of a secret', () => {
  test('is a digest and its last four characters', () => {
    expect(digestOf(SECRET)).toBe(`…4242 (sha256 ${sha256(SECRET).slice(0, 12)})`)
  })

  test('is the digest alone where four characters would be most of it', () => {
    expect(digestOf('1234')).toBe(`(sha256 ${sha256('1234').slice(0, 12)})`)
  })

  test('is the same whichever option of a union the secret belongs to', () => {
    const Card = z.object({ kind: z.literal('card'), token: Secret })
    const Iban = z.object({ kind: z.literal('iban'), token: Secret })
    const shape = readShape(z.discriminatedUnion('kind', [Card, Iban]))
    expect(redact(shape, { kind: 'card', token: SECRET }, digestOf)).toEqual({
      kind: 'card',
      token: digestOf(SECRET),
    })
  })

  test('also exists of a secret that is no text', () => {
    expect(digestOf({ number: SECRET })).toMatch(/^….{4} \(sha256 [0-9a-f]{12}\)$/)
  })
})

test('the secrets of a shape that doubles with every level are named as far as anybody would read', () => {
  const shapeOf = (bottom: Shape): Shape => {
    let shape = bottom
    for (let level = 0; level < 40; level++) {
      const fields = ['left', 'right'].map((name) => ({ name, shape, optional: false }))
      shape = { kind: 'object', fields, rest: undefined, sensitive: false } as unknown as Shape
    }
    return shape
  }
  expect(secretFields(shapeOf({ kind: 'string', sensitive: false } as unknown as Shape))).toEqual(
    [],
  )
  expect(
    secretFields(shapeOf({ kind: 'string', sensitive: true } as unknown as Shape)),
  ).toHaveLength(1_000)
})
