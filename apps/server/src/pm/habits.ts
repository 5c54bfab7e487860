import { safeLine, screenWidth, UsageError } from '@surehand/cli'
import { type CalendarWeek, drawStreakCalendar, drawStreakLine } from './charts.ts'
import { storeLastList } from './last-list.ts'
import { markDone } from './mark-done.ts'
import { callForData, type PmContext, printResult } from './pm-context.ts'
import { formatNumberedLine } from './task-lines.ts'
import { resolveItems } from './tasks.ts'

type Streak = { readonly current: number; readonly longest: number; readonly unit: string }
type Habit = {
  readonly id: string
  readonly name: string
  readonly frequency: string
  readonly is_done: boolean
  readonly streak: Streak
}
type Share = { readonly done: number; readonly expected: number; readonly rate?: number }
type Status = {
  readonly habit_info: {
    readonly name: string
    readonly frequency: string
    readonly cue?: string
    readonly reminder_time?: string
  }
  readonly streak: Streak
  readonly completion: {
    readonly total: number
    readonly last_30_days: Share
    readonly last_12_weeks: Share
  }
  readonly average_quality?: number
  readonly calendar: readonly CalendarWeek[]
  readonly message: string
}

const MOST_DRAWN = 20

/** All habits with their last four weeks, or one habit in detail. */
export async function showHabits(context: PmContext, words: readonly string[]): Promise<number> {
  if (words.length > 0) return showHabit(context, words.join(' '))
  const data = await callForData<{ readonly habits: readonly Habit[] }>(context, 'habit.list', {
    limit: 100,
  })
  storeLastList(data.habits.map(({ id, name }) => ({ kind: 'habit', id, name })))
  const drawn = context.format === 'words' ? data.habits.slice(0, MOST_DRAWN) : []
  const weeks = await Promise.all(
    drawn.map(({ id }) => callForData<Status>(context, 'habit.status', { habit_name: id })),
  )
  const width = screenWidth(context.terminal.stdout)
  const lines = data.habits.map(({ name, is_done, streak }, index) => {
    const line = weeks[index] === undefined ? '' : drawStreakLine(weeks[index].calendar)
    const facts = `${line.padStart(28)}  ${String(streak.current).padStart(3)} ${streak.unit}, longest ${streak.longest}`
    return formatNumberedLine(index + 1, `${is_done ? '✓' : ' '} ${safeLine(name)}`, facts, width)
  })
  return printResult(
    context,
    data,
    lines.length === 0
      ? ['No habits yet. Add one: surehand pm habit add "Read ten pages"']
      : [...lines, '', '     ■ done  · missed  □ still open'],
  )
}

async function showHabit(context: PmContext, name: string): Promise<number> {
  const data = await callForData<Status>(context, 'habit.status', { habit_name: name })
  const { habit_info: info, completion, streak, average_quality: quality } = data
  return printResult(context, data, [
    `${safeLine(info.name)} (${info.frequency})`,
    '',
    ...drawStreakCalendar(data.calendar),
    '',
    `   streak ${streak.current} ${streak.unit}, longest ${streak.longest}; kept ${completion.last_30_days.done} of ${completion.last_30_days.expected} in 30 days${
      quality === undefined ? '' : `; quality ${quality.toFixed(1)} of 5`
    }`,
    ...(info.cue === undefined ? [] : [`   cue: ${safeLine(info.cue)}`]),
  ])
}

/** `habit add NAME`. */
export async function addHabit(
  context: PmContext,
  [verb, ...words]: readonly string[],
): Promise<number> {
  if (verb !== 'add' || words.length === 0)
    throw new UsageError('Name the habit.', 'surehand pm habit add "Read ten pages" --remind 21:30')
  const { flags } = context
  const data = await callForData<{
    readonly habit_info: { readonly name: string; readonly frequency: string }
  }>(context, 'habit.create', {
    name: words.join(' '),
    ...(flags.has('frequency') ? { frequency: flags.get('frequency') } : {}),
    ...(flags.has('category') ? { category: flags.get('category') } : {}),
    ...(flags.has('remind') ? { reminder_time: flags.get('remind') } : {}),
    ...(flags.has('cue') ? { cue: flags.get('cue') } : {}),
  })
  return printResult(context, data, [
    `"${safeLine(data.habit_info.name)}" is a ${data.habit_info.frequency} habit from today on.`,
  ])
}

/** `did 1,3` or `did meditation --on yesterday`. */
export function recordHabits(context: PmContext, words: readonly string[]): Promise<number> {
  return markDone(context, resolveItems(words, 'habit'))
}
