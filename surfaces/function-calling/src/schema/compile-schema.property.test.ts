import type { JsonSchema } from '@surehand/core/internal'
import { toJsonSchema } from '@surehand/core/internal'
import { foreignSchemas } from '@surehand/json-schema'
import { findSchemaProblems } from '@surehand/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { modelValue } from '../fixtures/model-values.ts'
import { toolInputs } from '../fixtures/zod-schemas.ts'
import { type CompiledSchema, compileSchema } from './compile-schema.ts'
import type { DialectName } from './dialect.ts'

const DIALECTS: readonly DialectName[] = [
  'openai',
  'openai-strict',
  'anthropic',
  'anthropic-strict',
  'gemini',
]
// A plain dialect enforces nothing and changes nothing.
const FORCED = DIALECTS.filter((dialect) => dialect !== 'openai' && dialect !== 'anthropic')
// Each generated schema is compiled to every dialect: generating them takes most of the time. `npm
// run fuzz` tries more of them.
const RUNS = process.env.SUREHAND_FUZZ === undefined ? 250 : 1_000

// The problems a value may have if the dialect could not express the constraint.
const SOFT = new Set(['too_small', 'too_big', 'invalid_format', 'not_multiple_of'])
// Losses after which a value of another type is possible: unrolled recursion, ambiguous branches, enums that cannot be listed.
const HARD_LOSSES = new Set(['$ref', 'anyOf', 'not', 'enum'])

function isExcused(issue: z.core.$ZodIssue, { losses }: CompiledSchema): boolean {
  if (losses.some(({ keyword }) => HARD_LOSSES.has(keyword))) return true
  if (issue.code === 'invalid_union')
    return issue.errors.some((issues) =>
      issues.every((inner) => isExcused(inner, { losses } as CompiledSchema)),
    )
  if (issue.code === 'invalid_key')
    return issue.issues.every((inner) => isExcused(inner, { losses } as CompiledSchema))
  return SOFT.has(issue.code) && losses.length > 0
}

function takes(schema: JsonSchema, value: unknown): boolean {
  const parsed = foreignSchemas({ onLoss: () => undefined })
    .compile(schema)
    .parse(value)
  return parsed.ok
}

// A missing member and null are equal where both are valid and the dialect cannot distinguish them.
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      part === null ? [] : [[name, withoutNulls(part)]],
    ),
  )
}

test('every compiled schema follows the vendor’s rules', () => {
  fc.assert(
    fc.property(toolInputs, ({ schema }) => {
      const original = toJsonSchema(schema)
      const problems = DIALECTS.map((dialect) => {
        const compiled = compileSchema(original, dialect)
        return { dialect, found: findSchemaProblems(compiled.schema, compiled.dialect) }
      })
      expect(problems).toEqual(DIALECTS.map((dialect) => ({ dialect, found: [] })))
    }),
    { numRuns: RUNS },
  )
})

test('what a model is forced to send is never refused because of the dialect', () => {
  fc.assert(
    fc.property(toolInputs, fc.infiniteStream(fc.nat()), ({ schema }, stream) => {
      const original = toJsonSchema(schema)
      for (const dialect of FORCED) {
        const compiled = compileSchema(original, dialect)
        // A schema that the dialect cannot enforce is shown in the plain one, which enforces
        // nothing.
        if (compiled.dialect === 'openai' || compiled.dialect === 'anthropic') continue
        const sent = modelValue(compiled.schema, (below) => (stream.next().value as number) % below)
        const parsed = schema.safeParse(compiled.restore(sent))
        const unexcused = parsed.success
          ? []
          : parsed.error.issues.filter((issue) => !isExcused(issue, compiled))
        const { losses } = compiled
        expect(
          unexcused,
          JSON.stringify({ dialect, sent, restored: compiled.restore(sent), losses }),
        ).toEqual([])
      }
    }),
    { numRuns: RUNS },
  )
})

test('every value of the original can be sent, and comes back as it was', () => {
  const samples = toolInputs.chain(({ schema, values }) =>
    values.map((value) => ({ schema, value })),
  )
  fc.assert(
    fc.property(samples, ({ schema, value }) => {
      fc.pre(schema.safeParse(value).success)
      const original = toJsonSchema(schema)
      const given = JSON.parse(JSON.stringify(value))
      for (const dialect of FORCED) {
        const compiled = compileSchema(original, dialect)
        const sent = compiled.express(value)
        const came = compiled.restore(JSON.parse(JSON.stringify(sent)))
        const reported = JSON.stringify({ dialect, value, sent, losses: compiled.losses })
        // A plain dialect shows the original schema, which accepts the value.
        if (compiled.dialect !== 'openai' && compiled.dialect !== 'anthropic')
          expect(takes(compiled.schema, sent), reported).toBe(true)
        const isBlurred = compiled.losses.some(
          ({ keyword }) => keyword === 'required' || keyword === 'anyOf',
        )
        expect(isBlurred ? withoutNulls(came) : came, reported).toEqual(
          isBlurred ? withoutNulls(given) : given,
        )
      }
    }),
    { numRuns: RUNS },
  )
})
