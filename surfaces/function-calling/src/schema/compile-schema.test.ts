import { fixturePack } from '@surehand/conformance'
import { modelInput, modelInputSchema } from '@surehand/core/host'
import { toJsonSchema } from '@surehand/core/internal'
import { findSchemaProblems } from '@surehand/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compileSchema } from './compile-schema.ts'
import type { DialectName } from './dialect.ts'

const DIALECTS: readonly DialectName[] = [
  'openai',
  'openai-strict',
  'anthropic',
  'anthropic-strict',
  'gemini',
]

describe.each(DIALECTS)('every fixture tool in %s', (dialect) => {
  test.each(fixturePack.tools.map((tool) => [tool.id, tool] as const))('%s', (_, tool) => {
    const compiled = compileSchema(modelInputSchema(tool), dialect)
    expect(findSchemaProblems(compiled.schema, compiled.dialect)).toEqual([])
    for (const { input } of tool.examples) {
      const original = JSON.parse(JSON.stringify(modelInput(tool, input)))
      expect(compiled.restore(compiled.express(original))).toEqual(original)
    }
  })
})

function compileZod(schema: z.ZodType, dialect: DialectName) {
  return compileSchema(toJsonSchema(schema), dialect)
}

function deep(levels: number): z.ZodType {
  return levels === 0 ? z.string() : z.object({ down: deep(levels - 1) })
}

describe('OpenAI’s strict mode', () => {
  test('every member is required, and optional members are nullable', () => {
    const { schema } = compileZod(
      z.object({ a: z.string(), b: z.int().optional() }),
      'openai-strict',
    )
    expect(schema).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: {
          anyOf: [
            { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
            { type: 'null' },
          ],
        },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    })
  })

  test('constraints that cannot be expressed are in the description and in the losses', () => {
    const { schema, losses } = compileZod(
      z.object({ a: z.string().min(2).max(5).describe('A name.') }),
      'openai-strict',
    )
    expect(schema.properties).toEqual({
      a: { type: 'string', description: 'A name. At least 2 characters. At most 5 characters.' },
    })
    expect(losses.map(({ path, keyword }) => [path, keyword])).toEqual([
      ['/properties/a', 'minLength'],
      ['/properties/a', 'maxLength'],
    ])
  })

  test('a schema that is nested too deeply is offered without strict', () => {
    expect(
      [9, 10, 11].map(
        (levels) => compileZod(z.object({ top: deep(levels) }), 'openai-strict').dialect,
      ),
    ).toEqual(['openai-strict', 'openai', 'openai'])
  })

  test('an enum with too many values is offered without strict', () => {
    const values = (count: number) =>
      Array.from({ length: count }, (_, index) => `v${index}`) as [string, ...string[]]
    expect(
      [1_000, 1_001].map(
        (count) => compileZod(z.object({ a: z.enum(values(count)) }), 'openai-strict').dialect,
      ),
    ).toEqual(['openai-strict', 'openai'])
  })

  test('a name that the dialect needs is changed if a tool uses the same name', () => {
    const { restore, express } = compileZod(
      z.object({ entries: z.string(), map: z.record(z.string(), z.int()) }),
      'openai-strict',
    )
    const value = { entries: 'mine', map: { a: 1, entries: 2 } }
    expect(express(value)).toEqual({
      entries: 'mine',
      map: {
        entries_: [
          { key: 'a', value: 1 },
          { key: 'entries', value: 2 },
        ],
      },
    })
    expect(restore(express(value))).toEqual(value)
  })

  test('branches that null makes ambiguous are reported', () => {
    const twins = z.object({
      x: z.union([z.object({ a: z.string().optional() }), z.object({ a: z.null() })]),
    })
    expect(
      compileZod(twins, 'openai-strict').losses.map(({ path, keyword }) => [path, keyword]),
    ).toEqual([['/properties/x', 'anyOf']])
  })

  test('nulls are removed from a value that matches no branch, so that only the real problem is reported', () => {
    const union = z.object({
      x: z.union([z.string(), z.object({ n: z.int().max(3), a: z.string().optional() })]),
    })
    expect(compileZod(union, 'openai-strict').restore({ x: { n: 9, a: null } })).toEqual({
      x: { n: 9 },
    })
  })
})

