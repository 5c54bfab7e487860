import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseInTurns } from './parse-in-turns.ts'
import { zodSchema } from './schema.ts'

const noPause = () => undefined

/** A schema, and values of which the first fit it and the last do not. */
type Sample = { readonly zod: z.ZodType; readonly values: readonly unknown[] }

const leaf = fc.constantFrom<Sample>(
  { zod: z.number(), values: [1, 5, 'a'] },
  { zod: z.int().min(3).max(4), values: [3, 5, 1.5, 'a'] },
  { zod: z.string().min(2).trim(), values: ['ab', ' xx ', 'a'] },
  { zod: z.string().regex(/^a/, { abort: true }).min(2), values: ['ab', 'a', 'b', 1] },
  { zod: z.email({ error: 'is no address' }), values: ['a@b.com', 'ab'] },
  { zod: z.boolean(), values: [true, null] },
  { zod: z.unknown(), values: [1, {}, 'xyz'] },
  { zod: z.number().refine((number) => number > 1, 'is small'), values: [2, 1, 'a'] },
  { zod: z.object({ a: z.int(), b: z.string().default('b') }), values: [{ a: 1 }, { a: 0.5 }, 1] },
  { zod: z.strictObject({ a: z.int() }), values: [{ a: 1 }, { a: 1, x: 1, y: 1 }, {}] },
  { zod: z.union([z.number(), z.string().min(2)]), values: ['ab', 1, 'a', true] },
  { zod: z.tuple([z.number(), z.string()]), values: [[1, 'a'], [1], ['a', 1]] },
)

type ListCheck = (list: z.ZodArray) => z.ZodType

const listCheck = fc.constantFrom<ListCheck>(
  (list) => list,
  (list) => list.min(3).max(700),
  (list) => list.max(700).refine((items) => items.length !== 600, 'has 600 items'),
  (list) => list.refine((items) => items.length < 650, 'is long').max(700),
  (list) => list.length(600),
  (list) => list.min(900, 'has few items').max(2),
  (list) => list.refine((items) => JSON.stringify(items).length > 9, { when: () => true }),
  (list) =>
    list.superRefine((items, context) => {
      // It sees items that were parsed, not those that were given.
      if (items.some((item) => JSON.stringify(item)?.includes('x'))) context.addIssue('has an x')
    }),
)

/** A few values again and again, many of them where they are small. */
function repeat(values: readonly unknown[], most: number): readonly unknown[] {
  const length = Math.min(most, Math.ceil(20_000 / JSON.stringify(values).length))
  return Array.from({ length }, (_, index) => values[index % values.length])
}

function toList({ zod, values }: Sample, check: ListCheck, most: number): Sample {
  return {
    zod: check(z.array(zod, { error: 'is no such list' })),
    values: [
      repeat(values.slice(0, 1), most),
      repeat(values.slice(0, 2), most),
      repeat(values, most),
      [...repeat(values.slice(0, 1), most), values.at(-1)],
      'no list',
    ],
  }
}

const OBJECTS: readonly ((one: z.ZodType, two: z.ZodType) => z.ZodType)[] = [
  (one, two) => z.object({ one: one.optional(), two, c: z.number().default(1) }),
  (one, two) => z.strictObject({ one, two }),
  (one, two) => z.looseObject({ two, one }),
  (_, two) => z.object({ two }).catchall(z.unknown()),
  (one, two) => z.object({ one, two }).refine(({ one: a }) => a !== 1, 'has a one'),
  (one, two) => z.object({ one, two }).superRefine((_, c) => c.addIssue({ code: 'custom' })),
  (one, two) =>
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('x'), two }),
      z.object({ kind: z.literal('y'), one }),
    ]),
]

const WRAPPERS: readonly ((inner: z.ZodType) => z.ZodType)[] = [
  (inner) => inner.optional(),
  (inner) => inner.nullable(),
  (inner) => inner.default(null),
  (inner) => inner.prefault(null),
  (inner) => inner.readonly(),
  (inner) => inner.nonoptional(),
  (inner) => z.lazy(() => inner),
]

