import { expect, test } from 'vitest'
import { z } from 'zod'
import { toJsonSchema } from './json-schema.ts'

const Quantity = z
  .int()
  .min(1)
  .max(999)
  .meta({ title: 'quantity', description: 'How many pieces, 1 to 999.', examples: [1] })

const Money = z.object({ amount: z.int(), currency: z.string() }).meta({
  title: 'money',
  description: 'An amount in minor units of its currency, never a decimal fraction.',
  examples: [{ amount: 1999, currency: 'EUR' }],
})

const Line = z.object({
  quantity: Quantity,
  note: z.string().optional(),
  gift: z.boolean().default(false),
})

test('the whole schema is tagged with the 2020-12 dialect and carries the given annotations', () => {
  const schema = toJsonSchema(Line, {
    title: 'line',
    description: 'A line of a cart.',
    examples: [{ quantity: 2 }],
  })
  expect(schema).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'line',
    description: 'A line of a cart.',
    examples: [{ quantity: 2 }],
    type: 'object',
    properties: {
      quantity: {
        type: 'integer',
        minimum: 1,
        maximum: 999,
        title: 'quantity',
        description: 'How many pieces, 1 to 999.',
        examples: [1],
      },
      note: { type: 'string' },
      gift: { type: 'boolean', default: false },
    },
    required: ['quantity'],
  })
})

test('a caller may leave defaults out and send more; the output has every key and no other', () => {
  expect(toJsonSchema(Line)).not.toHaveProperty('additionalProperties')
  expect(toJsonSchema(Line, { io: 'output' })).toMatchObject({
    required: ['quantity', 'gift'],
    additionalProperties: false,
  })
})

test('what the options leave out is taken from the schema, and is absent where neither says it', () => {
  expect(toJsonSchema(Money, { title: 'price' })).toMatchObject({
    title: 'price',
    description: 'An amount in minor units of its currency, never a decimal fraction.',
    examples: [{ amount: 1999, currency: 'EUR' }],
  })
  expect(Object.keys(toJsonSchema(z.string()))).toEqual(['$schema', 'type'])
})

test('the result is plain JSON', () => {
  const schema = toJsonSchema(Money)
  expect(JSON.parse(JSON.stringify(schema))).toStrictEqual(schema)
  expect(Object.getOwnPropertyNames(schema)).toEqual(Object.keys(schema))
})

test('2020-12 keywords are used, not those of draft-07', () => {
  const schema = toJsonSchema(
    z.object({ pair: z.tuple([z.string(), z.number()]), one: z.literal('a') }),
  )
  expect(schema.properties).toMatchObject({
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
    one: { type: 'string', const: 'a' },
  })
})

test('a schema that JSON Schema cannot say is refused', () => {
  expect(() => toJsonSchema(z.date())).toThrow(/Date/)
})
