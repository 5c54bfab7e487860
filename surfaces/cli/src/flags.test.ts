import { type JsonSchema, toJsonSchema } from '@surehand/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseLine } from './arguments.ts'
import { CALL_FLAGS } from './command-flags.ts'
import { fieldsOf } from './fields.ts'
import { flagsToInput } from './flags-to-input.ts'
import { inputToFlags, quoteCommand } from './input-to-flags.ts'

function parse(
  schema: JsonSchema,
  argv: readonly string[],
  onto: Record<string, unknown> = {},
): unknown {
  return flagsToInput(parseLine(argv, {}).rest, {
    about: { command: 'surehand call a.b', suggestion: 'surehand show a.b' },
    fields: fieldsOf(schema, []),
    secrets: [],
    onto,
  })
}

const wide = toJsonSchema(
  z.object({
    text: z.string().optional(),
    count: z.number().int().optional(),
    price: z.number().nullable().optional(),
    isOpen: z.boolean().optional(),
    'no-reply': z.boolean().optional(),
    level: z.enum(['low', 'high']).optional(),
    step: z.literal([1, 2, 3]).optional(),
    tags: z.array(z.string()).optional(),
    sizes: z.array(z.number()).optional(),
    lines: z.array(z.object({ sku: z.string(), amount: z.number() })).optional(),
    grid: z.array(z.array(z.number())).optional(),
    either: z.union([z.string(), z.number()]).optional(),
    labels: z.record(z.string(), z.string()).optional(),
    anything: z.unknown().optional(),
    party_size: z.number().optional(),
    home: z
      .object({
        street: z.string(),
        geo: z.object({ lat: z.number() }).optional(),
        isMain: z.boolean().optional(),
      })
      .optional(),
    data: z.string().optional(),
    json: z.boolean().optional(),
  }),
)

