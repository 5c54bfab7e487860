import { type Day, startOfDay } from '@surehand/dates'
import { dueHabits } from '../habit/due-habits.ts'
import { dueDay } from '../task/due.ts'
import { dueWithin } from '../task/due-within.ts'
import type { Here } from '../task/here.ts'
import { nextActions } from '../task/next-actions.ts'
import type { Opened } from '../task/opening.ts'
import { scoreTask } from '../task/score-task.ts'
import { given, LEVELS, type Level, SELECT_TASKS, type Task, taskOf } from '../task/task.ts'
import type { Wish } from './plan-blocks.ts'

// a day has room for a few dozen things; the best of these are the best of all
const MOST_TASKS = 100
const MOST_HABITS = 50
const USUAL_TASK_MINUTES = 30
const USUAL_HABIT_MINUTES = 15

/** Everything that wants a place in a day: what is due, other next actions, and habits that are not done. */
export async function wishesFor(own: Opened, day: Day): Promise<readonly Wish[]> {
  // as that morning sees it: what is due that day is due "today"
  const here: Here =
    day === own.here.today
      ? own.here
      : { now: startOfDay(day, own.here.zone), zone: own.here.zone, today: day }
  const at = { ...own, here }
  const ranked = await nextActions(at, { here })
  const tasks = new Map(
    [...(await dueTasks(at)), ...ranked.map(({ task }) => task)].map((task) => [task.id, task]),
  )
  const due = await dueHabits(own.read, own.person, { day, moment: own.here })
  return [
    ...[...tasks.values()].slice(0, MOST_TASKS).map((task) => taskWish(task, here)),
    ...due
      .filter(({ doneOn }) => doneOn === undefined)
      .slice(0, MOST_HABITS)
      .map(({ habit, daysLeft, remindAt }): Wish => {
        const worth = daysLeft === 0 ? 6 : 3
        return {
          id: habit.id,
          kind: 'habit',
          title: habit.name,
          minutes: habit.targetDuration ?? USUAL_HABIT_MINUTES,
          isDue: daysLeft === 0,
          worth: { high: worth, medium: worth, low: worth },
          ...given('at', remindAt),
        }
      }),
  ]
}

// a day that is due stays due when it has not been clarified yet
const DUE = `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and t.state in ('inbox', 'next_action')
  and (t.defer_until is null or t.defer_until <= ?)`

async function dueTasks({ read, person, here }: Opened): Promise<readonly Task[]> {
  const { sql, values } = dueWithin({ to: here.today }, here.zone)
  const sooner = `order by t.due_key, t.id limit ${MOST_TASKS}`
  return (
    await read(`${DUE} and ${sql} ${sooner}`, person.tenant, person.owner, here.today, ...values)
  ).map(taskOf)
}

function taskWish(task: Task, here: Here): Wish {
  const worth = Object.fromEntries(
    LEVELS.map((energy) => [energy, scoreTask(task, { here, energy }).total_score]),
  )
  const isDue = task.due !== undefined && dueDay(task.due, here.zone) <= here.today
  return {
    id: task.id,
    kind: 'task',
    title: task.title,
    minutes: task.minutes ?? USUAL_TASK_MINUTES,
    isDue,
    // erased: every level is among the entries
    worth: worth as Record<Level, number>,
    ...given('deadline', isDue ? task.due?.at : undefined),
  }
}
