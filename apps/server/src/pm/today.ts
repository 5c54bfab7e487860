import { CANCELLED, createPrompt, isInteractive, safeLine, screenWidth } from '@surehand/cli'
import { parseChoices } from './choices.ts'
import { type ListedItem, storeLastList } from './last-list.ts'
import { markDone } from './mark-done.ts'
import { callForData, type PmContext, printResult } from './pm-context.ts'
import { formatNumberedLine, formatTaskLine, type ShownTask, toListedTask } from './task-lines.ts'

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
type Next = { readonly actions: readonly { readonly task: ShownTask; readonly reason: string }[] }
type List = { readonly tasks: readonly ShownTask[] }

const MOST_NEXT = 5

/**
 * Lists due tasks, habits and next actions with continuous numbers. An interactive terminal asks
 * which are done.
 */
export async function showToday(context: PmContext): Promise<number> {
  const [habits, due, next, inbox] = await Promise.all([
    callForData<Plan>(context, 'habit.today_plan', {}),
    callForData<List>(context, 'task.list', { due_until: 'today', limit: 50 }),
    callForData<Next>(context, 'task.next', { limit: MOST_NEXT }),
    callForData<List>(context, 'task.list', { state: 'inbox', limit: 200 }),
  ])
  const isDue = new Set(due.tasks.map(({ id }) => id))
  const further = next.actions.map(({ task }) => task).filter(({ id }) => !isDue.has(id))
  const listed: readonly ListedItem[] = [
    ...due.tasks.map(toListedTask),
    ...habits.due.map(({ id, name }) => ({ kind: 'habit', id, name }) as const),
    ...further.map(toListedTask),
  ]
  storeLastList(listed)
  const width = screenWidth(context.terminal.stdout)
  const dueLines = due.tasks.map((task, index) => formatTaskLine(task, index + 1, width))
  const habitLines = habits.due.map((habit, index) =>
    habitLine(habit, due.tasks.length + index + 1, width),
  )
  const nextLines = further.map((task, index) =>
    formatTaskLine(task, due.tasks.length + habits.due.length + index + 1, width),
  )
  printResult(
    context,
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
      ...formatSection('Due', dueLines, 'nothing is due'),
      ...formatSection(
        'Habits',
        habitLines,
        habits.done.length === 0
          ? 'none yet. Add one: surehand pm habit add "Read ten pages"'
          : 'all done',
      ),
      ...formatSection('Next', nextLines, 'no next action. Clarify the inbox: surehand pm inbox'),
      ...(inbox.tasks.length === 0
        ? []
        : ['', `${inbox.tasks.length} in the inbox: surehand pm inbox`]),
    ],
  )
  return context.format === 'words' && listed.length > 0 && isInteractive(context.terminal)
    ? promptForDone(context, listed)
    : 0
}

export function formatSection(
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
  return formatNumberedLine(
    number,
    `   ${safeLine(habit.name)}`,
    facts.filter((fact) => fact !== '').join('  '),
    width,
  )
}

async function promptForDone(context: PmContext, listed: readonly ListedItem[]): Promise<number> {
  const answer = await createPrompt(context.terminal).text(
    'Which are done? (1,3,5 or 2-4; leave empty for none)',
  )
  if (answer === CANCELLED || answer.trim() === '') return 0
  return markDone(
    context,
    parseChoices(answer, listed.length).flatMap((number) => listed[number - 1] ?? []),
  )
}
