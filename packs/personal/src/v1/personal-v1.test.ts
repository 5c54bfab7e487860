import type { Caller } from '@surehand/core'
import { codeOf, phaseAt, toV1Function, type V1ToolResponse } from '@surehand/documents'
import { afterAll, describe, expect, test } from 'vitest'
import { ANN, BOB, type PersonalWorld } from '../../testing/personal-world.ts'
import { openTenants } from '../../testing/tenants.ts'
import { personalPack } from '../pack.ts'
import {
  PERSONAL_STRATEGY,
  personalMigration,
  V1_TOOLS,
  type V1Name,
} from './personal-migration.ts'
import { personalV1 } from './personal-v1.ts'

const tenants = openTenants()
afterAll(tenants.close)

const WARNING = /^(.*) Warning: v1 calls are served until 30 June 2027\. Call [a-z_.]+ instead\.$/

function v1(world: PersonalWorld, by: Caller = world.caller) {
  const adapter = personalV1(world.runtime, { now: world.clock.now })
  return (tool: string, args: Record<string, unknown>): Promise<V1ToolResponse> =>
    adapter.callV1({ tool, args }, { ...by, tenant: world.caller.tenant })
}

describe('the functions of v1', () => {
  test.each(Object.entries(V1_TOOLS))('%s is served by %s, which exists', (_, tool) => {
    expect(personalPack.tools.map(({ id }) => id)).toContain(tool)
  })

  test('create_habit accepts the names, numbers and form of v1', async () => {
    const world = await tenants.open()
    const answer = await v1(world)('create_habit', {
      habit_name: ' Evening workout ',
      category: 'HEALTH',
      freq: 'week',
      level: 3,
      minutes: '30',
      remind_at: '19:30',
      details: 'Strength',
      loop: { cue: 'After dinner', routine: 'Weights', reward: 'Podcast' },
    })
    expect(answer).toMatchObject({
      success: true,
      data: { habit: { name: 'Evening workout', category: 'health', difficulty: 'medium' } },
    })
    expect(answer.message).toMatch(WARNING)
    expect(await world.data('habit.status', { habit_name: 'Evening workout' })).toMatchObject({
      habit_info: {
        frequency: 'weekly',
        target_duration: 30,
        reminder_time: '19:30',
        description: 'Strength',
        cue: 'After dinner',
        routine: 'Weights',
        reward: 'Podcast',
      },
    })
  })

  test('a habit is created, recorded, shown, listed, planned and deleted', async () => {
    const world = await tenants.open()
    const call = v1(world)
    await call('create_habit', { habit_name: 'Read' })
    expect(
      await call('record_habit', {
        habit_name: 'read',
        when: 'yesterday',
        rating: '4',
        minutes: '20',
      }),
    ).toMatchObject({
      success: true,
      message: expect.stringContaining('"Read" is done on 2026-01-14. The streak is 1 day.'),
      data: {
        habit: { name: 'Read' },
        current_streak: 1,
        record: { date: '2026-01-14', quality: 4, duration_minutes: 20 },
      },
    })
    expect(await call('record_habit', { habit_name: 'read', done: 'yes' })).toMatchObject({
      data: { current_streak: 2, longest_streak: 2 },
    })
    expect(await call('habit_status', { habit_name: 'Read' })).toMatchObject({
      data: { habit: { name: 'Read' }, current_streak: 2 },
    })
    expect(await call('list_habits', { active_only: true })).toMatchObject({
      data: {
        habits: [{ name: 'Read', current_streak: 2, longest_streak: 2, done: true }],
        total: 1,
      },
    })
    expect(await call('today_habits', {})).toMatchObject({
      data: { due: [], done: [{ name: 'Read' }] },
    })
    expect(await call('delete_habit', { habit_name: 'Read' })).toMatchObject({
      success: true,
      data: { habit: { name: 'Read' } },
    })
    expect(await call('list_habits', { active_only: false })).toMatchObject({
      data: { habits: [], total: 0 },
    })
  })

  test('a task is captured, listed and completed', async () => {
    const world = await tenants.open()
    const call = v1(world)
    expect(
      await call('capture_task', { content: ' Call Bob ', details: 'about the roof' }),
    ).toMatchObject({
      success: true,
      data: { task: { title: 'Call Bob', state: 'inbox' } },
    })
    expect(await call('list_tasks', { status: 'inbox' })).toMatchObject({
      data: { tasks: [{ title: 'Call Bob' }] },
    })
    expect(
      await call('next_tasks', { count: '3', energy_level: 'low', time_available: '15' }),
    ).toMatchObject({
      success: true,
      data: { actions: [] },
    })
    expect(await call('complete_task', { task: 'Call Bob' })).toMatchObject({
      success: true,
      data: { task: { state: 'completed' } },
    })
    expect(await call('list_tasks', { status: 'done' })).toMatchObject({
      data: { tasks: [{ title: 'Call Bob' }] },
    })
  })

  test('a project is created, listed and shown', async () => {
    const world = await tenants.open()
    const call = v1(world)
    expect(
      await call('create_project', {
        name: 'Garden house',
        summary: 'With a bench',
        due: '2026-06-30',
        importance: '1',
        team: 'bob, eve',
      }),
    ).toMatchObject({
      success: true,
      data: { project: { name: 'Garden house', priority: 'high', target_day: '2026-06-30' } },
    })
    expect(await call('list_projects', { sort_by: 'NAME' })).toMatchObject({
      data: { projects: [{ name: 'Garden house' }] },
    })
    expect(await call('get_project_status', { project_name: 'garden' })).toMatchObject({
      success: true,
      data: {
        project: { name: 'Garden house', team_members: ['ann', 'bob', 'eve'] },
        metrics: { priority: 'high' },
      },
    })
  })

  test('are functions of keyword arguments that answer (ok, message, data)', async () => {
    const world = await tenants.open()
    const adapter = personalV1(world.runtime, { now: world.clock.now })
    const createHabit = toV1Function(adapter, 'create_habit', world.caller)
    expect(await createHabit({ habit_name: 'Read' })).toMatchObject([
      true,
      expect.stringMatching(WARNING),
      { habit: { name: 'Read' } },
    ])
    expect(await createHabit({ habit_name: 'READ' })).toMatchObject([
      false,
      expect.stringContaining('already exists'),
      { name: 'READ' },
    ])
  })
})

