import { Validator } from '@cfworker/json-schema'
import type { JsonSchema } from '@surehand/core/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foreignSchemas } from './foreign-schemas.ts'

// cfworker walks schemas by itself, so it is a second opinion on everything but `multipleOf` and
// the lengths of texts; unevaluated* and formats are judged by hand elsewhere, where the two differ
// on purpose

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, -1, 1.5, '', 'a', 'b', 'ab', 'ba', '😀'),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'toString'), tie('value'), { maxKeys: 3 }),
  ),
}))

const small = fc.nat({ max: 3 })
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'toString'), { maxLength: 2 })
const pattern = fc.constantFrom('^a', 'b$', '^$', 'a.*b', '^[ab]+$', '^.$')

function optional<T>(arbitrary: fc.Arbitrary<T>, weight = 4): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: weight })
}

function record(parts: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonSchema> {
  return fc
    .record(parts)
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, one]) => one !== undefined)))
}

function schemas(
  additional: (schema: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>,
): fc.Arbitrary<JsonSchema> {
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
    const inner = tie('schema')
    const leaf = record({
      type: optional(fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })), 1),
      enum: optional(fc.array(value, { minLength: 1, maxLength: 3 }), 6),
      const: optional(value, 8),
      minimum: optional(small),
      maximum: optional(small),
      exclusiveMinimum: optional(small, 6),
      multipleOf: optional(fc.constantFrom(1, 2, 0.5), 6),
      minLength: optional(small),
      maxLength: optional(small),
      pattern: optional(pattern),
      minItems: optional(small, 6),
      uniqueItems: optional(fc.boolean(), 6),
      required: optional(names),
      minProperties: optional(small, 8),
    })
    const branches = record({
      allOf: optional(fc.array(inner, { minLength: 1, maxLength: 2 })),
      anyOf: optional(fc.array(inner, { minLength: 1, maxLength: 3 }), 2),
      oneOf: optional(fc.array(inner, { minLength: 1, maxLength: 3 })),
      not: optional(inner, 6),
      if: optional(inner, 6),
      [['th', 'en'].join('')]: optional(inner, 6),
      else: optional(inner, 6),
    })
    const object = fc
      .tuple(
        record({
          properties: optional(
            fc.dictionary(fc.constantFrom('a', 'b', 'c'), inner, { maxKeys: 2 }),
            1,
          ),
          patternProperties: optional(fc.dictionary(pattern, inner, { maxKeys: 2 }), 6),
          propertyNames: optional(inner, 8),
          dependentRequired: optional(
            fc.dictionary(fc.constantFrom('a', 'b'), names, { maxKeys: 1 }),
            6,
          ),
          dependentSchemas: optional(
            fc.dictionary(fc.constantFrom('a', 'b'), inner, { maxKeys: 1 }),
            8,
          ),
          required: optional(names),
        }),
        additional(inner),
      )
      .map(([made, additionalProperties]) =>
        additionalProperties === undefined ? made : { ...made, additionalProperties },
      )
    const array = record({
      prefixItems: optional(fc.array(inner, { minLength: 1, maxLength: 2 })),
      items: optional(inner, 1),
      contains: optional(inner),
      minContains: optional(small, 8),
      maxContains: optional(small, 8),
    })
    const reference = fc.constantFrom({ $ref: '#/$defs/one' }, { $ref: '#two' })
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.boolean(),
        reference,
        object,
        array,
        branches,
      ),
    }
  })
  // definitions that look at members, never at the value itself: those would be refused as endless
  const defs = fc.tuple(schema, schema).map(([one, two]) => ({
    one: { items: one, additionalProperties: { $ref: '#two' } },
    two: {
      $anchor: 'two',
      properties: { a: two },
      additionalProperties: true,
      items: { $ref: '#/$defs/one' },
    },
  }))
  return fc
    .tuple(schema, defs)
    .map(([made, $defs]) => ({ ...(typeof made === 'object' ? made : { allOf: [made] }), $defs }))
}

test('where nothing is unknown, a value fits exactly when a second validator says so', () => {
  const whole = schemas((inner) => fc.oneof(fc.boolean(), inner))
  let fitted = 0
  fc.assert(
    fc.property(whole, fc.array(value, { minLength: 1, maxLength: 12 }), (schema, values) => {
      const second = new Validator(structuredClone(schema), '2020-12', false)
      const { parse } = foreignSchemas().compile(schema)
      for (const one of values) {
        const parsed = parse(one)
        expect(parsed.ok).toBe(second.validate(one).valid)
        if (!parsed.ok) expect(parsed.problems.length).toBeGreaterThan(0)
        if (parsed.ok) expect(parsed.value).toEqual(one)
        fitted += parsed.ok ? 1 : 0
      }
    }),
    { numRuns: 300 },
  )
  expect(fitted).toBeGreaterThan(200)
})

test('what is left after unknown keys are stripped fits by the second opinion, and is not changed by another parse', () => {
  const whole = schemas(() => fc.constant(undefined))
  let stripped = 0
  fc.assert(
    fc.property(whole, fc.array(value, { minLength: 1, maxLength: 12 }), (schema, values) => {
      const second = new Validator(structuredClone(schema), '2020-12', false)
      const { parse } = foreignSchemas().compile(schema)
      for (const one of values) {
        const parsed = parse(one)
        if (!second.validate(one).valid) expect(parsed.ok).toBe(false)
        if (!parsed.ok) continue
        expect(second.validate(parsed.value).valid).toBe(true)
        expect(parse(parsed.value)).toEqual(parsed)
        stripped += JSON.stringify(parsed.value) === JSON.stringify(one) ? 0 : 1
      }
    }),
    { numRuns: 300 },
  )
  expect(stripped).toBeGreaterThan(3)
})
