import { guardJson } from '@surehand/core/host'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FieldMapping } from './documents.ts'
import { moveStep, pairOf } from './field-mapping.ts'
import { setField } from './move-fields.ts'
import type { Fields } from './step.ts'

const context = { tool: 'create_habit', nowMs: 0, caller: undefined }
const word = fc.stringMatching(/^[a-z]{1,6}$/)

/** Every transformation that has an inverse, with the v1 values it is an inverse for. */
const invertible: readonly (readonly [string | undefined, fc.Arbitrary<unknown>])[] = [
  [undefined, fc.oneof(fc.string(), fc.integer(), fc.array(fc.integer()), fc.constant(null))],
  ['to_string', fc.oneof(fc.integer(), fc.boolean())],
  ['to_number', fc.integer().map(String)],
  ['minutes_to_duration', fc.nat()],
  ['split_csv', fc.array(word, { minLength: 1 }).map((words) => words.join(','))],
  ['join_csv', fc.array(word, { minLength: 1 })],
  ['map:{"day":"daily","week":"weekly"}', fc.constantFrom('day', 'week')],
  ['map:[[1,"tiny"],[2,"easy"]]', fc.constantFrom(1, 2)],
]
const suffix = fc.constantFrom('', '.time', '.plan.time', '[0]', '[0].time')

/** Some mappings between places that don't overlap, and a call that gives some of the fields. */
const mapped = fc
  .array(
    fc.constantFrom(...invertible).chain(([transformation, value]) =>
      fc.record({
        transformation: fc.constant(transformation),
        value: fc.option(value, { nil: undefined }),
        from: suffix,
        to: suffix,
      }),
    ),
    { maxLength: 6 },
  )
  .map((fields) =>
    fields.map(({ transformation, value, from, to }, index) => {
      const mapping: FieldMapping = {
        v1_field: `old${index}${from}`,
        v2_field: `new${index}${to}`,
        required_in_v2: false,
      }
      return {
        value,
        mapping: transformation === undefined ? mapping : { ...mapping, transformation },
      }
    }),
  )

test('mapped there and back, the fields of a call are as they were', () => {
  fc.assert(
    fc.property(mapped, fc.dictionary(word, fc.jsonValue()), (fields, others) => {
      const step = moveStep(fields.map(({ mapping }) => pairOf(mapping)))
      const args = fields.reduce<Fields>((built, { value, mapping }) => {
        const set = setField(built, pairOf(mapping).v1, value)
        return value !== undefined && set.ok ? (set.value as Fields) : built
      }, others)
      const copy = structuredClone(args)
      expect(step.backward(step.forward(args, context))).toEqual(copy)
      expect(args).toEqual(copy)
    }),
    { numRuns: 500 },
  )
})

test('any call is refused at the edge or passes without touching a prototype', () => {
  const key = fc.constantFrom('__proto__', 'constructor', 'prototype', 'a', 'b', 'toString')
  const args = fc.array(
    fc.tuple(
      key,
      fc.oneof(fc.integer(), fc.array(fc.tuple(key, fc.integer())).map(Object.fromEntries)),
    ),
  )
  const pairs = [
    { v1_field: 'a', v2_field: 'toString.a', required_in_v2: false },
    { v1_field: 'b.a', v2_field: 'valueOf', required_in_v2: false },
  ].map(pairOf)
  const before = Object.getOwnPropertyNames(Object.prototype)
  fc.assert(
    fc.property(args.map(Object.fromEntries), (given: Fields) => {
      let input: Fields = {}
      try {
        guardJson(given, Number.POSITIVE_INFINITY)
        input = moveStep(pairs).forward(given, context)
      } catch (refusal) {
        expect(refusal).toMatchObject({ code: 'TOOL_INVALID_INPUT' })
      }
      expect(Object.getPrototypeOf(input)).toBe(Object.prototype)
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
      expect(typeof Object.prototype.toString).toBe('function')
      expect(Object.keys(Object.prototype.toString)).toEqual([])
    }),
    { numRuns: 500 },
  )
})
