import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { IdempotencyKey } from '../define/idempotency-key.ts'
import { sensitive } from '../define/sensitive.ts'
import { defineTool } from '../define/tool.ts'
import { definitionHash, modelInputSchema, describe as published } from './describe.ts'

type Form = Parameters<typeof defineTool>[0]

const base = {
  id: 'booking.book',
  title: 'Book',
  category: 'integration',
  description: 'Books a slot.',
  input: z.object({
    slotId: z.string().describe('A held slot.'),
    seats: z.int().default(1),
    userId: z.string().optional(),
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({ confirmation: z.string() }),
  contract: {
    effect: 'writes.booking',
    reversible: false,
    idempotency: 'caller',
    permissions: { roles: ['user'], capabilities: [{ name: 'booking.write', scope: 'self' }] },
    auth: 'session',
    approval: () => 'Book?',
  },
  execute: async () => ({ confirmation: 'c1' }),
} satisfies Form

const make = (change: Partial<Form> = {}) => defineTool({ ...base, ...change } as Form)
const contract = (change: object) =>
  make({ contract: { ...base.contract, ...change } as Form['contract'] })
const tool = make()

test('a published definition says what a model or an approver sees', () => {
  const { input, output, ...rest } = published(tool)
  expect(rest).toMatchObject({
    id: 'booking.book',
    title: 'Book',
    category: 'integration',
    version: '1.0.0',
    description: 'Books a slot.',
    effect: 'writes.booking',
    reversible: false,
    approval: 'confirm',
    auth: 'session',
    roles: ['user'],
    capabilities: [{ name: 'booking.write', scope: 'self' }],
  })
  expect(input).toMatchObject({ type: 'object', required: ['slotId', 'idempotencyKey'] })
  expect(output).toMatchObject({
    type: 'object',
    required: ['confirmation'],
    additionalProperties: false,
  })
})

test('a published definition is plain JSON', () => {
  expect(JSON.parse(JSON.stringify(published(tool)))).toStrictEqual(published(tool))
})

describe('the hash changes with', () => {
  const { input } = base
  test.each([
    ['the id', make({ id: 'booking.reserve' })],
    ['the title', make({ title: 'Reserve' })],
    ['the category', make({ category: 'custom' })],
    ['the version', make({ version: '1.0.1' })],
    ['the description', make({ description: 'Books a slot. ' })],
    ['a new input field', make({ input: input.extend({ notes: z.string().optional() }) })],
    [
      "a field's description",
      make({ input: input.extend({ slotId: z.string().describe('A slot.') }) }),
    ],
    [
      "a field's bounds",
      make({ input: input.extend({ slotId: z.string().max(9).describe('A held slot.') }) }),
    ],
    ['a default', make({ input: input.extend({ seats: z.int().default(2) }) })],
    [
      'the output',
      make({ output: z.object({ confirmation: z.string(), seats: z.number().optional() }) }),
    ],
    ['the effect', contract({ effect: 'writes.payment' })],
    ['whether it can be undone', contract({ reversible: true })],
    ['the kind of approval', contract({ approval: { kind: 'admin', asks: () => 'Book?' } })],
    ['no approval', contract({ approval: undefined })],
    ['the level of authentication', contract({ auth: 'service' })],
    ['the roles', contract({ permissions: { ...base.contract.permissions, roles: ['admin'] } })],
    ['a scope', contract({ permissions: { roles: ['user'], capabilities: ['booking.write'] } })],
    ['what becomes of unknown keys', contract({ unknownKeys: 'refuse' })],
  ])('%s', (_what, changed) => {
    expect(definitionHash(changed)).not.toBe(definitionHash(tool))
  })

  // the model no longer sees the field, and the approver no longer sees the value
  test.each([
    ["a field that becomes the caller's", make({ fromCaller: { userId: 'principal' } })],
    [
      'a field that becomes secret',
      make({
        input: base.input.extend({ slotId: sensitive(z.string().describe('A held slot.')) }),
      }),
    ],
  ])('%s', (_what, changed) => {
    expect(definitionHash(changed)).not.toBe(definitionHash(tool))
  })
})

describe('the hash stays with', () => {
  test.each([
    ['the same definition, made again', make()],
    ['other code', make({ execute: async () => ({ confirmation: 'c2' }) })],
    [
      'a timeout, limits and retries',
      contract({ timeout: '1m', retries: 3, limits: [{ calls: 1, per: '1s' }] }),
    ],
    ['an alias', make({ aliases: ['book'] })],
  ])('%s', (_what, same) => {
    expect(definitionHash(same)).toBe(definitionHash(tool))
  })

  test('every call, in 64 hex digits', () => {
    expect(definitionHash(tool)).toBe(definitionHash(tool))
    expect(definitionHash(tool)).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('the input as a model sees it', () => {
  const seen = modelInputSchema(make({ fromCaller: { userId: 'principal' } })) as {
    properties: object
    required: string[]
  }

  test('leaves out the key, which a model never invents', () => {
    expect(seen.properties).not.toHaveProperty('idempotencyKey')
    expect(seen.required).toEqual(['slotId'])
  })

  test("leaves out the fields that are the caller's", () => {
    expect(Object.keys(seen.properties)).toEqual(['slotId', 'seats'])
  })

  test('is else the published one', () => {
    const { $schema: _s, properties: _p, required: _r, ...rest } = published(tool).input
    expect(seen).toMatchObject(rest)
  })

  test('is the published one without its dialect where there is nothing to leave out', () => {
    const plain = make({ input: z.object({ slotId: z.string() }) })
    const { $schema: _, ...input } = published(plain).input
    expect(modelInputSchema(plain)).toEqual(input)
  })

  test('says a closed tuple without `items: false`, and a whole number without its outermost bounds', () => {
    const input = z.object({
      span: z.tuple([z.string(), z.int()]),
      seats: z.int().min(1).default(1),
    })
    expect(modelInputSchema(make({ input })).properties).toEqual({
      span: {
        type: 'array',
        minItems: 2,
        maxItems: 2,
        prefixItems: [{ type: 'string' }, { type: 'integer' }],
      },
      seats: { type: 'integer', minimum: 1, default: 1 },
    })
  })
})
