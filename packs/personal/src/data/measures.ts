import type { SqlValue } from '@surehand/core/internal'
import type { Period } from './period.ts'

/** A number that can be computed for one person or for many. */
export type Measure = {
  readonly name: string
  readonly about: string
  /** The rows to count; `{whose}` is replaced by the condition for one person or for the tenant. */
  readonly rows: string
  readonly value: string
  readonly bounds: (period: Period, today: string) => readonly SqlValue[]
  /** The column by which the rows of many people may be grouped. */
  readonly by?: string
}

const moments = ({ fromMs, toMs }: Period): readonly SqlValue[] => [fromMs, toMs]
const days = ({ from, to }: Period): readonly SqlValue[] => [from, to]
const nothing = (): readonly SqlValue[] => []
const WITHIN = (column: string) => `${column} >= ? and ${column} < ?`

export const MEASURES: readonly Measure[] = [
  {
    name: 'tasks_created',
    about: 'Tasks written down in the period',
    rows: `pm_tasks where {whose} and ${WITHIN('created_at')}`,
    value: 'count(*)',
    bounds: moments,
  },
  {
    name: 'tasks_completed',
    about: 'Tasks completed in the period',
    rows: `pm_tasks where {whose} and ${WITHIN('completed_at')} and state = 'completed'`,
    value: 'count(*)',
    bounds: moments,
    by: 'priority',
  },
  {
    name: 'tasks_open',
    about: 'Tasks that are open now',
    rows: "pm_tasks where {whose} and state not in ('completed', 'deleted')",
    value: 'count(*)',
    bounds: nothing,
    by: 'state',
  },
  {
    name: 'tasks_overdue',
    about: 'Open tasks whose day is over',
    rows: "pm_tasks where {whose} and state not in ('completed', 'deleted') and due_day < ?",
    value: 'count(*)',
    bounds: (_, today) => [today],
  },
  {
    name: 'habits_active',
    about: 'Habits that are kept now',
    rows: "pm_habits where {whose} and state = 'active'",
    value: 'count(*)',
    bounds: nothing,
    by: 'category',
  },
  {
    name: 'habit_completions',
    about: 'Days on which a habit was done',
    rows: 'pm_habit_records where {whose} and day >= ? and day <= ?',
    value: 'count(*)',
    bounds: days,
  },
  {
    name: 'habit_minutes',
    about: 'Minutes given to habits',
    rows: 'pm_habit_records where {whose} and day >= ? and day <= ? and minutes is not null',
    value: 'coalesce(sum(minutes), 0)',
    bounds: days,
  },
  {
    name: 'deep_work_sessions',
    about: 'Sessions of deep work that were ended',
    rows: 'pm_deep_work where {whose} and day >= ? and day <= ? and stopped_at is not null',
    value: 'count(*)',
    bounds: days,
  },
  {
    name: 'deep_work_minutes',
    about: 'Minutes of deep work',
    rows: 'pm_deep_work where {whose} and day >= ? and day <= ? and stopped_at is not null',
    value: 'coalesce(sum((stopped_at - started_at) / 60000), 0)',
    bounds: days,
  },
  {
    name: 'projects_active',
    about: 'Projects under way now, as their owner',
    rows: "pm_projects where {whose} and state = 'active'",
    value: 'count(*)',
    bounds: nothing,
    by: 'priority',
  },
  {
    name: 'projects_completed',
    about: 'Projects completed in the period, as their owner',
    rows: `pm_projects where {whose} and ${WITHIN('completed_at')} and state = 'completed'`,
    value: 'count(*)',
    bounds: moments,
  },
  {
    name: 'notes_written',
    about: 'Notes written in the period',
    rows: `pm_notes where {whose} and ${WITHIN('created_at')} and deleted_at is null`,
    value: 'count(*)',
    bounds: moments,
  },
]