describe('flags become the input that the schema means', () => {
  test.each<[string, readonly string[], unknown]>([
    ['a text stays a text, though it looks like a number', ['--text', '12'], { text: '12' }],
    ['a number becomes one', ['--count', '12', '--price=-1.5e3'], { count: 12, price: -1500 }],
    ['a negative number needs no equals sign', ['--count', '-3'], { count: -3 }],
    ['yes and no', ['--isOpen'], { isOpen: true }],
    ['no', ['--no-isOpen'], { isOpen: false }],
    ['yes and no by word', ['--isOpen=false'], { isOpen: false }],
    ['a field that is really called no-…', ['--no-reply'], { 'no-reply': true }],
    ['an enum', ['--level', 'high'], { level: 'high' }],
    ['an enum of numbers', ['--step', '2'], { step: 2 }],
    [
      'lists repeat',
      ['--tags', 'a', '--tags', 'b', '--sizes', '1', '--sizes', '2'],
      { tags: ['a', 'b'], sizes: [1, 2] },
    ],
    ['a text in a list that looks like JSON', ['--tags', '["a"]'], { tags: ['["a"]'] }],
    [
      'a list of objects',
      ['--lines', '{"sku":"x","amount":1}'],
      { lines: [{ sku: 'x', amount: 1 }] },
    ],
    ['a list of lists', ['--grid', '[1,2]', '--grid', '[3]'], { grid: [[1, 2], [3]] }],
    ['an empty list', ['--tags:=[]'], { tags: [] }],
    ['null', ['--price:=null'], { price: null }],
    ['a text or a number', ['--either', '7'], { either: 7 }],
    ['the text of a number', ['--either:="7"'], { either: '7' }],
    [
      'into an object',
      ['--home.street', 'Main', '--no-home.isMain'],
      { home: { street: 'Main', isMain: false } },
    ],
    ['deeper than that is JSON', ['--home.geo', '{"lat":1}'], { home: { geo: { lat: 1 } } }],
    ['an object whole', ['--home', '{"street":"Main"}'], { home: { street: 'Main' } }],
    ['a record', ['--labels', '{"a":"b"}'], { labels: { a: 'b' } }],
    [
      'dashes for other spellings',
      ['--party-size', '4', '--no-is-open'],
      { party_size: 4, isOpen: false },
    ],
    [
      'a field called like a flag of the command',
      ['--field.data', 'x', '--field.json'],
      { data: 'x', json: true },
    ],
    ['a value that begins with dashes', ['--text=--json'], { text: '--json' }],
    ['an empty value', ['--text='], { text: '' }],
  ])('%s', (_, argv, input) => {
    expect(parse(wide, argv)).toEqual(input)
  })

  test('flags are laid over what --input said, and a list is begun anew', () => {
    expect(
      parse(wide, ['--home.street', 'New', '--tags', 'c'], {
        home: { street: 'Old', isMain: true },
        tags: ['a'],
        text: 'kept',
      }),
    ).toEqual({
      home: { street: 'New', isMain: true },
      tags: ['c'],
      text: 'kept',
    })
  })

  test.each<[string, readonly string[], RegExp]>([
    [
      'a flag nobody knows, with the nearest',
      ['--cuont', '3'],
      /no flag --cuont here\. Did you mean --count\?/,
    ],
    ['no number', ['--count', 'three'], /--count takes a number.*not "three"/],
    [
      'a whole number that would become another one',
      ['--count', '9007199254740993'],
      /takes a number/,
    ],
    ['a choice that is none', ['--level', 'middle'], /one of low, high, not "middle"/],
    ['broken JSON', ['--labels', '{a}'], /takes JSON text/],
    ['a flag without its value', ['--text'], /needs a value/],
    ['a flag whose value is the next flag', ['--text', '--isOpen'], /needs a value/],
    ['a word without its flag', ['--isOpen', 'yes'], /"yes" is not the value of any flag/],
  ])('refused: %s', (_, argv, message) => {
    expect(() => parse(wide, argv)).toThrow(message)
  })

  test('a field called __proto__ is a field and nothing else', () => {
    const schema = {
      type: 'object',
      properties: JSON.parse(
        '{"__proto__":{"type":"object","properties":{"admin":{"type":"boolean"}}}}',
      ),
    }
    const input = parse(schema, ['--__proto__.admin'])
    expect(JSON.stringify(input)).toBe('{"__proto__":{"admin":true}}')
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test('references and recursion within the schema are followed, and end', () => {
    const node: JsonSchema = {
      $defs: {
        node: {
          type: 'object',
          properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
        },
        loop: { $ref: '#/$defs/loop' },
      },
      type: 'object',
      properties: { first: { $ref: '#/$defs/node' }, odd: { $ref: '#/$defs/loop' } },
    }
    expect(fieldsOf(node, []).map(({ name, form }) => [name, form.kind])).toEqual([
      ['first', 'json'],
      ['first.name', 'text'],
      ['first.next', 'json'],
      ['odd', 'json'],
    ])
  })
})

describe('any input comes back from the flags that are written for it', () => {
  const text = fc.string({ unit: 'grapheme' })
  const leaf = fc.oneof(
    fc.constant({ schema: { type: 'string' }, value: text as fc.Arbitrary<unknown> }),
    fc.constant({
      schema: { type: 'number' },
      value: fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .filter((n) => Number.isSafeInteger(n) || !/^-?\d+$/.test(String(n))),
    }),
    fc.constant({ schema: { type: 'integer' }, value: fc.maxSafeInteger() }),
    fc.constant({ schema: { type: 'boolean' }, value: fc.boolean() }),
    fc.constant({
      schema: { enum: ['a b', '-c', '', 'd\n'] },
      value: fc.constantFrom('a b', '-c', '', 'd\n'),
    }),
    fc.constant({
      schema: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      value: fc.oneof(text, fc.constant(null)),
    }),
    fc.constant({
      schema: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      value: fc.oneof(text, fc.integer()),
    }),
    fc.constant({ schema: {}, value: fc.jsonValue() }),
  )
  type Made = { readonly schema: object; readonly value: fc.Arbitrary<unknown> }
  const list = leaf.map(
    (inner: Made): Made => ({
      schema: { type: 'array', items: inner.schema },
      value: fc.array(inner.value, { maxLength: 3 }),
    }),
  )
  const name = fc.oneof(
    fc.constantFrom('data', 'input', 'no-x', 'x', 'a.b', 'weird name', 'k=v', 'z:'),
    fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,6}$/),
  )
  const object = (members: fc.Arbitrary<Made>): fc.Arbitrary<Made> =>
    fc.dictionary(name, members, { maxKeys: 4, noNullPrototype: true }).map((properties) => ({
      schema: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, made]) => [key, made.schema]),
        ),
      },
      value: fc.record(
        Object.fromEntries(Object.entries(properties).map(([key, made]) => [key, made.value])),
        {
          requiredKeys: [],
          noNullPrototype: true,
        },
      ),
    }))
  const anyMade = object(fc.oneof(leaf, list, object(fc.oneof(leaf, list, object(leaf)))))
  const cases = anyMade.chain(({ schema, value }) =>
    value.map((input) => ({
      schema: schema as JsonSchema,
      input: input as Record<string, unknown>,
    })),
  )

  test('for every schema', () => {
    fc.assert(
      fc.property(cases, ({ schema, input }) => {
        const fields = fieldsOf(schema, [])
        const words = inputToFlags(input, fields, { secrets: [], taken: CALL_FLAGS })
        const at = words.indexOf('--input')
        const [flags, aside] = at === -1 ? [words, '{}'] : [words.slice(0, at), words[at + 1] ?? '']
        const back = parse(schema, flags, JSON.parse(aside))
        expect(JSON.parse(JSON.stringify(back))).toEqual(JSON.parse(JSON.stringify(input)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('and a shell gives the words back', async () => {
    const { execFileSync } = await import('node:child_process')
    const words = [
      "it's",
      'a b',
      '$(id)',
      '`id`',
      '\u001b[31m',
      'line\nbreak',
      '\u202e',
      '',
      '\\',
      '"',
      '⟨',
      'ü',
      '👍',
      "'\n'",
    ]
    const back = execFileSync('bash', ['-c', `printf '%s\\0' ${quoteCommand(words)}`], {
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    expect(back.toString().split('\0').slice(0, -1)).toEqual(words)
    expect(quoteCommand(words)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})

test('bytes in base64 are read from the file that a flag without "Bytes" names', () => {
  const schema = toJsonSchema(
    z.object({ imageBytes: z.string().meta({ contentEncoding: 'base64' }).optional() }),
  )
  const file = new URL(import.meta.url).pathname
  const { imageBytes } = parse(schema, ['--image', file]) as { readonly imageBytes: string }
  expect(Buffer.from(imageBytes, 'base64').toString()).toContain(
    'that a flag without "Bytes" names',
  )
  expect(parse(schema, ['--imageBytes', 'AAAA'])).toEqual({ imageBytes: 'AAAA' })
  expect(() => parse(schema, ['--image', '/none.jpg'])).toThrow('/none.jpg cannot be read')
})
