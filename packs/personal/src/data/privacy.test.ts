import type { Caller } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  openPersonalWorld,
  type PersonalWorld,
} from '../../testing/personal-world.ts'
import { suppressSmall } from './data-analyze.ts'
import { consented } from './fixtures/consented.ts'
import { exportOf, ROWS } from './fixtures/rows.ts'

const stamps = { created_at: Date.UTC(2026, 0, 1), updated_at: Date.UTC(2026, 0, 2) }
// With dates, so that they are in every feed.
const SECRETS = {
  tasks: [{ ...ROWS.tasks?.[0], id: 'task_z', title: 'zebra task' }],
  habits: [{ ...ROWS.habits?.[0], id: 'hab_z', name: 'zebra habit' }],
  projects: [
    {
      id: 'proj_z',
      name: 'zebra project',
      priority: 'high',
      state: 'active',
      target_day: '2026-06-01',
      ...stamps,
    },
  ],
  deep_work: [{ ...ROWS.deep_work?.[0], id: 'dw_z', subject: 'zebra work' }],
}

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
  for (const caller of [ANN, BOB])
    await consented(world, {
      tool: 'data.import',
      input: { format: 'json', content: exportOf(ROWS), dry_run: false },
      caller,
    })
  await world.data('knowledge.note_add', { title: 'Secret of Ann', body: 'zebra crossing' })
  await consented(world, {
    tool: 'data.import',
    input: { format: 'json', content: exportOf(SECRETS), dry_run: false },
  })
})
afterAll(() => world.close())

const EVERY_READ: readonly (readonly [string, object])[] = [
  ['data.export', {}],
  ['data.export', { format: 'markdown' }],
  ['data.export', { format: 'csv', family: 'tasks' }],
  ['data.export', { format: 'icalendar' }],
  ['data.calendar_feed', {}],
  ['knowledge.note_search', { query: 'zebra' }],
  ['knowledge.note_search', { detail: 'full' }],
]

describe('the data of one person', () => {
  test.each(EVERY_READ)(
    'is never in the answer of %s to another person (%j)',
    async (tool, input) => {
      for (const caller of [BOB, ADMIN])
        expect(JSON.stringify(await world.data(tool, input, caller))).not.toMatch(
          /zebra|Secret of Ann/,
        )
    },
  )

  test.each(EVERY_READ)('is in the answer of %s to its owner (%j)', async (tool, input) => {
    expect(JSON.stringify(await world.data(tool, input, ANN))).toMatch(/zebra|Secret of Ann/)
  })

  test('is found by its owner', async () => {
    const found = await world.data('knowledge.note_search', { query: 'zebr' })
    expect(found).toMatchObject({
      total: 1,
      notes: [{ title: 'Secret of Ann', snippet: 'zebra crossing' }],
    })
  })

  test('cannot be linked by another person', async () => {
    const refused = await world.call(
      'knowledge.note_link',
      { from: 'Plan', to: 'Secret of Ann' },
      BOB,
    )
    expect(refused.error).toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
      details: { searched_name: 'Secret of Ann' },
    })
    expect(JSON.stringify(refused)).not.toContain('zebra')
  })

  test('is not accessible with the cursor of another person', async () => {
    const { next_cursor: cursor } = await world.data('data.export', { limit: 1 }, ANN)
    expect(
      JSON.stringify(await world.data('data.export', { cursor, limit: 5_000 }, BOB)),
    ).not.toMatch(/zebra/)
  })
})

describe('statistics over all people', () => {
  const numbers = async (caller: Caller = ADMIN) =>
    (await world.data('data.analyze', { period: 'this_year' }, caller)).numbers as {
      name: string
      suppressed: boolean
      value?: number
    }[]

  test('are for administrators, and not for agents', async () => {
    expect((await world.call('data.analyze', {}, ANN)).error?.code).toBe('TOOL_ROLE_NOT_AUTHORIZED')
    expect((await world.call('data.analyze', {}, { ...ADMIN, actor: 'ai_agent' })).status).toBe(
      'failed',
    )
  })

  test('are suppressed for two people, and name no person of three', async () => {
    expect(
      (await numbers()).every(({ suppressed, value }) => suppressed && value === undefined),
    ).toBe(true)
    const cyd: Caller = { ...BOB, principal: 'cyd' }
    await consented(world, {
      tool: 'data.import',
      input: { format: 'json', content: exportOf(ROWS), dry_run: false },
      caller: cyd,
    })
    const shown = await numbers()
    expect(shown.find(({ name }) => name === 'habits_active')).toMatchObject({
      suppressed: false,
      people: 3,
      value: 4,
      average: 1.33,
    })
    expect(JSON.stringify(shown)).not.toMatch(/ann|bob|cyd|Stretch|Garden/)
  })
})

test('a second group is suppressed when one is small, so that neither can be computed', () => {
  const group = (name: string, people: number) => ({ group: name, people, value: people })
  expect(suppressSmall([group('a', 2), group('b', 9), group('c', 4)])).toEqual([
    { group: 'a', suppressed: true },
    group('b', 9),
    { group: 'c', suppressed: true },
  ])
  expect(suppressSmall([group('a', 3), group('b', 9)])).toEqual([group('a', 3), group('b', 9)])
})
