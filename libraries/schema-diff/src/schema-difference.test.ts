import { type JsonSchema, toJsonSchema } from '@surehand/core/internal'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { changeLevel, type SchemaChange, schemaDifference } from './schema-difference.ts'

type Schema = JsonSchema | boolean | undefined

// a change that breaks is marked with !
function describeChanges(
  before: Schema,
  after: Schema,
  direction: 'input' | 'output' = 'input',
): readonly string[] {
  return schemaDifference(before, after, direction).map(({ what, breaking }) =>
    breaking ? `! ${what}` : what,
  )
}

const text = { type: 'string' }
const whole = { type: 'integer' }
const number = { type: 'number' }

function object(properties: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, ...more }
}

function kind(name: string, properties: JsonSchema = {}): JsonSchema {
  return object({ kind: { const: name }, ...properties }, { required: ['kind'] })
}

test('a change says where, what and whether it breaks', () => {
  const before = object({
    guests: { type: 'array', items: object({ age: { ...whole, minimum: 1 } }) },
  })
  const after = object({
    guests: { type: 'array', items: object({ age: { ...whole, minimum: 5 } }) },
  })
  expect(schemaDifference(before, after, 'input')).toEqual([
    { path: 'guests[].age', what: 'minimum of "guests[].age" went up from 1 to 5', breaking: true },
  ])
})

describe('unions', () => {
  test('one more member breaks no input, one less does', () => {
    expect(
      describeChanges({ anyOf: [text, whole] }, { anyOf: [whole, text, { type: 'boolean' }] }),
    ).toEqual(['the input now also accepts a boolean'])
    expect(describeChanges({ anyOf: [text, whole] }, { anyOf: [whole] })).toEqual([
      '! the input no longer accepts a string',
    ])
  })

  test('members may stand in any order', () => {
    expect(describeChanges({ anyOf: [text, whole] }, { anyOf: [whole, text] })).toEqual([])
    expect(
      describeChanges({ oneOf: [kind('a'), kind('b')] }, { oneOf: [kind('b'), kind('a')] }),
    ).toEqual([])
  })

  test('a variant that is distinguished by a field may come, and may not go', () => {
    const two = { oneOf: [kind('a'), kind('b', { size: whole })] }
    const three = { oneOf: [kind('b', { size: number }), kind('c'), kind('a')] }
    expect(describeChanges(two, three)).toEqual(
      [
        'the input now also accepts the variant with "kind" = "c"',
        '"size" now also accepts a fraction',
      ].toSorted((left) => (left.startsWith('"') ? -1 : 1)),
    )
    expect(describeChanges(three, two)).toContain(
      '! the input no longer accepts the variant with "kind" = "c"',
    )
    expect(describeChanges(two, three, 'output')).toContain(
      '! the output may now be the variant with "kind" = "c"',
    )
  })

  test('a variant may get an optional field, though another one has it with another type', () => {
    const before = { oneOf: [kind('a'), kind('b', { size: whole })] }
    expect(
      describeChanges(before, { oneOf: [kind('a', { size: text }), kind('b', { size: whole })] }),
    ).toEqual(['"size" is new'])
  })

  test('variants of oneOf that may both fit are not taken for a wider union', () => {
    expect(describeChanges(whole, { oneOf: [whole, { minimum: 3 }] })).toContain(
      '! the variants may overlap, and no more than one may fit',
    )
    expect(describeChanges(whole, { anyOf: [whole, { minimum: 3 }] })).toEqual([
      'the input now also accepts null, a boolean, a fraction, a string or 2 more',
    ])
  })

  test('allOf is what its members say together', () => {
    const split = {
      allOf: [
        object({ a: text }),
        object({ b: { ...whole, minimum: 1 } }, { required: ['a'] }),
        { properties: { b: { maximum: 9 } } },
      ],
    }
    const merged = object({ a: text, b: { ...whole, minimum: 1, maximum: 9 } }, { required: ['a'] })
    expect(describeChanges(split, merged)).toEqual([])
    expect(describeChanges(merged, split, 'output')).toEqual([])
  })
})

