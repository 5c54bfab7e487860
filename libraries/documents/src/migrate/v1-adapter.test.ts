import type { Caller } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { defineMigration } from './define-migration.ts'
import type {
  CompatibilitySettings,
  DeprecationAction,
  MigrationWarning,
  ToolResponse,
  V2ToolRequest,
} from './documents.ts'
import { createV1Adapter } from './v1-adapter.ts'

const caller: Caller = { tenant: 't', principal: 'ann', actor: 'user', roles: [], capabilities: [] }
const done: ToolResponse = {
  status: 'success',
  command: 'habit.create',
  data: { name: 'Run' },
  metadata: { call_id: 'call_1', tool_info: { name: 'Create Habit' } },
}
const act = (action_type: DeprecationAction['action_type']): DeprecationAction => ({
  action_type,
  target: 'create_habit',
  message: `create_habit is at ${action_type}`,
  alternative: 'habit.create',
})
const phases = ['warn', 'redirect', 'disable', 'remove'] as const

/**
 * Warn in January, redirect in February, disable in March, remove in April; support ends with May.
 */
function world(settings: Partial<CompatibilitySettings> = {}, answer: ToolResponse | Error = done) {
  const strategy = {
    migration_version: '1.0_to_2.0',
    field_mappings: [{ v1_field: 'title', v2_field: 'name', required_in_v2: true }],
    transformation_rules: [],
    deprecation_timeline: phases.map((kind, index) => ({
      phase_name: kind,
      start_date: `2026-0${index + 1}-01`,
      end_date: `2026-0${index + 1}-28`,
      actions: [act(kind)],
    })),
    compatibility_mode: {
      enable_v1_mode: true,
      v1_warning_level: 'user_facing',
      v1_redirect_mode: 'transparent',
      v1_support_end_date: '2026-05-31',
      ...settings,
    },
  }
  const asked: V2ToolRequest[] = []
  const logged: MigrationWarning[] = []
  const clock = { now: '2025-12-01' }
  const adapter = createV1Adapter({
    migration: defineMigration(strategy, {
      tools: { create_habit: 'habit.create', list_habits: 'habit.list' },
    }),
    call: async (request) => {
      asked.push(request)
      if (answer instanceof Error) throw answer
      return answer
    },
    now: () => Date.parse(clock.now),
    log: (warning) => logged.push(warning),
  })
  const callAt = (
    now: string,
    tool = 'create_habit',
    args: Record<string, unknown> = { title: 'Run' },
  ) => {
    clock.now = now
    return adapter.callV1({ tool, args }, caller)
  }
  return { adapter, asked, logged, clock, callAt }
}
const refusal = (phase: string, message: string) => ({
  success: false,
  message: expect.stringContaining('habit.create'),
  data: { phase, alternative: 'habit.create', message },
})

