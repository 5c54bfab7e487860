import { expect, test } from 'vitest'
import { z } from 'zod'
import { invalidInput } from './problems.ts'
import { sensitive } from './sensitive.ts'
import { defineTool } from './tool.ts'

const tool = defineTool({
  id: 'booking.book',
  title: 'Book',
  category: 'integration',
  description: 'Books a slot.',
  input: z.object({
    slotId: z.string(),
    seats: z.int().max(4),
    guest: z.object({ tags: z.array(z.enum(['vip', 'kid'])) }).optional(),
    token: sensitive(z.string().min(8)).optional(),
    card: sensitive(z.object({ pin: z.string() })).optional(),
  }),
  output: z.null(),
  contract: { effect: 'read', unknownKeys: 'refuse' },
  execute: async () => null,
})

function problemOf(input: unknown) {
  const parsed = tool.input.parse(input)
  if (parsed.ok) throw new Error('It was accepted.')
  return invalidInput(tool, parsed.problems)
}
const errorsOf = (input: unknown) => problemOf(input).details?.validation_errors

test('one missing field has its own code', () => {
  const error = problemOf({ seats: 1 })
  expect(error.code).toBe('TOOL_MISSING_REQUIRED_FIELD')
  expect(error.message).toBe(
    "booking.book can't take this input: slotId is required: expected string.",
  )
  expect(error.details).toEqual({
    validation_errors: [
      { field: 'slotId', error: 'is required: expected string', provided_value: null },
    ],
  })
  expect(error.suggestions).toEqual(['Add "slotId".'])
})

test('one field of the wrong type has its own code', () => {
  const error = problemOf({ slotId: 5, seats: 1 })
  expect(error.code).toBe('TOOL_INVALID_FIELD_TYPE')
  expect(error.details).toEqual({
    validation_errors: [
      { field: 'slotId', error: 'expected string, received number', provided_value: 5 },
    ],
  })
  expect(error.suggestions).toEqual(['Change "slotId".'])
})

test('one value out of bounds has its own code', () => {
  const error = problemOf({ slotId: 's1', seats: 9 })
  expect(error.code).toBe('TOOL_INVALID_FIELD_VALUE')
  expect(error.details?.validation_errors).toEqual([
    { field: 'seats', error: expect.stringMatching(/<=4/), provided_value: 9 },
  ])
})

test('one unknown field is named, with the advice to leave it out', () => {
  const error = problemOf({ slotId: 's1', seats: 1, room: 'a' })
  expect(error.code).toBe('TOOL_INVALID_INPUT')
  expect(error.details?.validation_errors).toEqual([
    { field: 'room', error: 'is not a field of this tool', provided_value: 'a' },
  ])
  expect(error.suggestions).toEqual(['Leave "room" out.'])
})

test('several problems are TOOL_INVALID_INPUT, each of them told', () => {
  const error = problemOf({ seats: '1', room: 'a' })
  expect(error.code).toBe('TOOL_INVALID_INPUT')
  expect(errorsOf({ seats: '1', room: 'a' })).toHaveLength(3)
  expect(error.suggestions).toHaveLength(3)
})

test('null is a wrong type, not a missing field', () => {
  expect(problemOf({ slotId: null, seats: 1 }).code).toBe('TOOL_INVALID_FIELD_TYPE')
})

test('a field deep inside is named by its path', () => {
  expect(errorsOf({ slotId: 's1', seats: 1, guest: { tags: ['vip', 'cat'] } })).toEqual([
    { field: 'guest.tags[1]', error: 'expected one of "vip"|"kid"', provided_value: 'cat' },
  ])
})

test('an input that is no object is spoken of as the input', () => {
  const error = problemOf('s1')
  expect(error.message).toBe(
    "booking.book can't take this input: the input expected object, received string.",
  )
  expect(error.suggestions).toEqual(['Change the input.'])
})

test('a secret is never handed back', () => {
  expect(errorsOf({ slotId: 's1', seats: 1, token: 'hunter2' })).toEqual([
    { field: 'token', error: expect.any(String), provided_value: '[hidden]' },
  ])
  expect(
    JSON.stringify(problemOf({ slotId: 5, seats: 1, token: 'hunter2' }).details),
  ).not.toContain('hunter2')
})

test('a wrong type inside a secret is a wrong type, not a missing field', () => {
  const error = problemOf({ slotId: 's1', seats: 1, card: { pin: 1234 } })
  expect(error.code).toBe('TOOL_INVALID_FIELD_TYPE')
  expect(JSON.stringify(error.details)).not.toContain('1234')
})

const list = defineTool({
  id: 'numbers.add',
  title: 'Add',
  category: 'custom',
  description: 'Adds numbers.',
  input: z.object({ numbers: z.array(z.number()) }),
  output: z.null(),
  contract: { effect: 'none' },
  execute: async () => null,
})

test.each([60, 200_000])('of %i wrong items, at most fifty are listed', (length) => {
  const parsed = list.input.parse({ numbers: Array.from({ length }, () => 'one') })
  const problems = parsed.ok ? [] : parsed.problems
  expect(problems.length).toBeLessThanOrEqual(51)
  expect(problems.at(-1)?.error).toMatch(/^has (\d+ )?more problems/)
  expect(invalidInput(list, problems).message.length).toBeLessThan(4_000)
})

test('fifty problems are all listed, and no other is mentioned', () => {
  const parsed = list.input.parse({ numbers: Array.from({ length: 50 }, () => 'one') })
  expect(parsed.ok ? [] : parsed.problems.map(({ field }) => field)).toEqual(
    Array.from({ length: 50 }, (_, index) => `numbers[${index}]`),
  )
})