const { sample } = fc.letrec<{ sample: Sample; list: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'sample' },
    leaf,
    tie('list'),
    fc
      .tuple(
        tie('sample'),
        tie('list'),
        fc.constantFrom(...OBJECTS),
        fc.constantFrom('x', 'y', 'z'),
      )
      .map(([one, two, make, kind]) => ({
        zod: make(one.zod, two.zod),
        values: two.values.flatMap((value, index) => [
          { one: one.values[0], two: value, kind },
          { two: value, one: one.values.at(index % one.values.length), more: value },
        ]),
      })),
    fc
      .tuple(tie('sample'), tie('list'), fc.constantFrom(z.union, z.xor))
      .map(([one, two, make]) => ({
        zod: make([one.zod, two.zod]),
        values: [...two.values, ...one.values],
      })),
    fc.tuple(tie('sample'), fc.constantFrom(...WRAPPERS)).map(([inner, wrap]) => ({
      zod: wrap(inner.zod),
      values: [...inner.values, null],
    })),
    tie('list').map(({ zod, values }) => ({
      zod: z.record(z.string().max(3), zod),
      values: [
        { a: values[0], b: values[1] },
        { a: values.at(-1), b: values[2], long: values[0] },
      ],
    })),
    fc.tuple(leaf, tie('list')).map(([one, two]) => ({
      zod: z.tuple([one.zod, two.zod]),
      values: two.values.map((value) => [one.values[0], value]),
    })),
  ),
  list: fc
    .tuple(tie('sample'), listCheck, fc.constantFrom(3, 600, 800))
    .map(([element, check, most]) => toList(element, check, most)),
}))

test('in turns, a value is parsed as it is at once, and has the same first fifty problems', async () => {
  await fc.assert(
    fc.asyncProperty(sample, fc.nat(20), async ({ zod, values }, choice) => {
      const value = values[choice % values.length]
      const atOnce = zodSchema(zod).parse(value)
      const inTurns = await parseInTurns(zodSchema(zod), value, noPause)
      if (atOnce.ok || atOnce.problems.length <= 50) {
        expect(inTurns).toEqual(atOnce)
        return
      }
      const problems = inTurns.ok ? [] : inTurns.problems
      expect(problems.slice(0, 50)).toEqual(atOnce.problems.slice(0, 50))
      expect(problems.slice(50).map(({ error }) => error)).toEqual([
        expect.stringMatching(/^has (\d+ )?more problems/),
      ])
    }),
    { numRuns: 150 },
  )
})

test.each<readonly [string, (item: z.ZodType) => z.ZodType]>([
  ['in an object', (item) => z.object({ list: z.array(item) })],
  ['in a list', (item) => z.object({ list: z.array(z.union([z.array(item), item])) })],
  ['that may be missing', (item) => z.object({ list: z.array(item).optional() })],
  ['in a record', (item) => z.record(z.string(), z.array(item))],
  ['of a union', (item) => z.object({ list: z.union([z.null(), z.array(item)]) })],
])('few items of a long list %s are compared at a time', async (_, make) => {
  let atATime = 0
  let most = 0
  const item = z.number().refine(() => {
    most = Math.max(most, ++atATime)
    return true
  })
  const value = { list: Array.from({ length: 20_000 }, (_, index) => index) }
  const pace = () => {
    atATime = 0
    return undefined
  }
  expect(await parseInTurns(zodSchema(make(item)), value, pace)).toEqual({ ok: true, value })
  expect(most).toBeLessThanOrEqual(1_000)
})

test('a list of wrong items is not read to its end, and fifty of them are listed', async () => {
  let seen = 0
  const item = z.number().refine(() => ++seen < 0, { error: 'is wrong', abort: true })
  const value = { numbers: Array.from({ length: 200_000 }, () => 1) }
  const schema = zodSchema(z.object({ numbers: z.array(item) }))
  const parsed = await parseInTurns(schema, value, noPause)
  const problems = parsed.ok ? [] : parsed.problems
  expect(seen).toBe(51)
  expect(problems.map(({ field }) => field)).toEqual([
    ...Array.from({ length: 50 }, (_, index) => `numbers[${index}]`),
    '',
  ])
  expect(problems.at(-1)?.error).toBe('has more problems than can be listed')
})

test('a list that contains itself is refused, not read for ever', async () => {
  const list: unknown[] = Array.from({ length: 600 }, () => [])
  list.push(list)
  const zod: z.ZodType = z.array(z.lazy(() => zod))
  const { ok } = await parseInTurns(zodSchema(z.object({ list: zod })), { list }, noPause)
  expect(ok).toBe(zodSchema(z.object({ list: zod })).parse({ list }).ok)
})
