import { afterAll, expect, test } from 'vitest'
import { openTenants } from '../../testing/tenants.ts'

const tenants = openTenants()
afterAll(tenants.close)

const DAYS = ['2026-01-10', '2026-01-11', '2026-01-12', '2026-01-13', '2026-01-14', '2026-01-15']

/** What is advised about the streak of a habit that was done on these days; it is 15 January. */
async function adviceAfter(days: readonly string[]): Promise<string> {
  const world = await tenants.open([], { now: Date.parse('2026-01-10T08:00:00Z') })
  await world.data('habit.create', { name: 'Read' })
  for (const day of DAYS) {
    if (days.includes(day)) await world.data('habit.record_completion', { habit_name: 'Read' })
    if (day !== '2026-01-15') await world.clock.advance(86_400_000)
  }
  const { recommendations } = await world.data('ai.explain_habit_patterns', { habit_name: 'Read' })
  return JSON.stringify(recommendations)
}

test('a streak that runs and was continued today is not advised to begin', async () => {
  const advice = await adviceAfter(DAYS)
  expect(advice).not.toContain('start a new streak')
  expect(advice).toContain('again tomorrow to continue the streak of 6')
})

test('a streak that is not continued yet today is advised to be kept', async () => {
  expect(await adviceAfter(DAYS.slice(0, 5))).toContain('today to keep the streak of 5')
})
