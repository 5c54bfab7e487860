import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ToolError } from '../call/tool-error.ts'
import { definitionHash } from '../registry/describe.ts'
import { tighten } from '../registry/policy.ts'
import { type ForeignToolForm, foreignPort, foreignTool } from './foreign-tool.ts'
import { zodSchema } from './schema.ts'

const port = foreignPort('notes', { keysValidFor: '1d' })
// a reader of schemas that takes any object: who reads them has tests of its own
const schemas = { compile: () => zodSchema(z.looseObject({})) }
const input = { type: 'object', properties: { text: { type: 'string' } } } as const

function note(form: Partial<ForeignToolForm> = {}) {
  const rest = {
    title: 'Write',
    description: 'Writes.',
    input,
    output: {},
    contract: { effect: 'read' as const },
    port,
    by: 'read' as const,
  }
  return foreignTool({ id: 'notes.write', ...rest, ...form }, schemas)
}

/** A form whose parts say when they are made. */
function watchParts(made: string[]): Partial<ForeignToolForm> {
  const part = <T>(name: string, value: T) => {
    made.push(name)
    return value
  }
  return {
    title: () => part('title', 'Write'),
    description: () => part('description', 'Writes\u200b.'),
    input: () => part('input', input),
    output: () => part('output', {}),
    contract: () => part('contract', { effect: 'read' }),
    examples: () => part('examples', []),
  }
}

describe('the parts of a tool from outside', () => {
  test('are made when they are first read, once', () => {
    const made: string[] = []
    const tool = note(watchParts(made))
    expect(made).toEqual([])
    expect([
      tool.description,
      tool.description,
      tool.contract.effect,
      tool.contract.isWrite,
    ]).toEqual(['Writes⟨U+200B⟩.', 'Writes⟨U+200B⟩.', 'read', false])
    expect(made).toEqual(['description', 'contract'])
  })

  test('are not made by a policy that tightens its contract', () => {
    const made: string[] = []
    const tool = tighten(note(watchParts(made)), {
      version: 1,
      timeouts: [{ tools: '*', maxMs: 5 }],
    })
    expect([tool.contract.timeoutMs, tool.id, tool.version, Object.isFrozen(tool)]).toEqual([
      5,
      'notes.write',
      '1.0.0',
      true,
    ])
    expect(made).toEqual(['contract'])
    expect([tool.title, tool.input.toJson('input'), tool.examples]).toEqual(['Write', input, []])
  })

  test('hash alike, whether they were at hand or made', () => {
    const { description: _, ...rest } = watchParts([])
    expect(definitionHash(note(rest))).toBe(definitionHash(note()))
  })
})

test('a write that nothing guards is no tool, though its contract comes late', () => {
  const contract = { effect: 'writes.note', reversible: true, idempotency: 'caller' } as const
  expect(() => note({ contract })).toThrow('a write is carried by write or writeOnce')
  expect(() => note({ contract: () => contract }).contract).toThrow(
    'a write is carried by write or writeOnce',
  )
})

test('a schema that turns out to be none is the answer to every call, and takes no list down', () => {
  const tool = note({
    input: () => {
      throw new ToolError('TOOL_CONFIGURATION_ERROR', 'notes.write cannot be called: so it is.', {
        effect: 'none',
      })
    },
  })
  expect(() => tool.input.parse({})).toThrow('notes.write cannot be called: so it is.')
  expect(tool.input.toJson('input')).toEqual({
    type: 'object',
    description: 'notes.write cannot be called: so it is.',
    not: {},
  })
  expect(definitionHash(tool)).not.toBe(definitionHash(note()))
})

test('what is no expected trouble is not taken for a schema', () => {
  const tool = note({
    input: () => {
      throw new RangeError('a bug')
    },
  })
  expect(() => tool.input.toJson('input')).toThrow('a bug')
})
