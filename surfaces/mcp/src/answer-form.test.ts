import { zodSchema } from '@surehand/core/internal'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { answerForm } from './run-input-request.ts'

function formFor(schema: z.ZodType, draft?: unknown): ReturnType<typeof answerForm> {
  return answerForm(zodSchema(schema).toJson('input'), draft)
}

test.each<[string, z.ZodType, object]>([
  ['text', z.string().min(2).max(9), { type: 'string', minLength: 2, maxLength: 9 }],
  ['an address', z.email(), { type: 'string', format: 'email' }],
  ['a number', z.number().min(1).max(5), { type: 'number', minimum: 1, maximum: 5 }],
  ['yes or no', z.boolean(), { type: 'boolean' }],
  ['a choice', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
  [
    'a choice of constants',
    z.union([z.literal('a'), z.literal('b')]),
    { type: 'string', enum: ['a', 'b'] },
  ],
  [
    'several of a choice',
    z.array(z.enum(['a', 'b'])).max(1),
    { type: 'array', maxItems: 1, items: { type: 'string', enum: ['a', 'b'] } },
  ],
])('%s is one field', (_, schema, field) => {
  expect(formFor(schema)?.schema).toEqual({
    type: 'object',
    properties: { answer: field },
    required: ['answer'],
  })
})

test.each<[string, z.ZodType]>([
  ['an object in an object', z.object({ inner: z.object({ a: z.string() }) })],
  ['a list of anything', z.array(z.string())],
  ['something or nothing', z.string().nullable()],
  ['a choice of numbers', z.literal([1, 2])],
  ['text or a number', z.union([z.string(), z.number()])],
  ['any object', z.record(z.string(), z.string())],
  ['any value', z.json()],
])('%s is more than a form can say', (_, schema) => {
  expect(formFor(schema)).toBeUndefined()
})

test('a draft is the default of the fields that it fits', () => {
  const form = formFor(z.object({ a: z.string(), b: z.int(), c: z.enum(['x']) }), {
    a: 'hello',
    b: 1.5,
    c: 'y',
  })
  const { a, b, c } = form?.schema.properties ?? {}
  expect([a, b, c]).toEqual([
    { type: 'string', default: 'hello' },
    expect.not.objectContaining({ default: 1.5 }),
    { type: 'string', enum: ['x'] },
  ])
})

test('what must be there and was left as it was is the draft; what may be missing was cleared', () => {
  const form = formFor(z.object({ city: z.string(), note: z.string().optional() }), {
    city: 'Oslo',
    note: 'by train',
  })
  expect(form?.read({})).toEqual({ city: 'Oslo' })
  expect(form?.read({ city: 'Rome', note: 'by boat', else: 1 })).toEqual({
    city: 'Rome',
    note: 'by boat',
  })
  expect(formFor(z.boolean(), true)?.read({ answer: false })).toBe(false)
})
