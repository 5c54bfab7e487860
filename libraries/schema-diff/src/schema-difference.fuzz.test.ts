import type { JsonSchema } from '@surehand/core/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isValid } from './fixtures/schema-oracle.ts'
import { schemaDifference } from './schema-difference.ts'

// Schemas as nobody would write them, with every keyword that is reasoned about, and all small
// values there are. Where objects declare fields they say what becomes of others: that unknown keys
// are stripped has its own test.

const scalars = [null, true, false, -1, 0, 1, 2, 3, 1.5, '', 'a', 'b', 'ab', 'abc']
const some = [null, true, 0, 1, 2, 1.5, '', 'a', 'ab']
const pairs = some.flatMap((one) => some.map((other) => [one, other] as const))
const shallow = [
  [],
  {},
  ...some.flatMap((one) => [[one], { a: one }, { b: one }, { c: one }]),
  ...pairs.flatMap(([one, other]) => [[one, other], { a: one, b: other }]),
]
const deep = [{ a: 1 }, { a: 'a', b: 1 }, { b: null }, [1], ['a'], []].flatMap((one) => [
  { a: one },
  { b: one },
  [one],
  [one, one],
  { a: { a: one } },
])
const values: readonly unknown[] = [...scalars, ...shallow, [1, 2, 3], ['a', 'a', 'b'], ...deep]

const small = fc.nat({ max: 3 })
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const record = (parts: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonSchema> =>
  fc
    .record(parts)
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, one]) => one !== undefined)))

const { schema } = fc.letrec<{ schema: JsonSchema | boolean }>((tie) => {
  const inner = tie('schema')
  const list = fc.array(inner, { minLength: 1, maxLength: 3 })
  const leaf = record({
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: seldom(fc.uniqueArray(fc.constantFrom(...scalars), { minLength: 1, maxLength: 4 })),
    const: seldom(fc.constantFrom<unknown>(...scalars, { a: 1 }, [1])),
    minimum: seldom(small),
    maximum: seldom(small),
    exclusiveMinimum: seldom(small),
    exclusiveMaximum: seldom(small),
    multipleOf: seldom(fc.constantFrom(1, 2, 0.5, 3)),
    minLength: seldom(small),
    maxLength: seldom(small),
    pattern: seldom(fc.constantFrom('^a', 'b$')),
  })
  const object = record({
    type: maybe(fc.constant('object')),
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), inner, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    required: maybe(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 })),
    additionalProperties: fc.oneof(fc.boolean(), fc.boolean(), inner),
    patternProperties: seldom(
      fc.dictionary(fc.constantFrom('^a', 'b$'), inner, { maxKeys: 2, noNullPrototype: true }),
    ),
    propertyNames: seldom(fc.oneof(inner, fc.constant({ enum: ['a', 'b'] }))),
    minProperties: seldom(small),
    maxProperties: seldom(small),
  })
  const array = record({
    type: maybe(fc.constant('array')),
    items: maybe(inner),
    prefixItems: seldom(fc.array(inner, { minLength: 1, maxLength: 2 })),
    minItems: seldom(small),
    maxItems: seldom(small),
    uniqueItems: seldom(fc.boolean()),
    contains: seldom(inner),
  })
  const combined = fc.oneof(
    record({ anyOf: list }),
    record({ oneOf: list }),
    record({ allOf: list }),
    record({ not: inner }),
    record({ if: inner, [['th', 'en'].join('')]: maybe(inner), else: maybe(inner) }),
    record({ anyOf: list, allOf: maybe(list), type: maybe(type), minimum: seldom(small) }),
  )
  const reference = fc.constant<JsonSchema>({ $ref: '#/$defs/one' })
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      leaf,
      fc.boolean(),
      object,
      object,
      array,
      combined,
      reference,
    ),
  }
})

type Whole = { readonly allOf: readonly unknown[]; readonly $defs: { readonly one: JsonSchema } }

