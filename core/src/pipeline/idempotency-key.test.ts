import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { CallRow } from '../call/call-row.ts'
import { uuidOf } from '../call/canonical.ts'
import type { CallRequest } from '../call/request.ts'
import { scopedKey } from '../call/scope.ts'
import type { Contract } from '../define/contract.ts'
import { IdempotencyKey } from '../define/idempotency-key.ts'
import { defineTool } from '../define/tool.ts'
import { settleKey, withKeyField } from './validate.ts'

type Asked = {
  tool?: typeof byCaller
  given?: Record<string, unknown>
  request?: Partial<CallRequest>
}

const write: Contract<unknown, null, unknown> = {
  effect: 'writes.note',
  reversible: true,
  idempotency: 'caller',
}
const byCaller = noteTool(
  z.object({ text: z.string().optional(), idempotencyKey: IdempotencyKey }),
  write,
)
const derived = noteTool(z.object({ text: z.string().optional() }), {
  ...write,
  idempotency: () => 'natural',
})
const reading = noteTool(
  z.object({ text: z.string().optional(), idempotencyKey: IdempotencyKey.optional() }),
  { effect: 'read' },
)
const uuidKeyed = noteTool(
  z.object({ text: z.string().optional(), idempotency_key: z.uuid() }),
  write,
)

function noteTool(input: z.ZodObject, contract: Contract<never, null, never>) {
  const described = {
    id: 'note.add',
    title: 'Note',
    category: 'custom',
    description: 'Adds a note.',
  } as const
  return defineTool({
    ...described,
    input,
    output: z.null(),
    contract: contract as typeof write,
    execute: async () => null,
  })
}

function settle({ tool = byCaller, given = {}, request = {} }: Asked) {
  const caller = {
    tenant: 't',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const
  return settleKey({
    tool,
    callId: 'call_1',
    given,
    request: { tool: tool.id, input: given, caller, surface: 'test', ...request },
  })
}

const hostCall = { run: 'run_1', toolCall: 'tc_1' }
const refused = expect.objectContaining({ code: 'TOOL_INVALID_INPUT' })

describe('a key comes from', () => {
  test('the options of the call', () => {
    expect(settle({ request: { idempotencyKey: 'k1' } })).toEqual({ key: 'k1', source: 'caller' })
  })

  test('the field of the input that the tool declares as its key', () => {
    expect(settle({ given: { idempotencyKey: 'k1' } })).toEqual({ key: 'k1', source: 'caller' })
    expect(settle({ tool: uuidKeyed, given: { idempotency_key: 'k1' } })).toEqual({
      key: 'k1',
      source: 'caller',
    })
  })

  test('both, when they agree', () => {
    expect(settle({ given: { idempotencyKey: 'k1' }, request: { idempotencyKey: 'k1' } })).toEqual({
      key: 'k1',
      source: 'caller',
    })
  })

  test("the contract's function of the input, once the input is parsed", () => {
    expect(settle({ tool: derived })).toMatchObject({ source: 'derived' })
  })

  test("the framework's tool call together with the host's run", () => {
    expect(settle({ request: { hostCall } })).toEqual({
      key: scopedKey('run_1', 'tc_1'),
      source: 'host',
    })
  })

  test('the id of the call, when there is no stable key', () => {
    expect(settle({})).toEqual({ key: 'call_1', source: 'fresh' })
  })

  test('the id of the call for a read, whatever is sent', () => {
    const request = { idempotencyKey: 'k1', hostCall }
    expect(settle({ tool: reading, given: { idempotencyKey: 'k2' }, request })).toEqual({
      key: 'call_1',
      source: 'fresh',
    })
  })

  test('the row, when a call is resumed', () => {
    const resumes = { key: 'kept', keySource: 'host' } as CallRow
    expect(
      settle({
        given: { idempotencyKey: 'other' },
        request: { idempotencyKey: 'another', resumes },
      }),
    ).toEqual({
      key: 'kept',
      source: 'host',
    })
  })

  test('a field the tool does not declare is no key', () => {
    expect(settle({ tool: derived, given: { idempotencyKey: 'k1' } })).toMatchObject({
      source: 'derived',
    })
  })
})

describe('which comes first', () => {
  test("the caller's key before the derived one and the host's", () => {
    expect(settle({ tool: derived, request: { idempotencyKey: 'k1', hostCall } })).toEqual({
      key: 'k1',
      source: 'caller',
    })
    expect(settle({ given: { idempotencyKey: 'k1' }, request: { hostCall } })).toEqual({
      key: 'k1',
      source: 'caller',
    })
  })

  test("the derived key before the host's", () => {
    expect(settle({ tool: derived, request: { hostCall } })).toMatchObject({ source: 'derived' })
  })
})

describe('what is refused', () => {
  test('two keys that differ', () => {
    expect(() =>
      settle({ given: { idempotencyKey: 'k1' }, request: { idempotencyKey: 'k2' } }),
    ).toThrow(refused)
    expect(() =>
      settle({ given: { idempotencyKey: 'k1' }, request: { idempotencyKey: 'k1 ' } }),
    ).toThrow(refused)
  })

  test.each(['', 'x'.repeat(256), 'a\nb', 'a\n', '\u007f', 'schlüssel', '😀', '\u0000'])(
    'the key %j',
    (key) => {
      expect(() => settle({ request: { idempotencyKey: key } })).toThrow(refused)
      expect(() => settle({ given: { idempotencyKey: key } })).toThrow(refused)
    },
  )

  // Ignored, it would be replaced by a fresh key, and a repeated call would run twice.
  test('a key in the input that is not a string', () => {
    expect(() => settle({ given: { idempotencyKey: 17 } })).toThrow(refused)
  })

  test('no key of 1 to 255 printable characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 }), (key) => {
        expect(settle({ request: { idempotencyKey: key } })).toEqual({ key, source: 'caller' })
      }),
    )
  })

  test('names the field, and does not quote the value', () => {
    const details = {
      validation_errors: [
        { field: 'idempotencyKey', error: expect.any(String), provided_value: null },
      ],
    }
    expect(() => settle({ given: { idempotencyKey: 'a\nb' } })).toThrow(
      expect.objectContaining({ details }),
    )
  })
})

test("a host's ids make a key of 1 to 255 printable characters, whatever they are", () => {
  const key = (run: string) => settle({ request: { hostCall: { run, toolCall: 'tc_1' } } }).key
  for (const run of ['r'.repeat(300), 'läuft', '']) expect(key(run)).toMatch(/^[\x20-\x7e]{1,255}$/)
  expect(key(`${'r'.repeat(300)}1`)).not.toBe(key(`${'r'.repeat(300)}2`))
})

describe("the input's key field", () => {
  test('is filled with the key', () => {
    expect(withKeyField({ text: 'x' }, byCaller, 'k1')).toEqual({ text: 'x', idempotencyKey: 'k1' })
  })

  test('is a UUID made of the key where the schema requires one', () => {
    expect(withKeyField({}, uuidKeyed, 'k1')).toEqual({ idempotency_key: uuidOf('k1') })
  })

  test('is the key itself where that is a UUID', () => {
    const key = '3f1c9a52-7d0b-4f0e-9a34-5a1f0c2f7d11'
    expect(withKeyField({}, uuidKeyed, key)).toEqual({ idempotency_key: key })
  })

  test('is absent where the tool declares none', () => {
    expect(withKeyField({ text: 'x' }, derived, 'k1')).toEqual({ text: 'x' })
  })

  test('is set on a copy', () => {
    const input = Object.freeze({ text: 'x' })
    expect(withKeyField(input, byCaller, 'k1')).not.toBe(input)
  })
})