describe('a v1 call', () => {
  test('before the first phase works, and nothing is said', async () => {
    const { callAt, asked } = world()
    expect(await callAt('2025-12-31')).toEqual({
      success: true,
      message: 'Create Habit: done.',
      data: { title: 'Run' },
    })
    expect(asked).toEqual([{ tool: 'habit.create', input: { name: 'Run' } }])
  })

  test('in its phase of warning works with a warning', async () => {
    const message =
      'Create Habit: done. Warning: create_habit is at warn. Call habit.create instead.'
    expect(await world().callAt('2026-01-15')).toEqual({
      success: true,
      message,
      data: { title: 'Run' },
    })
  })

  test('redirected transparently runs the v2 tool', async () => {
    const { callAt, asked } = world()
    expect(await callAt('2026-02-15')).toMatchObject({ success: true, data: { title: 'Run' } })
    expect(asked).toHaveLength(1)
  })

  test('redirected explicitly names the alternative and runs nothing', async () => {
    const { callAt, asked } = world({ v1_redirect_mode: 'explicit' })
    const message = 'create_habit is at redirect. Call habit.create instead.'
    expect(await callAt('2026-02-15')).toEqual({
      ...refusal('redirect', 'create_habit is at redirect'),
      message,
    })
    expect(asked).toEqual([])
  })

  test.each([
    ['2026-03-15', 'disable', 'create_habit is at disable'],
    ['2026-04-15', 'remove', 'create_habit is at remove'],
    ['2026-05-31T23:59:59Z', 'remove', 'create_habit is at remove'],
    ['2026-06-01', 'remove', 'v1 calls ended on 2026-05-31.'],
  ])('on %s is refused: %s, %s', async (now, phase, message) => {
    const { callAt, asked, adapter } = world()
    expect(await callAt(now)).toEqual(refusal(phase, message))
    expect(asked).toEqual([])
    expect(() => adapter.adaptV1Call({ tool: 'create_habit', args: {} })).toThrow(
      expect.objectContaining({
        code: 'TOOL_DEPRECATED',
        details: { phase, alternative: 'habit.create', message },
      }),
    )
  })

  test('is refused at any time where v1 is switched off', async () => {
    const { callAt, asked } = world({ enable_v1_mode: false })
    expect(await callAt('2025-01-01')).toEqual(
      refusal('disable', 'v1 calls are switched off, create_habit among them.'),
    )
    expect(asked).toEqual([])
  })

  test('of a function without phases works until support ends', async () => {
    const { callAt } = world()
    expect(await callAt('2026-05-31T12:00:00Z', 'list_habits')).toMatchObject({ success: true })
    expect(await callAt('2026-06-01', 'list_habits')).toMatchObject({
      success: false,
      data: { phase: 'remove', alternative: 'habit.list' },
    })
  })

  test.each<[string, string, unknown, string]>([
    ['of a function nobody knows', 'make_habit', {}, 'There is no v1 function "make_habit".'],
    ["under an object's own names", 'constructor', {}, 'There is no v1 function "constructor".'],
    [
      'without its required field',
      'create_habit',
      {},
      "create_habit can't take these arguments: title is required (v2 calls it name).",
    ],
    [
      'with a list for arguments',
      'create_habit',
      ['Run'],
      'A v1 call takes keyword arguments: args must be an object.',
    ],
    [
      'without arguments',
      'create_habit',
      undefined,
      'A v1 call takes keyword arguments: args must be an object.',
    ],
    [
      'with a key that is not accepted',
      'create_habit',
      JSON.parse('{ "__proto__": {} }'),
      'The key "__proto__" is not accepted.',
    ],
  ])('%s is answered, not thrown', async (_, tool, args, message) => {
    const { adapter, asked } = world()
    const answer = await adapter.callV1({ tool, args: args as Record<string, unknown> }, caller)
    expect(answer).toMatchObject({ success: false, message })
    expect(asked).toEqual([])
  })
})