describe('an error has words in its message from which its code can be found', () => {
  const cases: readonly (readonly [string, V1Name, Record<string, unknown>, string])[] = [
    ['a habit nobody has', 'habit_status', { habit_name: 'Chess' }, 'TOOL_RESOURCE_NOT_FOUND'],
    [
      'a project nobody has',
      'get_project_status',
      { project_name: 'Chess' },
      'TOOL_RESOURCE_NOT_FOUND',
    ],
    ['a task nobody has', 'complete_task', { task: 'Chess' }, 'TOOL_RESOURCE_NOT_FOUND'],
    [
      'a habit that is there',
      'create_habit',
      { habit_name: 'Read' },
      'TOOL_RESOURCE_ALREADY_EXISTS',
    ],
    ['a missing argument', 'create_habit', { freq: 'day' }, 'TOOL_INVALID_INPUT'],
    [
      'a rating that is too high',
      'record_habit',
      { habit_name: 'Read', rating: 6 },
      'TOOL_INVALID_INPUT',
    ],
    [
      'a frequency nobody knows',
      'create_habit',
      { habit_name: 'Run', freq: 'hour' },
      'TOOL_INVALID_INPUT',
    ],
    [
      'a day that is to come',
      'record_habit',
      { habit_name: 'Read', when: '2026-01-16' },
      'TOOL_INVALID_INPUT',
    ],
    [
      'a text for a number',
      'create_habit',
      { habit_name: 'Run', minutes: 'many' },
      'TOOL_INVALID_INPUT',
    ],
  ]
  test.each(cases)('%s', async (_, tool, args, code) => {
    const world = await tenants.open([{ tool: 'habit.create', input: { name: 'Read' } }])
    const before = await world.effects()
    const { success, message } = await v1(world)(tool, args)
    expect([success, codeOf(message)]).toEqual([false, code])
    expect(await world.effects()).toBe(before)
  })

  test('a missing capability', async () => {
    const world = await tenants.open([{ tool: 'habit.create', input: { name: 'Read' } }])
    const { success, message } = await v1(world, { ...ANN, roles: ['user'] })('delete_habit', {
      habit_name: 'Read',
    })
    expect([success, codeOf(message)]).toEqual([false, 'TOOL_INSUFFICIENT_PERMISSIONS'])
  })

  test('an unknown function', async () => {
    const world = await tenants.open()
    expect(await v1(world)('drop_habits', {})).toMatchObject({
      success: false,
      message: 'There is no v1 function "drop_habits".',
    })
  })

  test.each(['habit_name', 'freq'])(
    'an argument given in the old form and in the new is refused, not guessed (%s)',
    async (old) => {
      const world = await tenants.open()
      const args = {
        habit_name: 'Run',
        freq: 'day',
        [old === 'freq' ? 'frequency' : 'name']: old === 'freq' ? 'weekly' : 'Walk',
      }
      expect(await v1(world)('create_habit', args)).toMatchObject({
        success: false,
        message: expect.stringContaining('given twice'),
      })
    },
  )
})

