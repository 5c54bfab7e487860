import { defineTool } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { addDays, type Day } from '@surehand/dates'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { personalData } from '../personal-data.ts'
import { findHabit, type Habit, readRun } from './habit.ts'
import { openHabits } from './habit-context.ts'
import { isDoneNow, streakView, streakWords, wholeHabitInfo } from './habit-view.ts'
import { periodOf } from './period.ts'
import { habitPermissions } from './permissions.ts'
import { CivilDay, HabitName, Rate, Streak, WholeHabitInfo } from './shapes.ts'
import { measureSuccess } from './success.ts'

const Share = z.object({
  done: z.int(),
  expected: z
    .int()
    .describe(
      'Days, weeks or months that could have been done; the current one counts once it is done',
    ),
  rate: Rate.optional(),
})
const DayView = z.object({
  date: CivilDay,
  state: z.enum(['done', 'missed', 'open', 'rest', 'before', 'ahead']),
  quality: z.int().optional(),
})

export const habitStatus = defineTool({
  id: 'habit.status',
  title: 'Get Habit Status',
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.status'],
  description:
    'Show everything about one habit: its details, its streak, how often and how well it was done lately, and a calendar of the last twelve weeks.',
  input: z.object({ habit_name: HabitName }),
  output: z.object({
    habit_info: WholeHabitInfo,
    is_done: z.boolean().describe('Done for this day, week or month'),
    streak: Streak,
    completion: z.object({ total: z.int(), last_30_days: Share, last_12_weeks: Share }),
    average_quality: z.number().min(1).max(5).optional().describe('Of the last twelve weeks'),
    minutes: z.int().describe('Recorded in the last twelve weeks'),
    calendar: z
      .array(z.object({ week_start: CivilDay, days: z.array(DayView).length(7) }))
      .describe('Twelve weeks, Monday to Sunday'),
    message: z.string(),
  }),
  contract: {
    effect: 'read',
    permissions: habitPermissions('read'),
    securityLevel: 'internal',
    limits: [
      { calls: 60, per: '1m' },
      { calls: 1000, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [
    {
      name: 'by_part_of_its_name',
      description: 'A habit by a part of its name',
      input: { habit_name: 'meditation' },
    },
  ],
  async execute(execution) {
    const { read, person, localTime } = await openHabits(execution)
    const habit = await findHabit(read, person, { query: execution.input.habit_name })
    // A month that began before the calendar starts still counts with its first days.
    const since = addDays(calendarStart(localTime.today), -31)
    const [run, rows, [counted]] = await Promise.all([
      readRun(read, person, habit),
      read(SELECT_RECORDS, person.tenant, habit.id, since),
      read(COUNT_RECORDS, person.tenant, habit.id),
    ])
    const streak = streakView(habit, run, localTime)
    return {
      habit_info: wholeHabitInfo(habit),
      is_done: isDoneNow(habit, run, localTime),
      streak,
      ...summarizeRecords(habit, rows, { localTime, total: Number(counted?.n ?? 0) }),
      message: `"${habit.name}": a streak of ${streakWords(streak.current, streak.unit)}, the longest ${streakWords(streak.longest, streak.unit)}.`,
    }
  },
})

const SELECT_RECORDS =
  'select day, quality, minutes from pm_habit_records where tenant = ? and habit_id = ? and day >= ? order by day'
const COUNT_RECORDS = 'select count(*) as n from pm_habit_records where tenant = ? and habit_id = ?'

function summarizeRecords(
  habit: Habit,
  rows: readonly Row[],
  { localTime, total }: { readonly localTime: LocalTime; readonly total: number },
) {
  const { today } = localTime
  const records = rows.map(({ day, quality, minutes }) => ({
    day: String(day),
    quality: quality == null ? null : Number(quality),
    minutes: Number(minutes ?? 0),
  }))
  const days = records.map(({ day }) => day)
  const start = calendarStart(today)
  const shown = records.filter(({ day }) => day >= start)
  const qualities = shown.flatMap(({ quality }) => (quality === null ? [] : [quality]))
  const share = (from: string) => {
    const { done, expected, rate } = measureSuccess(days, { ...habit, from, today })
    return { done, expected, ...(rate === undefined ? {} : { rate }) }
  }
  return {
    completion: { total, last_30_days: share(addDays(today, -29)), last_12_weeks: share(start) },
    ...(qualities.length === 0 ? {} : { average_quality: meanOf(qualities) }),
    minutes: shown.reduce((sum, { minutes }) => sum + minutes, 0),
    calendar: buildCalendar(habit, new Map(shown.map(({ day, quality }) => [day, quality])), today),
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

type CalendarDay = {
  readonly date: Day
  /**
   * `open` is today while it is not done; `rest` is a day on which a weekly or monthly habit need
   * not be done.
   */
  readonly state: 'done' | 'missed' | 'open' | 'rest' | 'before' | 'ahead'
  readonly quality?: number
}

type CalendarWeek = { readonly week_start: Day; readonly days: CalendarDay[] }

const WEEKS = 12

const DAYS = Array.from({ length: 7 }, (_, index) => index)

/** The first day of the calendar: the Monday eleven weeks before the current week. */
function calendarStart(today: Day): Day {
  return addDays(periodOf(today, 'weekly').from, -7 * (WEEKS - 1))
}

/** The state of each day of the last twelve weeks, Monday to Sunday, for charts. */
export function buildCalendar(
  { frequency, startedOn }: Pick<Habit, 'frequency' | 'startedOn'>,
  qualities: ReadonlyMap<Day, number | null>,
  today: Day,
): CalendarWeek[] {
  const start = calendarStart(today)
  const dayOn = (date: Day): CalendarDay => {
    const quality = qualities.get(date)
    if (quality !== undefined)
      return { date, state: 'done', ...(quality === null ? {} : { quality }) }
    if (date > today) return { date, state: 'ahead' }
    if (date < startedOn) return { date, state: 'before' }
    if (frequency !== 'daily') return { date, state: 'rest' }
    return { date, state: date === today ? 'open' : 'missed' }
  }
  return Array.from({ length: WEEKS }, (_, week) => {
    const monday = addDays(start, 7 * week)
    return { week_start: monday, days: DAYS.map((index) => dayOn(addDays(monday, index))) }
  })
}
