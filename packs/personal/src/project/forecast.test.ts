import { expect, test } from 'vitest'
import { forecastCompletion } from './project-statistics.ts'

const weeks = (...completed: readonly number[]) =>
  completed.map((count, index) => ({ week_start: `2026-01-0${index + 1}`, completed: count }))

test('the open tasks are divided by the tasks completed per week', () => {
  expect(forecastCompletion(6, weeks(1, 3), '2026-01-15')).toEqual({
    remaining: 6,
    per_week: 2,
    finishes_on: '2026-02-05',
  })
})

test('without completed or open tasks there is no forecast', () => {
  expect([
    forecastCompletion(5, weeks(0, 0), '2026-01-15'),
    forecastCompletion(0, weeks(3), '2026-01-15'),
  ]).toEqual([undefined, undefined])
})

test('more than ten years are not forecast', () => {
  expect(forecastCompletion(10_000, weeks(1), '2026-01-15')).toBeUndefined()
})