// a definition that contains itself, always further inside the value
const definition = schema.map(
  (one): JsonSchema => ({
    type: ['object', 'array', 'string'],
    properties: { a: one, b: { $ref: '#/$defs/one' } },
    additionalProperties: false,
    items: { anyOf: [one, { $ref: '#/$defs/one' }] },
  }),
)
const whole = fc
  .tuple(schema, definition)
  .map(([root, one]): Whole => ({ allOf: [root], $defs: { one } }))

// the definition stays one that ends: only what it says of inner values changes
function step({ allOf, $defs: { one } }: Whole, other: Whole, next: () => number): Whole {
  if (next() % 3 > 0) return { allOf: [changePart(allOf[0], other.allOf[0], next)], $defs: { one } }
  const name = ['type', 'properties', 'items'][next() % 3] ?? 'type'
  return { allOf, $defs: { one: { ...one, [name]: changePart(one[name], other.allOf[0], next) } } }
}

/**
 * The schema with one thing in it changed, left out, put in another order or taken from another
 * schema.
 */
function changePart(part: unknown, other: unknown, next: () => number): unknown {
  if (next() % 12 === 0 && isSchema(part)) return isSchema(other) ? other : true
  if (typeof part === 'number') return Math.max(0, part + (next() % 2 === 0 ? 1 : -1)) || 1
  if (typeof part === 'boolean') return !part
  if (part === 'integer') return 'number'
  if (typeof part !== 'object' || part === null) return part
  const names = Object.keys(part)
  const name = names[next() % names.length]
  if (name === undefined) return part
  const inner = changePart(
    (part as JsonSchema)[name],
    typeof other === 'object' && other !== null ? Object.values(other)[0] : other,
    next,
  )
  if (Array.isArray(part))
    return next() % 4 === 0
      ? part.toReversed()
      : next() % 4 === 0 && part.length > 1
        ? part.slice(1)
        : part.with(Number(name), inner)
  if (next() % 5 > 0 || ['additionalProperties', 'properties'].includes(name))
    return { ...part, [name]: inner }
  return Object.fromEntries(Object.entries(part).filter(([one]) => one !== name))
}

function isSchema(part: unknown): boolean {
  return (
    typeof part === 'object' &&
    part !== null &&
    ['type', 'anyOf', 'oneOf', 'properties', 'items', 'not'].some((keyword) =>
      Object.hasOwn(part, keyword),
    )
  )
}

test('whatever the schemas, where nothing breaks no small value is valid on the one side and invalid on the other', () => {
  const seen = { proven: 0, broken: 0, witnessed: 0 }
  const chances = fc.array(fc.nat({ max: 999 }), { minLength: 40, maxLength: 40 })
  const property = fc.property(
    whole,
    whole,
    chances,
    fc.nat({ max: 4 }),
    (before, other, numbers, steps) => {
      let used = 0
      const next = () => numbers[used++ % numbers.length] ?? 0
      let after = steps === 0 ? other : before
      for (let taken = 0; taken < steps; taken++) after = step(after, other, next)
      for (const direction of ['input', 'output'] as const) {
        const [narrow, wide] = direction === 'input' ? [before, after] : [after, before]
        const reading = direction === 'input' ? 'plain' : 'tolerant'
        const witness = values.find(
          (value) => isValid(narrow, value, 'plain') && !isValid(wide, value, reading),
        )
        const breaks = schemaDifference(before, after, direction).some(({ breaking }) => breaking)
        if (!breaks) expect(witness).toBeUndefined()
        seen[breaks ? (witness === undefined ? 'broken' : 'witnessed') : 'proven']++
      }
    },
  )
  fc.assert(property, { numRuns: 600 })
  expect(seen.proven).toBeGreaterThan(240)
  // of what it says to break, most does
  expect(seen.witnessed).toBeGreaterThan(3 * seen.broken)
})
