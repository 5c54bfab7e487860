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
    about: 'Tasks created in the period',
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
    about: 'Open tasks that are overdue',
    rows: "pm_tasks where {whose} and state not in ('completed', 'deleted') and due_day < ?",
    value: 'count(*)',
    bounds: (_, today) => [today],
  },
  {
    name: 'habits_active',
    about: 'Active habits',
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
    about: 'Minutes spent on habits',
    rows: 'pm_habit_records where {whose} and day >= ? and day <= ? and minutes is not null',
    value: 'coalesce(sum(minutes), 0)',
    bounds: days,
  },
  {
    name: 'deep_work_sessions',
    about: 'Completed sessions of deep work',
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
    about: 'Active projects owned',
    rows: "pm_projects where {whose} and state = 'active'",
    value: 'count(*)',
    bounds: nothing,
    by: 'priority',
  },
  {
    name: 'projects_completed',
    about: 'Owned projects completed in the period',
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
