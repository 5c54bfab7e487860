import { CANCELLED, isInteractive, promptOn, safeLine, screenWidth } from '@surehand/cli'
import { chosenOf } from './choices.ts'
import { finish } from './finish.ts'
import { type Listed, rememberList } from './last-list.ts'
import { listedTask, numbered, type TaskShown, taskLine } from './task-lines.ts'
import { dataOf, tell, type Use } from './use.ts'

type HabitDue = {
  readonly id: string
  readonly name: string
  readonly reminder_time?: string
  readonly is_late: boolean
  readonly current_streak: number
  readonly streak_unit: string
  readonly target_duration?: number
}
type Plan = {
  readonly date: string
  readonly due: readonly HabitDue[]
  readonly done: readonly { readonly name: string }[]
}
type Next = { readonly actions: readonly { readonly task: TaskShown; readonly reason: string }[] }
type List = { readonly tasks: readonly TaskShown[] }

const MOST_NEXT = 5

/** What is due, what is kept up, what could come next: one list, numbered through. On a terminal it asks what is done. */
export async function today(use: Use): Promise<number> {
  const [habits, due, next, inbox] = await Promise.all([
    dataOf<Plan>(use, 'habit.today_plan', {}),
    dataOf<List>(use, 'task.list', { due_until: 'today', limit: 50 }),
    dataOf<Next>(use, 'task.next', { limit: MOST_NEXT }),
    dataOf<List>(use, 'task.list', { state: 'inbox', limit: 200 }),
  ])
  const isDue = new Set(due.tasks.map(({ id }) => id))
  const further = next.actions.map(({ task }) => task).filter(({ id }) => !isDue.has(id))
  const listed: readonly Listed[] = [
    ...due.tasks.map(listedTask),
    ...habits.due.map(({ id, name }) => ({ kind: 'habit', id, name }) as const),
    ...further.map(listedTask),
  ]
  rememberList(listed)
  const width = screenWidth(use.terminal.stdout)
  const dueLines = due.tasks.map((task, index) => taskLine(task, index + 1, width))
  const habitLines = habits.due.map((habit, index) =>
    habitLine(habit, due.tasks.length + index + 1, width),
  )
  const nextLines = further.map((task, index) =>
    taskLine(task, due.tasks.length + habits.due.length + index + 1, width),
  )
  tell(
    use,
    {
      date: habits.date,
      due: due.tasks,
      habits: habits.due,
      habits_done: habits.done,
      next: further,
      inbox: inbox.tasks.length,
    },
    [
      `${habits.date}`,
      ...section('Due', dueLines, 'nothing is due'),
      ...section(
        'Habits',
        habitLines,
        habits.done.length === 0 ? 'none yet: surehand pm habit add "Read ten pages"' : 'all done',
      ),
      ...section('Next', nextLines, 'no next action: surehand pm inbox'),
      ...(inbox.tasks.length === 0
        ? []
        : ['', `${inbox.tasks.length} in the inbox: surehand pm inbox`]),
    ],
  )
  return use.format === 'words' && listed.length > 0 && isInteractive(use.terminal)
    ? askDone(use, listed)
    : 0
}

export function section(
  title: string,
  lines: readonly string[],
  otherwise: string,
): readonly string[] {
  return ['', title, ...(lines.length === 0 ? [`     ${otherwise}`] : lines)]
}

function habitLine(habit: HabitDue, number: number, width: number): string {
  const facts = [
    habit.reminder_time === undefined
      ? ''
      : `${habit.is_late ? 'LATE ' : ''}${habit.reminder_time}`,
    habit.target_duration === undefined ? '' : `${habit.target_duration}m`,
    habit.current_streak === 0 ? '' : `${habit.current_streak} ${habit.streak_unit} in a row`,
  ]
  return numbered(
    number,
    `   ${safeLine(habit.name)}`,
    facts.filter((fact) => fact !== '').join('  '),
    width,
  )
}

async function askDone(use: Use, listed: readonly Listed[]): Promise<number> {
  const answer = await promptOn(use.terminal).ask('\nWhich are done? (1,3,5 or 2-4; nothing: none)')
  if (answer === CANCELLED || answer.trim() === '') return 0
  return finish(
    use,
    chosenOf(answer, listed.length).flatMap((number) => listed[number - 1] ?? []),
  )
}