test('v1 allows nothing that v2 refuses', async () => {
  const world = await tenants.open([{ tool: 'habit.create', input: { name: 'Secret' } }])
  const bob = v1(world, BOB)
  expect(JSON.stringify(await bob('list_habits', { active_only: false }))).not.toContain('Secret')
  expect(await bob('habit_status', { habit_name: 'Secret' })).toMatchObject({
    success: false,
    data: { available: [] },
  })
  expect(
    await bob('list_habits', { owner: 'ann', tenant: 'home', principal: 'ann' }),
  ).toMatchObject({ data: { total: 0 } })
})

describe('the end of v1', () => {
  test.each([
    ['2025-12-31T23:59:59Z', 'none'],
    ['2026-01-01T00:00:00Z', 'warn'],
    ['2027-01-01T00:00:00Z', 'redirect'],
    ['2027-07-01T00:00:00Z', 'disable'],
    ['2028-01-01T00:00:00Z', 'remove'],
  ])('at %s every function is in phase %s', (at, phase) => {
    const phases = Object.keys(V1_TOOLS).map((name) =>
      phaseAt(PERSONAL_STRATEGY, name, Date.parse(at)),
    )
    expect(new Set(phases)).toEqual(new Set([phase]))
  })

  test('a function that is switched off does nothing and names its successor', async () => {
    const world = await tenants.open([], { now: Date.parse('2027-07-01T08:00:00Z') })
    const before = await world.effects()
    expect(await v1(world)('create_habit', { habit_name: 'Read' })).toMatchObject({
      success: false,
      message: 'v1 calls were switched off on 1 July 2027. Call habit.create instead.',
      data: { phase: 'disable', alternative: 'habit.create' },
    })
    expect(await world.effects()).toBe(before)
  })

  test('a warning names the successor before any call', async () => {
    const world = await tenants.open()
    expect(
      personalV1(world.runtime, { now: world.clock.now }).generateMigrationWarning('record_habit'),
    ).toEqual({
      tool_id: 'record_habit',
      level: 'user_facing',
      phase: 'warn',
      message: 'v1 calls are served until 30 June 2027. Call habit.record_completion instead.',
      alternative: 'habit.record_completion',
      support_end_date: '2027-06-30',
    })
  })

  test('the strategy is data: it goes through JSON without loss', () => {
    expect(JSON.parse(JSON.stringify(PERSONAL_STRATEGY))).toEqual(personalMigration.strategy)
  })
})
