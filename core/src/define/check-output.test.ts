import { expect, test } from 'vitest'
import { z } from 'zod'
import { type CheckedOutput, checkOutput, checkOutputOf } from './check-output.ts'
import { defineTool } from './tool.ts'

function returning(output: z.ZodType, outputValidation: 'strict' | 'lenient' | 'disabled') {
  return defineTool({
    id: 'lists.read',
    title: 'Read',
    category: 'custom',
    description: 'Reads lists.',
    input: z.object({}),
    output,
    contract: { effect: 'none', outputValidation },
    execute: async () => null,
  })
}

function textOf(checked: CheckedOutput): unknown {
  return checked.ok
    ? { ...checked, output: [checked.output.text, checked.output.hash, checked.output.bytes] }
    : checked
}

const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic
const numbers = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)
const named = z.object({ list: z.array(z.number()), b: z.string().default('b'), a: z.unknown() })
const absent = z.array(z.number().optional())

test.each([
  ['a list', named, { a: { d: 1, c: [2] }, list: numbers(2_000) }],
  ['wrong items', named, { list: [...numbers(2_000), '1', '2'] }],
  ['an absent item', absent, [...numbers(2_000), undefined]],
  ['half a character', z.array(z.string()), [...numbers(2_000).map(String), '\ud800']],
  ['a date', named, { list: numbers(2_000), a: new Date(0) }],
  ['a bigint', named, { list: numbers(2_000), a: 1n }],
  ['not a number', z.unknown(), { list: [...numbers(2_000), Number.NaN] }],
  ['an absent member', z.unknown(), { list: numbers(2_000), none: undefined }],
  ['itself', z.unknown(), cyclic],
  ['nothing', z.null(), undefined],
])('an output with %s is checked in turns as it is at once', async (_, schema, raw) => {
  for (const how of ['strict', 'lenient', 'disabled'] as const) {
    const tool = returning(schema, how)
    const inTurns = await checkOutputOf({ tool, pace: () => undefined }, raw)
    expect(textOf(inTurns)).toEqual(textOf(checkOutput(tool, raw)))
  }
})
