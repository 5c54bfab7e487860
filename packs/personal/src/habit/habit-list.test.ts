import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { PersonalWorld } from '../../testing/personal-world.ts'
import { openTenants } from '../../testing/tenants.ts'
import { habitSeed } from './fixtures/seed.ts'
import { cursorAfter, readCursor } from './habit-list.ts'

const tenants = openTenants()
afterAll(tenants.close)

type Listed = {
  readonly habits: readonly { readonly name: string }[]
  readonly total: number
  readonly next_cursor?: string
}
const list = (world: PersonalWorld, input: object = {}) =>
  world.data('habit.list', input) as Promise<Listed>

describe('habit.list', () => {
  test('returns each habit with its streak and whether it is done', async () => {
    const world = await tenants.open(habitSeed)
    const { habits, total } = await list(world)
    expect(total).toBe(4)
    expect(habits).toMatchObject([
      {
        name: 'Budget',
        frequency: 'monthly',
        is_done: false,
        streak: { current: 0, unit: 'months', is_at_risk: false },
      },
      {
        name: 'Call the grandparents',
        is_done: false,
        streak: { current: 1, unit: 'weeks', last_completed: '2026-01-06', is_at_risk: true },
      },
      {
        name: 'Evening workout',
        reminder_time: '19:30',
        is_done: false,
        streak: { current: 0, longest: 1 },
      },
      {
        name: 'Morning meditation',
        is_done: false,
        streak: { current: 3, longest: 3, is_at_risk: true },
      },
    ])
  })

  test('returns pages that contain each habit once and in order', async () => {
    const world = await tenants.open(habitSeed)
    const names: string[] = []
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
      const { habits, next_cursor } = await list(world, {
        limit: 3,
        ...(cursor === undefined ? {} : { cursor }),
      })
      names.push(...habits.map(({ name }) => name))
      cursor = next_cursor
    }
    expect(names).toEqual([
      'Budget',
      'Call the grandparents',
      'Evening workout',
      'Morning meditation',
    ])
  })

  test('filters by category or frequency', async () => {
    const world = await tenants.open(habitSeed)
    expect((await list(world, { category: 'health' })).habits.map(({ name }) => name)).toEqual([
      'Evening workout',
    ])
    expect(await list(world, { frequency: 'weekly', category: 'health' })).toEqual({
      habits: [],
      total: 0,
    })
  })

  test('refuses a made-up cursor', async () => {
    const world = await tenants.open()
    expect((await world.call('habit.list', { cursor: 'abc' })).error).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      details: { validation_errors: [{ field: 'cursor' }] },
    })
  })
})

test('a cursor is read as it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (key, id) => {
      expect(readCursor(cursorAfter(key, id))).toEqual([key, id])
    }),
  )
})
