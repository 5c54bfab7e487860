import { afterAll, describe, expect, test } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'
import { habitSeed } from './fixtures/seed.ts'

const tenants = openTenants()
afterAll(tenants.close)

type Week = {
  readonly week_start: string
  readonly days: readonly { readonly date: string; readonly state: string }[]
}

describe('habit.status', () => {
  test('returns everything about a habit found by a part of its name', async () => {
    const world = await tenants.open(habitSeed)
    expect(await world.data('habit.status', { habit_name: 'medit' })).toMatchObject({
      habit_info: { name: 'Morning meditation', status: 'active', started_on: '2026-01-12' },
      is_done: false,
      streak: {
        current: 3,
        longest: 3,
        unit: 'days',
        last_completed: '2026-01-14',
        is_at_risk: true,
      },
      completion: { total: 3, last_30_days: { done: 3, expected: 3, rate: 1 } },
      average_quality: 4,
      message: '"Morning meditation": a streak of 3 days, the longest 3 days.',
    })
  })

  test('returns the last twelve weeks day by day, Monday to Sunday', async () => {
    const world = await tenants.open(habitSeed)
    const calendar = (await world.data('habit.status', { habit_name: 'workout' }))
      .calendar as readonly Week[]
    expect(calendar).toHaveLength(12)
    expect(calendar.map(({ week_start }) => week_start).slice(0, 2)).toEqual([
      '2025-10-27',
      '2025-11-03',
    ])
    expect(calendar.at(-2)?.days.map(({ state }) => state)).toEqual([
      ...Array(6).fill('before'),
      'done',
    ])
    expect(calendar.at(-1)?.days.map(({ date, state }) => [date, state])).toEqual([
      ['2026-01-12', 'missed'],
      ['2026-01-13', 'missed'],
      ['2026-01-14', 'missed'],
      ['2026-01-15', 'open'],
      ['2026-01-16', 'ahead'],
      ['2026-01-17', 'ahead'],
      ['2026-01-18', 'ahead'],
    ])
  })

  test('does not count a rest day of a weekly habit as missed', async () => {
    const world = await tenants.open(habitSeed)
    const calendar = (await world.data('habit.status', { habit_name: 'grandparents' }))
      .calendar as readonly Week[]
    const states = new Set(calendar.flatMap(({ days }) => days.map(({ state }) => state)))
    expect(states).toEqual(new Set(['before', 'done', 'rest', 'ahead']))
  })

  test('of an unknown habit lists the existing ones', async () => {
    const world = await tenants.open(habitSeed)
    expect(await world.call('habit.status', { habit_name: 'Chess' })).toMatchObject({
      error: {
        code: 'TOOL_RESOURCE_NOT_FOUND',
        message: 'There is no habit called "Chess".',
        details: {
          searched_name: 'Chess',
          available: expect.arrayContaining(['Budget', 'Evening workout']),
        },
      },
    })
  })
})
