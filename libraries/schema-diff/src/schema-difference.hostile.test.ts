import type { JsonSchema } from '@surehand/core/internal'
import { describe, expect, test } from 'vitest'
import { changeLevel, schemaDifference } from './schema-difference.ts'

type Schema = JsonSchema | boolean | undefined

const text = { type: 'string' }
const whole = { type: 'integer' }
const number = { type: 'number' }

function object(properties: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, ...more }
}

function describeChanges(before: Schema, after: Schema): readonly string[] {
  return schemaDifference(before, after, 'input').map(({ what, breaking }) =>
    breaking ? `! ${what}` : what,
  )
}

describe('schemas made to be a burden', () => {
  const chain = (link: (next: JsonSchema) => JsonSchema, leaf: JsonSchema, length: number) => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries([
      ...Array.from({ length }, (_, index) => [
        `d${index}`,
        link({ $ref: `#/$defs/d${index + 1}` }),
      ]),
      [`d${length}`, leaf],
    ]),
  })
  const nest = (depth: number): JsonSchema =>
    JSON.parse(`${'{"items":'.repeat(depth)}true${'}'.repeat(depth)}`)

  test.each<[string, Schema, Schema]>([
    ['are nested without end', nest(5_000), text],
    [
      'double with every reference',
      chain((next) => ({ anyOf: [next, next, text] }), whole, 60),
      chain((next) => ({ anyOf: [next, next] }), number, 60),
    ],
    [
      'go through thousands of references',
      chain((next) => object({ a: next }), number, 5_000),
      chain((next) => object({ a: next }), whole, 5_000),
    ],
    [
      'refer to themselves alone',
      { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, text] } } },
      { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, whole] } } },
    ],
    [
      'multiply their unions',
      {
        allOf: Array.from({ length: 12 }, (_, index) => ({
          anyOf: [{ required: [`a${index}`] }, { required: [`b${index}`] }],
        })),
      },
      object({ a: text }),
    ],
  ])('break, as far as anybody can tell, when they %s', (_what, before, after) => {
    const begun = process.threadCpuUsage()
    expect(changeLevel(schemaDifference(before, after, 'input'))).toBe('major')
    // Microseconds of this thread, which do not depend on what else the machine does.
    expect(process.threadCpuUsage(begun).user).toBeLessThan(5_000_000)
  })

  test('never run their patterns', () => {
    const evil = (more: JsonSchema) =>
      object(
        { ['a'.repeat(40)]: { enum: ['a'.repeat(40)] } },
        { patternProperties: { '^(a+)+!$': { pattern: '^(a+)+!$' } }, ...more },
      )
    expect(describeChanges(evil({}), evil({ required: ['a'.repeat(40)] }))).toEqual([
      `! "${'a'.repeat(40)}" is now required`,
    ])
  })

  test('show what cannot be seen in their names', () => {
    expect(describeChanges(object({}), object({ 'a\u202eb': text }))).toEqual([
      '"a⟨U+202E⟩b" is new',
    ])
    expect(describeChanges({ enum: ['\u200b'] }, { enum: ['a'] })).toContain(
      '! the input no longer accepts "⟨U+200B⟩"',
    )
  })
})