describe('warnings', () => {
  test('at level none are not given at all', async () => {
    const { callAt, logged } = world({ v1_warning_level: 'none' })
    expect((await callAt('2026-01-15')).message).toBe('Create Habit: done.')
    expect(logged).toEqual([])
  })

  test('at level log go to the log alone, once an hour for each function', async () => {
    const { callAt, logged } = world({ v1_warning_level: 'log' })
    const times = ['2025-12-31T23:59', '2026-01-01T00:00', '2026-01-01T00:59', '2026-01-01T01:00']
    for (const time of times)
      expect((await callAt(`${time}:00Z`)).message).toBe('Create Habit: done.')
    await callAt('2026-01-01T01:30:00Z', 'list_habits')
    const warning = {
      tool_id: 'create_habit',
      level: 'log',
      phase: 'warn',
      message: 'create_habit is at warn. Call habit.create instead.',
      alternative: 'habit.create',
      support_end_date: '2026-05-31',
    }
    expect(logged).toEqual([warning, warning])
  })

  test('at level user_facing stand in the answer alone, also when it is a failure', async () => {
    const failed: ToolResponse = {
      ...done,
      status: 'failed',
      data: null,
      error: { code: 'TOOL_X', message: 'No such day.' },
    }
    const { callAt, logged } = world({}, failed)
    const message = 'No such day. Warning: create_habit is at warn. Call habit.create instead.'
    expect(await callAt('2026-01-15')).toEqual({ success: false, message, data: null })
    expect(logged).toEqual([])
  })

  test.each([
    [
      'create_habit',
      '2025-12-01',
      'none',
      'create_habit is a v1 call and is served until 2026-05-31. Call habit.create instead.',
    ],
    [
      'habit.create',
      '2026-02-01',
      'redirect',
      'create_habit is at redirect. Call habit.create instead.',
    ],
    [
      'create_habit',
      '2026-07-01',
      'remove',
      'v1 calls ended on 2026-05-31. Call habit.create instead.',
    ],
  ])('are made for %s on %s: %s', (toolId, now, phase, message) => {
    const { adapter, clock } = world()
    clock.now = now
    expect(adapter.generateMigrationWarning(toolId)).toEqual({
      tool_id: 'create_habit',
      level: 'user_facing',
      phase,
      message,
      alternative: 'habit.create',
      support_end_date: '2026-05-31',
    })
  })
})

describe('a v2 answer', () => {
  const answerWith = (changes: Partial<ToolResponse>) =>
    world().adapter.adaptV2Response({ ...done, ...changes })

  test("tells the tool's own message, if it has one", () => {
    expect(answerWith({ data: { message: 'You now have a habit!', name: 'Run' } })).toEqual({
      success: true,
      message: 'You now have a habit!',
      data: { message: 'You now have a habit!', title: 'Run' },
    })
  })

  test('that failed gives the details as data', () => {
    const error = {
      code: 'TOOL_RESOURCE_ALREADY_EXISTS',
      message: 'There is a habit Run.',
      details: { id: 'hab_1' },
    }
    expect(answerWith({ status: 'failed', data: null, error })).toEqual({
      success: false,
      message: 'There is a habit Run.',
      data: { id: 'hab_1' },
    })
  })

  test('that failed with data of its own gives that', () => {
    const error = { code: 'TOOL_GATE_CLOSED', message: 'Closed.', details: { why: 'late' } }
    expect(
      answerWith({ status: 'failed', data: { success: false, name: 'Run' }, error }).data,
    ).toEqual({ success: false, title: 'Run' })
  })

  test('that waits for a person or for a worker is not told as done', () => {
    const pending = { ...done.metadata, pending: { approval_id: 'app_1' } }
    const error = { code: 'TOOL_APPROVAL_REQUIRED', message: 'Nothing has been done yet.' }
    expect(answerWith({ status: 'failed', data: null, error, metadata: pending })).toEqual({
      success: false,
      message: 'Nothing has been done yet.',
      data: { call_id: 'call_1', pending: { approval_id: 'app_1' } },
    })
    expect(
      answerWith({ data: null, metadata: { ...done.metadata, job: { id: 'job_1' } } }),
    ).toEqual({
      success: true,
      message: 'Create Habit has begun and is not done yet.',
      data: { call_id: 'call_1', job: { id: 'job_1' } },
    })
  })

  test('with warnings of its own says them at every level', () => {
    expect(
      answerWith({ metadata: { ...done.metadata, warnings: ['the calendar could not be read'] } })
        .message,
    ).toBe('Create Habit: done. Warning: the calendar could not be read.')
  })

  test('of a tool that v1 did not know passes as it is', () => {
    expect(answerWith({ command: 'note.add' })).toEqual({
      success: true,
      message: 'Create Habit: done.',
      data: { name: 'Run' },
    })
  })
})

test('a call that throws is answered too', async () => {
  const message = 'An unexpected error occurred.'
  expect(await world({}, new Error('the wire is cut')).callAt('2025-12-01')).toEqual({
    success: false,
    message,
    data: null,
  })
})
