import { afterAll, describe, expect, test } from 'vitest'
import type { PersonalWorld } from '../../testing/personal-world.ts'
import { openTenants } from '../../testing/tenants.ts'
import { habitSeed } from './fixtures/seed.ts'

const tenants = openTenants()
afterAll(tenants.close)

const names = (list: unknown) =>
  (list as readonly { readonly name: string }[]).map(({ name }) => name)
const plan = (world: PersonalWorld, input: object = {}) => world.data('habit.today_plan', input)
const DAY_MS = 86_400_000

describe('the plan of a day', () => {
  test('lists habits with a time first, then those that end soonest', async () => {
    const world = await tenants.open(habitSeed)
    const { date, time_zone, due, done, summary } = await plan(world)
    expect({ date, time_zone, done }).toEqual({
      date: '2026-01-15',
      time_zone: 'Europe/Berlin',
      done: [],
    })
    expect(names(due)).toEqual([
      'Evening workout',
      'Morning meditation',
      'Call the grandparents',
      'Budget',
    ])
    expect(summary).toEqual({ due: 4, done: 0, minutes_planned: 30, streaks_at_risk: 1 })
    expect(due).toMatchObject([
      { reminder_time: '19:30', is_late: false, due_until: '2026-01-15' },
      { current_streak: 3, reason: 'A streak of 3 days ends without it.' },
      { due_until: '2026-01-18', reason: 'A streak of 1 week; due until 2026-01-18.' },
      { due_until: '2026-01-31' },
    ])
  })

  test('moves done habits to the other list, for their week or month', async () => {
    const world = await tenants.open(habitSeed)
    for (const habit_name of ['Morning meditation', 'Call the grandparents', 'Budget'])
      await world.data('habit.record_completion', { habit_name })
    world.clock.set(world.clock.now() + DAY_MS)
    const { due, done, message } = await plan(world)
    expect(names(due)).toEqual(['Evening workout', 'Morning meditation'])
    expect(done).toMatchObject([
      { name: 'Call the grandparents', completed_on: '2026-01-15', current_streak: 2 },
      { name: 'Budget', completed_on: '2026-01-15' },
    ])
    expect(message).toBe('2 to do on 2026-01-16: Evening workout, Morning meditation. 2 done.')
  })

  test('marks a reminder as late once its time has passed', async () => {
    const world = await tenants.open(habitSeed)
    world.clock.set(Date.parse('2026-01-15T18:30:00Z'))
    expect((await plan(world)).due).toMatchObject([
      { name: 'Evening workout', is_late: true },
      {},
      {},
      {},
    ])
  })

  test('of a future day plans the habits of that day', async () => {
    const world = await tenants.open(habitSeed)
    await world.data('habit.record_completion', { habit_name: 'Call the grandparents' })
    expect(names((await plan(world, { date: 'tomorrow' })).due)).not.toContain(
      'Call the grandparents',
    )
    expect(names((await plan(world, { date: '2026-01-19' })).due)).toContain(
      'Call the grandparents',
    )
  })

  test('shows a reminder at a skipped hour moved forward', async () => {
    const world = await tenants.open(
      [{ tool: 'habit.create', input: { name: 'Feed the cat', reminder_time: '02:30' } }],
      {
        now: Date.parse('2026-03-28T12:00:00Z'),
      },
    )
    expect((await plan(world)).due).toMatchObject([{ reminder_time: '02:30' }])
    expect((await plan(world, { date: '2026-03-29' })).due).toMatchObject([
      { reminder_time: '03:30' },
    ])
  })

  test('without habits says how to start', async () => {
    const world = await tenants.open()
    expect(await plan(world)).toMatchObject({
      due: [],
      message: 'No habits are planned for 2026-01-15. To start one, call habit.create.',
    })
  })
})
