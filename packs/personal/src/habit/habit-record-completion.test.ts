import { addDays, dayOf } from '@surehand/dates'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ANN, type PersonalWorld } from '../../testing/personal-world.ts'
import { openTenants } from '../../testing/tenants.ts'
import type { Frequency } from './period.ts'
import { currentStreak, runOf } from './streak.ts'

const tenants = openTenants()
afterAll(tenants.close)

const RUN = { tool: 'habit.create', input: { name: 'Run' } }
const recordCompletion = (world: PersonalWorld, input: object = {}) =>
  world.data('habit.record_completion', { habit_name: 'Run', ...input })
const records = (world: PersonalWorld) =>
  world.query(
    'select day, zone, quality, minutes, note from pm_habit_records where tenant = ? order by day',
    world.caller.tenant,
  )

describe('a completion', () => {
  test("without a date is for today in the person's zone", async () => {
    // 23:30 in New York, where it is still the 14th.
    const world = await tenants.open([RUN], {
      now: Date.parse('2026-01-15T04:30:00Z'),
      timeZone: 'America/New_York',
    })
    expect(await recordCompletion(world)).toMatchObject({
      record: { action: 'created', date: '2026-01-14' },
      streak: { current: 1 },
    })
    expect(await records(world)).toMatchObject([{ day: '2026-01-14', zone: 'America/New_York' }])
  })

  test('is for the day in the zone that the person has set, whatever their credential says', async () => {
    const world = await tenants.open([RUN], { now: Date.parse('2026-01-15T12:00:00Z') })
    await say(world, 'Pacific/Auckland')
    expect(await recordCompletion(world)).toMatchObject({ record: { date: '2026-01-16' } })
  })

  test.each([
    ['2026-01-10', '2026-01-10'],
    ['yesterday', '2026-01-14'],
    ['gestern', '2026-01-14'],
    ['last Monday', '2026-01-12'],
    ['3 days ago', '2026-01-12'],
    ['today', '2026-01-15'],
  ])('of "%s" is for %s', async (date, day) => {
    const world = await tenants.open([RUN])
    expect(await recordCompletion(world, { date })).toMatchObject({ record: { date: day } })
  })

  test.each(['2026-01-16', 'tomorrow'])('of "%s" is refused: it is in the future', async (date) => {
    const world = await tenants.open([RUN])
    expect(await world.call('habit.record_completion', { habit_name: 'Run', date })).toMatchObject({
      status: 'failed',
      error: {
        code: 'TOOL_INVALID_FIELD_VALUE',
        details: { today: '2026-01-15', validation_errors: [{ field: 'date' }] },
      },
    })
    expect(await records(world)).toEqual([])
  })

  test.each(['2026-02-30', 'the blue one'])('of "%s" is refused: it is not a day', async (date) => {
    const world = await tenants.open([RUN])
    expect(await world.call('habit.record_completion', { habit_name: 'Run', date })).toMatchObject({
      error: {
        code: 'TOOL_INVALID_FIELD_VALUE',
        details: { validation_errors: [{ field: 'date', provided_value: date }] },
      },
    })
  })

  test('of a recorded day updates its record', async () => {
    const world = await tenants.open([RUN])
    await recordCompletion(world, { quality: 3, note: 'in the rain' })
    expect(await recordCompletion(world, { quality: 5, duration_minutes: 40 })).toMatchObject({
      record: {
        action: 'updated',
        date: '2026-01-15',
        quality: 5,
        duration_minutes: 40,
        note: 'in the rain',
      },
      streak: { current: 1 },
    })
    expect(await records(world)).toMatchObject([
      { day: '2026-01-15', quality: 5, minutes: 40, note: 'in the rain' },
    ])
  })

  test.each([0, 6, 2.5])('of quality %s is refused', async (quality) => {
    const world = await tenants.open([RUN])
    expect(
      await world.call('habit.record_completion', { habit_name: 'Run', quality }),
    ).toMatchObject({
      status: 'failed',
      error: { details: { validation_errors: [{ field: 'quality' }] } },
    })
  })

  test('that is removed takes its day out of the streak', async () => {
    const world = await tenants.open([RUN])
    for (const date of ['2026-01-13', '2026-01-14', '2026-01-15'])
      await recordCompletion(world, { date })
    expect(await recordCompletion(world, { date: '2026-01-14', completed: false })).toMatchObject({
      record: { action: 'removed', date: '2026-01-14' },
      streak: { current: 1, longest: 1 },
    })
    expect(
      await world.call('habit.record_completion', {
        habit_name: 'Run',
        date: '2026-01-14',
        completed: false,
      }),
    ).toMatchObject({
      error: {
        code: 'TOOL_RESOURCE_NOT_FOUND',
        message: '"Run" has no record on 2026-01-14, so there is nothing to remove.',
      },
    })
  })

  test('that fills a gap joins two runs', async () => {
    const world = await tenants.open([RUN])
    for (const date of ['2026-01-12', '2026-01-13', '2026-01-15'])
      await recordCompletion(world, { date })
    expect(await recordCompletion(world, { date: '2026-01-14' })).toMatchObject({
      streak: { current: 4, longest: 4 },
    })
  })

  test('continues across a flight over the date line', async () => {
    const world = await tenants.open([RUN], { now: Date.parse('2026-03-10T06:00:00Z') })
    await say(world, 'Pacific/Honolulu')
    expect(await recordCompletion(world)).toMatchObject({
      record: { date: '2026-03-09' },
      streak: { current: 1 },
    })
    world.clock.set(Date.parse('2026-03-10T22:00:00Z'))
    await say(world, 'Pacific/Auckland')
    expect(await recordCompletion(world)).toMatchObject({
      record: { date: '2026-03-11' },
      streak: { current: 2 },
    })
  })

  test('of a habit that several names match lists them', async () => {
    const world = await tenants.open(
      ['Morning run', 'Morning pages'].map((name) => ({ tool: 'habit.create', input: { name } })),
    )
    expect(await world.call('habit.record_completion', { habit_name: 'morning' })).toMatchObject({
      error: {
        code: 'TOOL_INVALID_FIELD_VALUE',
        details: {
          searched_name: 'morning',
          matches: expect.arrayContaining([{ id: expect.any(String), name: 'Morning run' }]),
        },
      },
    })
  })

  test.each(['run', 'RUN', 'Rnu!', 'mornnig run'])(
    'of a habit called "%s" is for "Morning run", or lists what there is',
    async (habit_name) => {
      const world = await tenants.open([{ tool: 'habit.create', input: { name: 'Morning run' } }])
      const answer = await world.call('habit.record_completion', { habit_name })
      if (habit_name === 'Rnu!')
        expect(answer.error).toMatchObject({
          code: 'TOOL_RESOURCE_NOT_FOUND',
          details: { searched_name: 'Rnu!', available: ['Morning run'] },
        })
      else expect(answer).toMatchObject({ data: { habit_info: { name: 'Morning run' } } })
    },
  )

  test('concurrent completions of one habit leave the correct streak', async () => {
    const world = await tenants.open([RUN])
    await Promise.all(
      Array.from({ length: 20 }, (_, back) =>
        recordCompletion(world, { date: addDays('2026-01-15', -back) }),
      ),
    )
    expect(await world.data('habit.status', { habit_name: 'Run' })).toMatchObject({
      streak: { current: 20, longest: 20 },
    })
  })
})

