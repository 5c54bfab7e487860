import { addDays, type Day, daysBetween } from '@surehand/dates'
import { z } from 'zod'
import { type DueHabit, readDueHabits } from '../habit/due-habits.ts'
import { type Unit, unitOf } from '../habit/period.ts'
import type { ReadContext } from '../read-context.ts'
import type { Range } from './deep-work-totals.ts'

const MOST_HABITS = 200

export const HabitReview = z.object({
  name: z.string(),
  frequency: z.enum(['daily', 'weekly', 'monthly']),
  outcome: z.enum(['kept', 'missed', 'open']).describe('open: there is still time for it.'),
  done: z.int().describe('The number of these days on which it was done.'),
  expected: z.int().describe('How often it was expected by now.'),
  current_streak: z.int(),
  streak_unit: z.enum(['days', 'weeks', 'months']),
})
export type HabitReview = z.infer<typeof HabitReview>

const DONE =
  'select habit_id, count(*) as n, max(day) as last from pm_habit_records where tenant = ? and owner = ? and day >= ? and day <= ? group by habit_id'

/** How the person's habits went in some days. */
export async function readHabitReviews(
  { read, person, localTime }: ReadContext,
  range: Range,
): Promise<readonly HabitReview[]> {
  const isOver = range.to < localTime.today
  const until = isOver ? range.to : localTime.today
  if (until < range.from) return []
  const habits = await readDueHabits(read, person, { day: until, localTime })
  const rows = await read(DONE, person.tenant, person.owner, range.from, until)
  const counts = new Map(
    rows.map(({ habit_id, n, last }) => [
      String(habit_id),
      { done: Number(n), last: String(last) },
    ]),
  )
  return habits.slice(0, MOST_HABITS).map((due) =>
    toHabitReview(due, counts.get(due.habit.id) ?? { done: 0, last: undefined }, {
      from: range.from,
      until,
      today: localTime.today,
    }),
  )
}

type Done = { readonly done: number; readonly last: Day | undefined }
type Days = { readonly from: Day; readonly until: Day; readonly today: Day }

function toHabitReview(
  { habit, streak, doneOn, until: lastChance }: DueHabit,
  { done, last }: Done,
  days: Days,
): HabitReview {
  const { name, frequency } = habit
  const same = {
    name,
    frequency,
    done,
    current_streak: streak,
    streak_unit: unitOf(frequency) satisfies Unit,
  }
  if (frequency === 'daily') {
    const expected = countExpectedDays(habit.startedOn, last, days)
    const isOpen = done >= expected && days.until === days.today && last !== days.today
    return { ...same, expected, outcome: done < expected ? 'missed' : isOpen ? 'open' : 'kept' }
  }
  const isOver = lastChance < days.today && lastChance <= days.until
  return {
    ...same,
    expected: isOver || doneOn !== undefined ? 1 : 0,
    outcome: doneOn !== undefined ? 'kept' : isOver ? 'missed' : 'open',
  }
}

// Today is expected only once it is done: until midnight it is not missed.
function countExpectedDays(
  startedOn: Day,
  last: Day | undefined,
  { from, until, today }: Days,
): number {
  const first = startedOn > from ? startedOn : from
  const end = until === today && last !== today ? addDays(until, -1) : until
  return Math.max(0, daysBetween(first, end) + 1)
}
