import { describe, expect, test } from 'vitest'
import { codeOf, fromV1Function, toV1Function, type V1Answer } from './v1-adapter.ts'

describe('the code a message speaks of', () => {
  test.each([
    ['Habit not found', 'TOOL_RESOURCE_NOT_FOUND'],
    ['Habit 7 does not exist.', 'TOOL_RESOURCE_NOT_FOUND'],
    ["That habit doesn't exist", 'TOOL_RESOURCE_NOT_FOUND'],
    ['No such project', 'TOOL_RESOURCE_NOT_FOUND'],
    ['Habit "Run" already exists', 'TOOL_RESOURCE_ALREADY_EXISTS'],
    ['Duplicate name', 'TOOL_RESOURCE_ALREADY_EXISTS'],
    ['Invalid frequency: hourly', 'TOOL_INVALID_INPUT'],
    ['target_duration must be between 1 and 480', 'TOOL_INVALID_INPUT'],
    ['A name is required', 'TOOL_INVALID_INPUT'],
    ['Permission denied', 'TOOL_INSUFFICIENT_PERMISSIONS'],
    ['You are NOT ALLOWED to do that', 'TOOL_INSUFFICIENT_PERMISSIONS'],
    ['unauthorised', 'TOOL_INSUFFICIENT_PERMISSIONS'],
    ['Access denied', 'TOOL_INSUFFICIENT_PERMISSIONS'],
    ['System not initialised', 'TOOL_CONFIGURATION_ERROR'],
    ['Agent not initialized. Run setup first.', 'TOOL_CONFIGURATION_ERROR'],
    ['The store is uninitialized', 'TOOL_CONFIGURATION_ERROR'],
    ['Calendar is not configured', 'TOOL_CONFIGURATION_ERROR'],
    ['Error creating habit: disk full', 'TOOL_INTERNAL_ERROR'],
    ['', 'TOOL_INTERNAL_ERROR'],
  ])('%s: %s', (message, code) => {
    expect(codeOf(message)).toBe(code)
  })

  test.each([
    ['Admin permission required', 'TOOL_INSUFFICIENT_PERMISSIONS'],
    ['Invalid permission level', 'TOOL_INVALID_INPUT'],
    ['Not initialized: a config is required', 'TOOL_CONFIGURATION_ERROR'],
  ])('of two is the one mentioned first: %s', (message, code) => {
    expect(codeOf(message)).toBe(code)
  })

  test.each([
    ["Habit 'Invalid' already exists", 'TOOL_RESOURCE_ALREADY_EXISTS'],
    ['Project “Permission denied” not found', 'TOOL_RESOURCE_NOT_FOUND'],
    ["Can't do it: habit doesn't exist", 'TOOL_RESOURCE_NOT_FOUND'],
    ['Could not save "must be done"', 'TOOL_INTERNAL_ERROR'],
    ['The validity was validated', 'TOOL_INTERNAL_ERROR'],
  ])('is not in a name someone gave, nor in half a word: %s', (message, code) => {
    expect(codeOf(message)).toBe(code)
  })
})

describe('a v1 function behind a v2 tool', () => {
  const execute = (answer: unknown) => fromV1Function(() => answer as V1Answer)({ input: {} })

  test('gives its data for true', async () => {
    expect(await execute([true, 'Made.', { id: 1 }])).toEqual({ id: 1 })
  })

  test('gets the input as keyword arguments and may be asynchronous', async () => {
    const run = fromV1Function(
      async (args: { readonly name: string }) => [true, 'ok', `Hello ${args.name}`] as const,
    )
    expect(await run({ input: { name: 'Ann' } })).toBe('Hello Ann')
  })

  test.each<[unknown, object]>([
    [
      [false, 'Habit not found', null],
      {
        code: 'TOOL_RESOURCE_NOT_FOUND',
        message: 'Habit not found',
        details: undefined,
        effect: undefined,
      },
    ],
    [
      [false, 'Duplicate', { id: 1 }],
      { code: 'TOOL_RESOURCE_ALREADY_EXISTS', details: { v1_data: { id: 1 } } },
    ],
    [
      [false, '', null],
      {
        code: 'TOOL_INTERNAL_ERROR',
        message: 'The v1 function did not work and does not say why.',
      },
    ],
    [[false, 'Disk full', null], { code: 'TOOL_INTERNAL_ERROR', effect: 'refused' }],
    [[1, 'yes', null], { code: 'TOOL_INVALID_OUTPUT' }],
    [[true, 'yes'], { code: 'TOOL_INVALID_OUTPUT' }],
    [undefined, { code: 'TOOL_INVALID_OUTPUT' }],
  ])('answers %j with %j', async (answer, error) => {
    await expect(execute(answer)).rejects.toMatchObject(error)
  })

  test('that throws is left to the runtime', async () => {
    const broken = fromV1Function(() => {
      throw new RangeError('bug')
    })
    await expect(broken({ input: {} })).rejects.toThrow(RangeError)
  })
})

test('a v2 tool called as v1 code does: keyword arguments in, a triple out', async () => {
  const caller = {
    tenant: 't',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [],
  } as const
  const callV1 = async (request: object, by: object) => ({
    success: true,
    message: 'Made.',
    data: { request, by },
  })
  const createHabit = toV1Function({ callV1 }, 'create_habit', caller)
  expect(await createHabit({ name: 'Run' })).toEqual([
    true,
    'Made.',
    { request: { tool: 'create_habit', args: { name: 'Run' } }, by: caller },
  ])
})