describe('references', () => {
  test('a schema that moved to $defs is the same, and so is one behind other names', () => {
    const address = object({ street: text })
    const inline = object({ from: address, to: address })
    const shared = object(
      { from: { $ref: '#/$defs/a~1b%20' }, to: { $ref: '#place' } },
      { $defs: { 'a/b ': address, c: { $anchor: 'place', ...address } } },
    )
    expect(describeChanges(inline, shared)).toEqual([])
    expect(describeChanges(shared, inline, 'output')).toEqual([])
  })

  test('what a reference leads to may change under the same name', () => {
    const before = object({ a: { $ref: '#/$defs/size' } }, { $defs: { size: number } })
    expect(
      describeChanges(before, object({ a: { $ref: '#/$defs/size' } }, { $defs: { size: whole } })),
    ).toEqual(['! "a" no longer accepts a fraction'])
    const hidden = { not: { $ref: '#/$defs/size' } }
    expect(
      describeChanges(
        { ...hidden, $defs: { size: whole } },
        { ...hidden, $defs: { size: number } },
      ),
    ).toEqual([`! "not" changed in a way that can't be compared`])
  })

  const tree = (leaf: JsonSchema) =>
    object({ leaf, kids: { type: 'array', items: { $ref: '#' } } }, { required: ['leaf'] })

  test('a schema that contains itself is compared once', () => {
    expect(describeChanges(tree(whole), tree(number))).toEqual([
      '"leaf" now also accepts a fraction',
    ])
    expect(describeChanges(tree(number), tree(whole))).toEqual([
      '! "leaf" no longer accepts a fraction',
    ])
    const unrolled = {
      ...tree(whole),
      properties: { leaf: whole, kids: { type: 'array', items: { $ref: '#/$defs/t' } } },
      $defs: {
        t: {
          ...tree(whole),
          properties: { leaf: whole, kids: { items: { $ref: '#' }, type: 'array' } },
        },
      },
    }
    expect(describeChanges(tree(whole), unrolled)).toEqual([])
  })

  // proven while a claim was assumed that then failed: it must be forgotten with the claim
  test('what holds only if another branch holds is not remembered', () => {
    const list = (leaf: JsonSchema, name: string) =>
      object({ leaf, next: { $ref: `#/$defs/${name}` } })
    const before = {
      anyOf: [{ $ref: '#/$defs/a' }],
      $defs: { a: list(number, 'b'), b: object({ leaf: text, next: { $ref: '#/$defs/a' } }) },
    }
    const after = {
      anyOf: [{ $ref: '#/$defs/a' }],
      $defs: { a: list(whole, 'b'), b: object({ leaf: text, next: { $ref: '#/$defs/a' } }) },
    }
    expect(describeChanges(before, after)).toEqual(['! "leaf" no longer accepts a fraction'])
    const other = {
      properties: { x: { $ref: '#/$defs/b' }, y: { $ref: '#/$defs/a' } },
      type: 'object',
    }
    expect(
      describeChanges({ ...before, ...other, anyOf: [{}] }, { ...after, ...other, anyOf: [{}] }),
    ).toEqual(
      expect.arrayContaining([
        '! "x.next.leaf" no longer accepts a fraction',
        '! "y.leaf" no longer accepts a fraction',
      ]),
    )
  })

  const unreadable = `"a" holds a schema that can't be read, or a reference that can't be followed`

  test.each<[string, JsonSchema]>([
    ['leads nowhere', { $ref: '#/$defs/gone' }],
    ['leads elsewhere', { $ref: 'https://example.com/schema' }],
    ['depends on who refers', { $dynamicRef: '#it' }],
  ])('a reference that %s is not guessed', (_what, reference) => {
    expect(describeChanges(object({ a: text }), object({ a: reference }))).toEqual([
      `! ${unreadable}`,
    ])
    expect(describeChanges(object({ a: reference }), object({ a: text }))).toEqual([
      `! ${unreadable}`,
    ])
  })

  test('a reference is the same only if what it leads to is', () => {
    const elsewhere = { $ref: 'https://example.com/schema' }
    expect(describeChanges(object({ a: elsewhere }), object({ a: elsewhere, b: text }))).toEqual([
      '"b" is new',
    ])
    expect(
      describeChanges(
        object({ a: elsewhere }, { $id: 'a' }),
        object({ a: elsewhere, b: text }, { $id: 'b' }),
      ),
    ).toContain(`! ${unreadable}`)
    const nowhere = { $ref: '#/$defs/gone' }
    expect(describeChanges(object({ a: nowhere }), object({ a: nowhere, b: text }))).toContain(
      `! ${unreadable}`,
    )
    const inner = { $ref: '#/$defs/here', $defs: { here: text } }
    const embedded = { $id: 'inner', ...inner }
    expect(
      describeChanges(
        object({ a: inner }, { $defs: { here: whole } }),
        object({ a: embedded }, { $defs: { here: whole } }),
      ),
    ).toContain(`! ${unreadable}`)
  })
})

