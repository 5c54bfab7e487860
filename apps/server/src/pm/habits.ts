import { safeLine, screenWidth, UsageError } from '@surehand/cli'
import { type CalendarWeek, streakCalendar, streakLine } from './charts.ts'
import { finish } from './finish.ts'
import { rememberList } from './last-list.ts'
import { numbered } from './task-lines.ts'
import { meant } from './tasks.ts'
import { dataOf, tell, type Use } from './use.ts'

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

/** All habits with their last four weeks, or one whole. */
export async function habits(use: Use, words: readonly string[]): Promise<number> {
  if (words.length > 0) return habit(use, words.join(' '))
  const data = await dataOf<{ readonly habits: readonly Habit[] }>(use, 'habit.list', {
    limit: 100,
  })
  rememberList(data.habits.map(({ id, name }) => ({ kind: 'habit', id, name })))
  const drawn = use.format === 'words' ? data.habits.slice(0, MOST_DRAWN) : []
  const weeks = await Promise.all(
    drawn.map(({ id }) => dataOf<Status>(use, 'habit.status', { habit_name: id })),
  )
  const width = screenWidth(use.terminal.stdout)
  const lines = data.habits.map(({ name, is_done, streak }, index) => {
    const line = weeks[index] === undefined ? '' : streakLine(weeks[index].calendar)
    const facts = `${line.padStart(28)}  ${String(streak.current).padStart(3)} ${streak.unit}, longest ${streak.longest}`
    return numbered(index + 1, `${is_done ? '✓' : ' '} ${safeLine(name)}`, facts, width)
  })
  return tell(
    use,
    data,
    lines.length === 0
      ? ['No habits yet: surehand pm habit add "Read ten pages"']
      : [...lines, '', '     ■ kept  · missed  □ still open'],
  )
}

async function habit(use: Use, name: string): Promise<number> {
  const data = await dataOf<Status>(use, 'habit.status', { habit_name: name })
  const { habit_info: info, completion, streak, average_quality: quality } = data
  return tell(use, data, [
    `${safeLine(info.name)} (${info.frequency})`,
    '',
    ...streakCalendar(data.calendar),
    '',
    `   streak ${streak.current} ${streak.unit}, longest ${streak.longest}; kept ${completion.last_30_days.done} of ${completion.last_30_days.expected} in 30 days${
      quality === undefined ? '' : `; quality ${quality.toFixed(1)} of 5`
    }`,
    ...(info.cue === undefined ? [] : [`   cue: ${safeLine(info.cue)}`]),
  ])
}

/** `habit add NAME` */
export async function addHabit(use: Use, [verb, ...words]: readonly string[]): Promise<number> {
  if (verb !== 'add' || words.length === 0)
    throw new UsageError(
      'Say what the habit is called.',
      'surehand pm habit add "Read ten pages" --remind 21:30',
    )
  const { flags } = use
  const data = await dataOf<{
    readonly habit_info: { readonly name: string; readonly frequency: string }
  }>(use, 'habit.create', {
    name: words.join(' '),
    ...(flags.has('frequency') ? { frequency: flags.get('frequency') } : {}),
    ...(flags.has('category') ? { category: flags.get('category') } : {}),
    ...(flags.has('remind') ? { reminder_time: flags.get('remind') } : {}),
    ...(flags.has('cue') ? { cue: flags.get('cue') } : {}),
  })
  return tell(use, data, [
    `"${safeLine(data.habit_info.name)}" is a ${data.habit_info.frequency} habit from today on.`,
  ])
}

/** `did 1,3` or `did meditation --on yesterday` */
export function did(use: Use, words: readonly string[]): Promise<number> {
  return finish(use, meant(words, 'habit'))
}