test('after any sequence of records and removals, the streak is that of the records', async () => {
  const step = fc.record({ back: fc.integer({ min: 0, max: 40 }), completed: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 20 }),
      fc.constantFrom<Frequency>('daily', 'weekly', 'monthly'),
      async (steps, frequency) => {
        const world = await tenants.open([
          { tool: 'habit.create', input: { name: 'Run', frequency } },
        ])
        const today = dayOf(world.clock.now(), 'Europe/Berlin')
        const days = new Set<string>()
        for (const { back, completed } of steps) {
          const date = addDays(today, -back)
          await world.call('habit.record_completion', { habit_name: 'Run', date, completed })
          completed ? days.add(date) : days.delete(date)
        }
        const run = runOf(
          [...days].sort().map((day) => ({ day, zone: 'Europe/Berlin' })),
          frequency,
        )
        expect(await world.data('habit.status', { habit_name: 'Run' })).toMatchObject({
          streak: {
            current: currentStreak(run, { day: today, zone: 'Europe/Berlin' }, frequency),
            longest: run.best,
          },
          completion: { total: days.size },
        })
      },
    ),
    { numRuns: 15 },
  )
})

async function say(world: PersonalWorld, time_zone: string): Promise<void> {
  await world.data(
    'system.preferences_set',
    { time_zone },
    { ...ANN, capabilities: ['preferences.write'] },
  )
}