describe('the step in the version', () => {
  const level = (before: Schema, after: Schema) =>
    changeLevel(schemaDifference(before, after, 'input'))

  test.each<[string, JsonSchema, JsonSchema, SchemaChange[]]>([
    [
      'a description',
      { ...text, description: 'a' },
      { ...text, description: 'b' },
      [{ path: '', what: 'description changed', breaking: false, isWording: true }],
    ],
    [
      'a title',
      text,
      { ...text, title: 'A' },
      [{ path: '', what: 'title is new', breaking: false, isWording: true }],
    ],
    [
      'examples',
      { ...text, examples: [1] },
      text,
      [{ path: '', what: 'examples is gone', breaking: false, isWording: true }],
    ],
  ])('is a patch for %s', (_what, before, after, changes) => {
    expect(schemaDifference(before, after, 'input')).toEqual(changes)
    expect(level(before, after)).toBe('patch')
  })

  test('is minor for another default, which changes what is meant', () => {
    expect(
      describeChanges(
        object({ a: { ...whole, default: 1 } }),
        object({ a: { ...whole, default: 2 } }),
      ),
    ).toEqual(['default of "a" changed from 1 to 2'])
    expect(
      describeChanges(
        object({ a: whole }),
        object({ a: { ...whole, default: 2, deprecated: true } }),
      ),
    ).toEqual(['default of "a" is now 2', 'deprecated of "a" is now true'])
    expect(level(object({ a: { default: 1 } }), object({ a: {} }))).toBe('minor')
  })

  test('is major where a required field loses its default, which was filled in for callers that left it out', () => {
    const before = object({ a: { ...whole, default: 1 } }, { required: ['a'] })
    const after = object({ a: whole }, { required: ['a'] })
    expect(describeChanges(before, after)).toEqual(['! default of "a" is no longer 1'])
    expect(describeChanges(before, after, 'output')).toEqual(['default of "a" is no longer 1'])
  })

  test('is none for order, for unused definitions and for equivalent schemas', () => {
    expect(
      level(object({ a: text, b: whole }), {
        properties: { b: whole, a: text },
        type: 'object',
        $defs: { c: text },
      }),
    ).toBe('none')
    expect(level({ ...whole, minimum: 1 }, { ...whole, exclusiveMinimum: 0 })).toBe('none')
    expect(changeLevel([])).toBe('none')
  })

  test('is the largest of all', () => {
    expect(level(object({ a: { ...text, title: 'A' } }), object({ a: text, b: text }))).toBe(
      'minor',
    )
    expect(level(object({ a: { ...text, title: 'A' } }), object({ a: whole, b: text }))).toBe(
      'major',
    )
  })
})

describe('tools', () => {
  const before = z.object({
    name: z.string().min(1).max(200).describe('What it is called.'),
    category: z.enum(['health', 'social', 'other']).default('other'),
    reminder: z.iso.time().optional(),
    contact: z.discriminatedUnion('by', [
      z.object({ by: z.literal('email'), address: z.email() }),
      z.object({ by: z.literal('post') }),
    ]),
  })

  test('that grow break no caller', () => {
    const after = before.extend({
      name: z.string().min(1).max(300).describe('The name of it.'),
      category: z.enum(['health', 'social', 'work', 'other']).nullable().default('other'),
      notes: z.string().optional(),
      contact: z.discriminatedUnion('by', [
        ...before.shape.contact.options,
        z.object({ by: z.literal('phone'), number: z.string() }),
      ]),
    })
    const changes = schemaDifference(toJsonSchema(before), toJsonSchema(after), 'input')
    expect(changes.map(({ what }) => what)).toEqual([
      '"notes" is new',
      'maximum length of "name" went up from 200 to 300',
      '"category" now also accepts "work"',
      '"category" now also accepts null',
      '"contact" now also accepts the variant with "by" = "phone"',
      'description of "name" changed',
    ])
    expect(changeLevel(changes)).toBe('minor')
  })

  test('that shrink break inputs', () => {
    const after = before.extend({
      category: z.enum(['health', 'other']).default('other'),
      reminder: z.iso.time(),
      owner: z.string(),
    })
    expect(
      describeChanges(toJsonSchema(before), toJsonSchema(after)).filter((what) =>
        what.startsWith('!'),
      ),
    ).toEqual([
      '! "reminder" is now required',
      '! "owner" is now required',
      '! "category" no longer accepts "social"',
    ])
  })

  test('may answer with more fields, and not with fewer', () => {
    const small = toJsonSchema(z.object({ id: z.string() }), { io: 'output' })
    const large = toJsonSchema(z.object({ id: z.string(), at: z.string() }), { io: 'output' })
    expect(describeChanges(small, large, 'output')).toEqual([
      '"at" is new',
      '"at" is now always there',
    ])
    expect(describeChanges(large, small, 'output')).toEqual([
      '! "at" may now be missing',
      '"at" is gone',
    ])
  })
})
