import { addDays, dayOf } from '@surehand/dates'
import { afterAll, describe, expect, test } from 'vitest'
import type { PersonalWorld } from '../../testing/personal-world.ts'
import { openTenants } from '../../testing/tenants.ts'

const tenants = openTenants()
afterAll(tenants.close)

type Advice = {
  readonly action: string
  readonly habit?: { readonly name: string }
  readonly title: string
  readonly reasons: readonly string[]
  readonly score: number
  readonly call?: { readonly tool: string; readonly input: Record<string, unknown> }
}
const advice = async (world: PersonalWorld, input: object = {}) =>
  (await world.data('habit.recommend', input)).recommendations as readonly Advice[]

/**
 * A habit that was created some weeks ago and was done on the given days, counted back from today.
 */
async function createHabitWithDays(
  world: PersonalWorld,
  habit: Readonly<Record<string, unknown>>,
  back: readonly number[],
): Promise<void> {
  const today = dayOf(world.clock.now(), 'Europe/Berlin')
  await world.data('habit.create', habit)
  for (const days of back)
    await world.data('habit.record_completion', {
      habit_name: habit.name,
      date: addDays(today, -days),
    })
}

describe('habit.recommend', () => {
  test('without habits recommends to start with a tiny one', async () => {
    expect(await advice(await tenants.open())).toMatchObject([{ action: 'begin_small' }])
  })

  test('recommends first to keep a streak, with a call that does so', async () => {
    const world = await tenants.open()
    await createHabitWithDays(world, { name: 'Read' }, [1, 2, 3, 4, 5])
    const [first] = await advice(world)
    expect(first).toMatchObject({
      action: 'do_now',
      title: 'Do "Read" today',
      reasons: ['A streak of 5 days ends tonight without it.', 'The longest was 5 days.'],
    })
    expect(await world.call(first?.call?.tool ?? '', first?.call?.input)).toMatchObject({
      data: { streak: { current: 6 } },
    })
    expect((await advice(world)).map(({ action }) => action)).not.toContain('do_now')
  })

  test('recommends to make a seldom done habit smaller, with a call that does so', async () => {
    const world = await tenants.open()
    await createHabitWithDays(world, { name: 'Run', difficulty: 'hard' }, [20, 12, 5])
    const easier = (await advice(world, { limit: 20 })).find(
      ({ action }) => action === 'make_easier',
    )
    expect(easier).toMatchObject({
      title: 'Make "Run" smaller: from hard to medium',
      reasons: [expect.stringContaining('3 of 20 days'), expect.any(String)],
    })
    expect(await world.call(easier?.call?.tool ?? '', easier?.call?.input)).toMatchObject({
      data: { habit_info: { difficulty: 'medium' } },
    })
  })

  test('ties a weak habit to a strong one', async () => {
    const world = await tenants.open()
    await createHabitWithDays(
      world,
      { name: 'Coffee' },
      Array.from({ length: 20 }, (_, index) => index),
    )
    await createHabitWithDays(world, { name: 'Stretch' }, [19, 10])
    const cue = (await advice(world, { limit: 20 })).find(({ action }) => action === 'set_cue')
    expect(cue).toMatchObject({
      title: 'Do "Stretch" right after "Coffee"',
      call: { input: { cue: 'After "Coffee"' } },
    })
  })

  test('recommends to resume a recent streak, and ignores one that ended long ago', async () => {
    const world = await tenants.open()
    await createHabitWithDays(world, { name: 'Piano' }, [5, 6, 7, 8])
    await createHabitWithDays(world, { name: 'Chess' }, [80, 81, 82])
    const again = (await advice(world, { limit: 20 })).filter(
      ({ action }) => action === 'take_up_again',
    )
    expect(again.map(({ habit }) => habit?.name)).toEqual(['Piano'])
  })

  test('filters by category, strongest first, within its limit', async () => {
    const world = await tenants.open()
    await createHabitWithDays(
      world,
      { name: 'Run', category: 'health', difficulty: 'hard' },
      [30, 1],
    )
    await createHabitWithDays(world, { name: 'Read', category: 'learning' }, [1, 2, 3])
    const health = await advice(world, { category: 'health', limit: 20 })
    expect(health.map(({ habit }) => habit?.name)).not.toContain('Read')
    const all = await advice(world, { limit: 20 })
    const scores = all.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
    expect(await advice(world, { limit: 1 })).toHaveLength(1)
  })
})

describe('habit.analyze_patterns', () => {
  test('says that a new habit has too little data', async () => {
    const world = await tenants.open()
    await createHabitWithDays(world, { name: 'Read' }, [0, 1])
    expect(await world.data('habit.analyze_patterns', {})).toMatchObject({
      habits: [{ name: 'Read', completions: 2, expected: 2, success_rate: 1, enough_data: false }],
      correlations: [],
      insights: ['"Read" has 2 of the 14 days that a pattern needs.'],
    })
  })

  test('finds a trend and two habits that go together', async () => {
    const world = await tenants.open()
    const back = Array.from({ length: 20 }, (_, index) => index + 1)
    await createHabitWithDays(world, { name: 'Read' }, [...back, 40])
    await createHabitWithDays(world, { name: 'Tea' }, [...back, 40])
    const found = await world.data('habit.analyze_patterns', { days: 41 })
    expect(found).toMatchObject({
      period: { from: '2025-12-06', to: '2026-01-15', days: 41 },
      habits: [
        { name: 'Read', enough_data: true, trend: { direction: 'improving' } },
        { name: 'Tea', expected: 40 },
      ],
      correlations: [{ habits: ['Read', 'Tea'], coefficient: 1, days: 40 }],
    })
    expect(found.insights).toContain(
      '"Read" and "Tea" are mostly done on the same days (1.00 over 40 days).',
    )
  })

  test('of one named habit is about that one only', async () => {
    const world = await tenants.open()
    await createHabitWithDays(world, { name: 'Read' }, [1])
    await createHabitWithDays(world, { name: 'Tea' }, [1])
    const { habits } = await world.data('habit.analyze_patterns', { habit_name: 'tea', days: 7 })
    expect(habits).toMatchObject([{ name: 'Tea' }])
  })
})
