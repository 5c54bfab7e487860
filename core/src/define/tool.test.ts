import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { IdempotencyKey } from './idempotency-key.ts'
import { definePort, sameKey } from './port.ts'
import { defineTool, transact } from './tool.ts'
import { defineTransaction } from './transaction.ts'

interface Notes {
  add(args: { text: string }, signal: AbortSignal): Promise<null>
}
const notes = definePort<Notes>('notes', { add: sameKey({ validFor: '1d' }) })

const form = {
  id: 'note.add',
  title: 'Add a note',
  category: 'custom',
  description: 'Adds a note.',
  input: z.object({ text: z.string() }),
  output: z.null(),
  contract: { effect: 'writes.note', reversible: true, idempotency: 'caller' },
  execute: async () => null,
} as const

test('a tool is frozen', () => {
  const tool = defineTool(form)
  expect(Object.isFrozen(tool)).toBe(true)
  expect(Object.isFrozen(tool.contract)).toBe(true)
})

test('what the author leaves out has its default', () => {
  const tool = defineTool(form)
  expect(tool).toMatchObject({
    version: '1.0.0',
    aliases: [],
    kind: 'sync',
    examples: [],
    keyField: undefined,
    check: undefined,
  })
  expect([...tool.ports, ...tool.fromCaller]).toEqual([])
})

test('what the author says is kept', () => {
  const check = () => undefined
  const examples = [{ name: 'short', input: { text: 'x' } }]
  const tool = defineTool({
    ...form,
    version: '2.1.0',
    aliases: ['addNote'],
    kind: 'async',
    examples,
    check,
    fromCaller: { text: 'principal' },
    ports: { notes },
  })
  expect(tool).toMatchObject({
    id: 'note.add',
    title: 'Add a note',
    category: 'custom',
    description: 'Adds a note.',
  })
  expect(tool).toMatchObject({
    version: '2.1.0',
    aliases: ['addNote'],
    kind: 'async',
    examples,
    check,
  })
  expect([...tool.ports]).toEqual([['notes', notes]])
  expect([...tool.fromCaller]).toEqual([['text', 'principal']])
  expect(tool.work).toEqual({ kind: 'execute', execute: form.execute })
})

test.each(['note.add', 'a', 'habits.tracker.add', '_x.y-z', 'A1.b2', 'x'.repeat(64)])(
  'the id %s is accepted',
  (id) => {
    expect(defineTool({ ...form, id }).id).toBe(id)
  },
)

test.each([
  '',
  '.',
  'note.',
  '.add',
  'note..add',
  '1note',
  'note.1',
  'note add',
  'nöte',
  'note/add',
  'note\n',
  '-x',
  'x'.repeat(65),
  '__proto__.',
  'note.add ',
])('the id %j is refused', (id) => {
  expect(() => defineTool({ ...form, id })).toThrow(
    `Tool "${id}": an id is namespace.action in letters, digits, "_" and "-", at most 64 characters.`,
  )
})

test.each(['1', '1.0', 'v1.0.0', '1.0.0-beta', '1.0.0.0', '', 'latest', '1.0.0\n'])(
  'the version %j is refused',
  (version) => {
    expect(() => defineTool({ ...form, version })).toThrow(
      `Tool "note.add": the version "${version}" is not major.minor.patch.`,
    )
  },
)

test.each(['', ' ', '\n\t'])('the description %j is refused', (description) => {
  expect(() => defineTool({ ...form, description })).toThrow(
    'Tool "note.add": a description is what the model reads; it cannot be empty.',
  )
})

test.each([
  z.string(),
  z.array(z.string()),
  z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
])('an input that is no object is refused', (input) => {
  expect(() => defineTool({ ...form, input })).toThrow(
    'Tool "note.add": the input must be an object: models and flags fill named fields.',
  )
})

test('trouble with a schema or a contract names the tool and keeps the cause', () => {
  const define = () => defineTool({ ...form, input: z.object({ at: z.date() }) })
  expect(define).toThrow('Tool "note.add": The field "at" uses z.date: use Rfc3339DateTime.')
  expect(define).toThrow(expect.objectContaining({ cause: expect.any(TypeError) }))
  expect(() => defineTool({ ...form, contract: { ...form.contract, retries: 1.5 } })).toThrow(
    'Tool "note.add": retries is 1.5',
  )
})

describe('the key field', () => {
  test.each(['idempotencyKey', 'idempotency_key'])('is %s where the input has it', (field) => {
    expect(
      defineTool({ ...form, input: z.object({ text: z.string(), [field]: IdempotencyKey }) })
        .keyField,
    ).toBe(field)
  })

  test('is no part of what the call means', () => {
    const { input } = defineTool({
      ...form,
      input: z.object({ text: z.string(), idempotencyKey: IdempotencyKey }),
    })
    expect(input.write({ text: 'x', idempotencyKey: 'k1' }).text).toBe('{"text":"x"}')
  })

  test('is found in an object that is read-only', () => {
    expect(
      defineTool({ ...form, input: z.object({ idempotencyKey: IdempotencyKey }).readonly() })
        .keyField,
    ).toBe('idempotencyKey')
  })

  test('further inside is a field like any other', () => {
    expect(
      defineTool({
        ...form,
        input: z.object({ inner: z.object({ idempotencyKey: IdempotencyKey }) }),
      }).keyField,
    ).toBeUndefined()
  })
})

describe('keys the input does not know', () => {
  const given = { text: 'x', more: 1 }

  test('are left out', () => {
    expect(defineTool(form).input.parse(given)).toEqual({ ok: true, value: { text: 'x' } })
  })

  test.each([
    ['an object', z.object({ text: z.string() })],
    ['an object that is read-only', z.object({ text: z.string() }).readonly()],
  ])('are refused by %s where the contract says so', (_what, input) => {
    const tool = defineTool({
      ...form,
      input,
      contract: { ...form.contract, unknownKeys: 'refuse' },
    })
    expect(tool.input.parse(given)).toMatchObject({
      ok: false,
      problems: [{ kind: 'unknown', field: 'more' }],
    })
  })
})

describe('a transaction', () => {
  const insert = defineTransaction(
    'note.insert',
    async (_tx, _args: { readonly text: string }) => null,
  )
  const transaction = transact(
    insert,
    ({ input }: { readonly input: { readonly text: string } }) => ({ text: input.text }),
  )
  const { execute: _, ...local } = form

  test('is bound by name, with its function and its arguments', () => {
    expect(defineTool({ ...local, transaction }).work).toEqual({
      kind: 'transaction',
      name: 'note.insert',
      apply: insert.apply,
      args: transaction.args,
    })
  })

  test('is refused for a read', () => {
    expect(() => defineTool({ ...local, contract: { effect: 'read' }, transaction })).toThrow(
      'Tool "note.add": a transaction is a write; a read uses execute.',
    )
  })
})

test('a write is what its effect says', () => {
  expect(defineTool(form).contract.isWrite).toBe(true)
  for (const effect of ['none', 'read', 'read-only-nav'] as const)
    expect(defineTool({ ...form, contract: { effect } }).contract.isWrite).toBe(false)
})
