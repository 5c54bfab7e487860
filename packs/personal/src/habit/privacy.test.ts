import type { Caller } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, ANN, BOB, type PersonalWorld } from '../../testing/personal-world.ts'
import { openTenants } from '../../testing/tenants.ts'
import { habitTools } from '../tools.ts'

const tenants = openTenants()
afterAll(tenants.close)

const SECRET = 'Therapy on Tuesdays'
let world: PersonalWorld
let id: string

beforeAll(async () => {
  world = await tenants.open()
  const made = await world.data('habit.create', {
    name: SECRET,
    description: 'nobody else knows',
    cue: 'after work',
  })
  id = (made.habit_info as { readonly id: string }).id
  await world.data('habit.record_completion', { habit_name: id, quality: 2, note: 'hard' })
})

const OTHERS: readonly (readonly [string, Caller])[] = [
  ['somebody else of the same home', BOB],
  ['an administrator', ADMIN],
  [
    'an administrator with every right over everything',
    { ...ADMIN, capabilities: [{ name: '*', scope: 'all' }] },
  ],
  ['an agent of somebody else', { ...BOB, actor: 'ai_agent' }],
]

describe.each(OTHERS)("Ann's habits and %s", (_, other) => {
  const reads: readonly (readonly [string, object])[] = [
    ['habit.list', { status: 'all' }],
    ['habit.today_plan', {}],
    ['habit.analyze_patterns', {}],
    ['habit.recommend', {}],
  ]
  test.each(reads)('%s returns nothing of them', async (tool, input) => {
    const answer = await world.call(tool, input, other)
    expect(answer.status).toBe('success')
    expect(JSON.stringify(answer)).not.toMatch(/Therapy|nobody else|hab_/)
  })

  test('habit.recommend does not consider them', async () => {
    expect(await world.data('habit.recommend', {}, other)).toMatchObject({
      recommendations: [{ action: 'begin_small' }],
      based_on: { habits: 0, records: 0 },
    })
  })

  const aimed: readonly (readonly [string, object])[] = [
    ['habit.status', {}],
    ['habit.analyze_patterns', {}],
    ['habit.update', { difficulty: 'hard' }],
    ['habit.update', { status: 'archived' }],
    ['habit.record_completion', {}],
    ['habit.record_completion', { completed: false }],
    ...(other.actor === 'ai_agent' ? [] : ([['habit.delete', {}]] as const)),
  ]
  test.each(aimed)('%s %o does not find one by its id or name', async (tool, input) => {
    const before = await world.effects()
    for (const habit_name of [id, SECRET]) {
      const answer = await world.call(tool, { habit_name, ...input }, other)
      expect(answer.error).toMatchObject({
        code: 'TOOL_RESOURCE_NOT_FOUND',
        details: { searched_name: habit_name, available: [] },
      })
    }
    expect(await world.effects()).toBe(before)
  })

  test('two people may have a habit of the same name', async () => {
    const mine = await tenants.open([{ tool: 'habit.create', input: { name: 'Read' } }])
    expect(await mine.call('habit.create', { name: 'Read' }, other)).toMatchObject({
      status: 'success',
    })
    await mine.data('habit.record_completion', { habit_name: 'Read' }, other)
    expect(await mine.data('habit.status', { habit_name: 'Read' })).toMatchObject({
      completion: { total: 0 },
    })
  })
})

test('a person of the same name in another tenant sees nothing', async () => {
  const elsewhere = await tenants.open()
  expect(await elsewhere.data('habit.list', { status: 'all' })).toMatchObject({
    habits: [],
    total: 0,
  })
  expect((await elsewhere.call('habit.status', { habit_name: id })).error?.code).toBe(
    'TOOL_RESOURCE_NOT_FOUND',
  )
})

test("Ann's own agent may record, but not delete", async () => {
  const agent: Caller = { ...ANN, actor: 'ai_agent' }
  expect(
    await world.call(
      'habit.record_completion',
      { habit_name: id, note: 'told by the agent' },
      agent,
    ),
  ).toMatchObject({
    status: 'success',
  })
  expect((await world.call('habit.delete', { habit_name: id }, agent)).error?.code).toBe(
    'TOOL_CAPABILITY_MISSING',
  )
})

test('a plain user may do everything but delete', async () => {
  const user: Caller = { ...ANN, roles: ['user'] }
  expect((await world.call('habit.delete', { habit_name: id }, user)).error?.code).toBe(
    'TOOL_CAPABILITY_MISSING',
  )
  expect((await world.call('habit.status', { habit_name: id }, user)).status).toBe('success')
})

test.each(habitTools.map(({ id: tool }) => tool))(
  '%s requires its capability over oneself',
  async (tool) => {
    const known = habitTools.find((one) => one.id === tool)
    expect(known?.contract.capabilities).toEqual([
      { name: expect.stringMatching(/^habit\.(read|write|delete)$/), scope: 'self_only' },
    ])
  },
)