const Tree: z.ZodType = z.object({
  value: z.int(),
  get kids(): z.ZodType {
    return z.array(Tree).optional()
  },
})

describe('a recursive schema', () => {
  test('stays a reference for OpenAI, is offered without strict to Anthropic, and is unrolled for Gemini', () => {
    const dialects = ['openai-strict', 'anthropic-strict', 'gemini'] as const
    const all = dialects.map((dialect) => compileZod(z.object({ tree: Tree }), dialect))
    expect(
      all.map(({ dialect, losses }) => [dialect, losses.map(({ keyword }) => keyword)]),
    ).toEqual([
      ['openai-strict', []],
      ['anthropic', ['$ref']],
      ['gemini', ['$ref']],
    ])
    expect(JSON.stringify(all[2]?.schema)).not.toContain('$ref')
  })

  test('with many references is cut off before it grows without bounds', () => {
    const Wide: z.ZodType = z.object(
      Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [`child${index}`, z.lazy(() => Wide).optional()]),
      ),
    )
    expect(
      JSON.stringify(compileZod(z.object({ wide: Wide }), 'gemini').schema).length,
    ).toBeLessThan(1_000_000)
  })
})

describe('schemas from other sources', () => {
  test.each<[string, object]>([
    [
      'a union at the root',
      {
        anyOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: {} },
        ],
      },
    ],
    [
      'a reference at the root',
      {
        $ref: '#/$defs/A',
        $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } } },
      },
    ],
    [
      'parts that must all hold',
      {
        type: 'object',
        allOf: [
          { properties: { a: { type: 'string' } } },
          { properties: { b: { type: 'integer' } }, required: ['b'] },
        ],
      },
    ],
    [
      'parts that contain themselves',
      {
        type: 'object',
        properties: { a: { allOf: [{ $ref: '#' }, { properties: { b: { type: 'null' } } }] } },
      },
    ],
    ['a reference to itself', { type: 'object', properties: { a: { $ref: '#/properties/a' } } }],
    // As text, because an object with a member `then` looks like a promise.
    [
      'conditions',
      JSON.parse(
        '{"type":"object","properties":{"a":{"type":"string"}},"if":{"required":["a"]},"then":{"required":["b"]},"not":{"required":["c"]}}',
      ),
    ],
    [
      'names by pattern',
      {
        type: 'object',
        patternProperties: { '^x': { type: 'integer' } },
        properties: { a: {} },
        minProperties: 1,
      },
    ],
    [
      'lists of types',
      {
        type: 'object',
        properties: { a: { type: ['string', 'integer', 'null'], minLength: 2, minimum: 3 } },
      },
    ],
    [
      'truth values as schemas',
      { type: 'object', properties: { a: true, b: false, c: { items: true } } },
    ],
    ['a free form', { type: 'object' }],
    [
      'names that point',
      { type: 'object', properties: { 'a/b~c': { type: 'string', minLength: 1 } } },
    ],
    ['objects among the values', { type: 'object', properties: { a: { enum: [{ x: 1 }, 'y'] } } }],
  ])('%s', (_, schema) => {
    for (const dialect of DIALECTS) {
      const given = compileSchema(schema as never, dialect)
      expect(findSchemaProblems(given.schema, given.dialect), dialect).toEqual([])
    }
  })

  test('a union at the root is wrapped, and its values are unwrapped', () => {
    const schema = {
      anyOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
    }
    for (const dialect of ['openai', 'anthropic'] as const) {
      const { restore, express } = compileSchema(schema, dialect)
      expect([express({ a: 'x' }), restore({ input: { a: 'x' } }), restore({ a: 'x' })]).toEqual([
        { input: { a: 'x' } },
        { a: 'x' },
        { a: 'x' },
      ])
    }
  })
})
