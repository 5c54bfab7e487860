import type { ViewBlock, ViewContext } from '@surehand/core/host'
import type { habitTodayPlan } from '../habit/habit-today-plan.ts'
import type { planDay } from '../time/plan-day.ts'

type Day = NonNullable<typeof planDay.types>['output']
type Habits = NonNullable<typeof habitTodayPlan.types>['output']

/** A day of the person: its blocks, its habits, and what found no place in it. */
export async function show({ fields, call }: ViewContext): Promise<readonly ViewBlock[]> {
  const { day } = fields
  const [plan, habits] = (await Promise.all([
    call('time.plan_day', day === undefined ? {} : { day }),
    call('habit.today_plan', day === undefined ? {} : { date: day }),
  ])) as [Day, Habits]
  return [
    { kind: 'text', text: plan.message },
    {
      kind: 'timeline',
      title: `${plan.day}, ${plan.work_start} to ${plan.work_end}`,
      entries: plan.blocks.map(({ time, title, why, kind }) => ({
        at: time,
        title,
        text: why,
        tone: kind === 'habit' ? 'good' : undefined,
      })),
      empty: 'Nothing is planned on this day.',
    },
    {
      kind: 'table',
      title: 'Found no place',
      columns: ['What', 'Why'],
      rows: plan.not_placed.map(({ title, why }) => [title, why]),
      empty: 'Everything has its place.',
    },
    {
      kind: 'table',
      title: 'Habits',
      columns: ['Habit', 'State'],
      rows: [
        ...habits.due.map(({ name }) => [name, { text: 'to do', tone: 'warn' as const }]),
        ...habits.done.map(({ name }) => [name, { text: 'done', tone: 'good' as const }]),
      ],
      empty: 'No habit is due on this day.',
    },
  ]
}
