import { addDays, atTime } from '@surehand/dates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPersonalWorld, type PersonalWorld } from './personal-world.ts'

const BERLIN = 'Europe/Berlin'
const FIRST = '2026-10-12'
const DAYS = 31

/** A trip to the east, clocks that change at home, and a trip to where they change a week later. */
function zoneOn(day: string): string {
  if (day >= '2026-10-18' && day <= '2026-10-22') return 'Asia/Tokyo'
  if (day >= '2026-10-31' && day <= '2026-11-05') return 'America/New_York'
  return BERLIN
}

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld({ now: atTime(FIRST, '07:00', BERLIN) })
})
afterAll(() => world.close())

const until = async (ms: number): Promise<unknown> => world.clock.advance(ms - world.clock.now())

test('a month with two trips and two changes of the clocks is 31 days of habits, work and Mondays', async () => {
  await world.data('habit.create', { name: 'Read', frequency: 'daily' })
  await world.data('task.capture', { text: 'Water the plants every Monday 9:00' })
  const dates: unknown[] = []
  const mondays: unknown[] = []
  for (let day = FIRST, lived = 0; lived < DAYS; lived += 1, day = addDays(day, 1)) {
    const zone = zoneOn(day)
    await until(atTime(day, '20:00', zone))
    if (zone !== zoneOn(addDays(day, -1)))
      await world.data('system.preferences_set', { time_zone: zone })
    const plan = await world.data('habit.today_plan', {})
    dates.push([plan.date, plan.time_zone])
    // Every other day: rates are counted by the clock of the database, which does not jump.
    if (lived % 2 === 0) {
      await world.data('time.deep_work_start', { subject: 'Thesis' })
      await until(atTime(day, '20:30', zone))
      await world.data('time.deep_work_stop', {})
    }
    const { streak } = await world.data('habit.record_completion', { habit_name: 'Read' })
    expect([day, streak]).toMatchObject([day, { current: lived + 1 }])
    if (new Date(day).getUTCDay() === 1 && lived > 0) {
      const { next } = await world.data('task.complete', { task: 'Water the plants' })
      mondays.push((next as { readonly due: unknown }).due)
      await world.data('time.review_weekly', {})
    }
  }
  expect(dates).toEqual(
    Array.from({ length: DAYS }, (_, index) => {
      const day = addDays(FIRST, index)
      return [day, zoneOn(day)]
    }),
  )
  expect(mondays).toMatchObject(
    ['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'].map((day) => ({ day, time: '09:00' })),
  )
  const report = await world.data('time.deep_work_report', {
    from: FIRST,
    to: addDays(FIRST, DAYS - 1),
  })
  expect(report).toMatchObject({ session_count: 16, total_minutes: 16 * 30, time_zone: BERLIN })
  const { tasks } = await world.data('task.list', {})
  expect(tasks).toHaveLength(1)
})

test('after the month one zone is on the screen, and an explanation agrees with it', async () => {
  const plan = await world.data('habit.today_plan', {})
  expect(plan).toMatchObject({ time_zone: BERLIN, due: [], done: [{ current_streak: DAYS }] })
  const explanation = await world.data('ai.explain_habit_patterns', { habit_name: 'Read' })
  expect(JSON.stringify(explanation)).toContain(`The streak is ${DAYS}, the longest was ${DAYS}.`)
  expect(explanation.recommendations).toEqual({
    primary_recommendation: expect.objectContaining({ action: 'Keep "Read" as it is' }),
  })
})
