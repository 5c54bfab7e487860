import type { Row } from '@surehand/core/internal'
import type { Due } from './due.ts'
import type { TaskState } from './task-state.ts'

export const LEVELS = ['high', 'medium', 'low'] as const
export type Level = (typeof LEVELS)[number]

/** A task, in any state from the inbox to done. */
export type Task = {
  readonly id: string
  readonly title: string
  readonly notes?: string
  readonly state: TaskState
  readonly priority?: Level
  readonly energy?: Level
  readonly context?: string
  readonly minutes?: number
  readonly tags: readonly string[]
  readonly due?: Due
  /** The rule by which it comes again when it is completed, as in `FREQ=WEEKLY;BYDAY=MO`. */
  readonly repeats?: string
  /** It is hidden before this day. */
  readonly deferUntil?: string
  /** How often it was deferred. */
  readonly deferrals: number
  readonly project?: { readonly id: string; readonly name: string }
  readonly waitingFor?: string
  readonly waitingSince?: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly completedAt?: number
  readonly deletedAt?: number
}

/**
 * A person who left a project keeps their own rows but no longer sees the name of the project.
 * `row` is the alias of the person's table, `p` that of the project.
 */
export function isInProjectSql(row: 't' | 'd'): string {
  return `(p.owner = ${row}.owner or exists (select 1 from pm_project_members m
    where m.tenant = p.tenant and m.project_id = p.id and m.principal = ${row}.owner))`
}

/** The beginning of every statement that reads tasks; conditions refer to `t`. */
export const SELECT_TASKS = `select t.*, p.name as project_name from pm_tasks t left join pm_projects p on p.tenant = t.tenant and p.id = t.project_id
  and ${isInProjectSql('t')}`

/**
 * Converts a row of `SELECT_TASKS`. Only `store-task.ts` writes the table, so the values need no
 * further check.
 */
export function toTask(row: Row): Task {
  return {
    id: String(row.id),
    title: String(row.title),
    state: row.state as TaskState,
    tags: JSON.parse(String(row.tags)) as readonly string[],
    deferrals: Number(row.deferrals),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    ...optionalField('notes', text(row.notes)),
    ...optionalField('priority', text(row.priority) as Level | undefined),
    ...optionalField('energy', text(row.energy) as Level | undefined),
    ...optionalField('context', text(row.context)),
    ...optionalField('minutes', number(row.minutes)),
    ...optionalField('due', dueOf(row)),
    ...optionalField('repeats', text(row.repeats)),
    ...optionalField('deferUntil', text(row.defer_until)),
    ...optionalField('project', projectOf(row)),
    ...optionalField('waitingFor', text(row.waiting_for)),
    ...optionalField('waitingSince', text(row.waiting_since)),
    ...optionalField('completedAt', number(row.completed_at)),
    ...optionalField('deletedAt', number(row.deleted_at)),
  }
}

function dueOf({ due_day, due_time, due_zone, due_at }: Row): Due | undefined {
  if (typeof due_day !== 'string') return undefined
  if (typeof due_time !== 'string' || typeof due_zone !== 'string') return { day: due_day }
  return { day: due_day, time: due_time, zone: due_zone, at: Number(due_at) }
}

function projectOf({ project_id, project_name }: Row): Task['project'] {
  return typeof project_id === 'string'
    ? { id: project_id, name: text(project_name) ?? project_id }
    : undefined
}

function text(value: Row[string] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

// PostgreSQL returns bigints as texts.
function number(value: Row[string] | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

/** An object with the field when there is a value, else an empty object. */
export function optionalField<K extends string, V>(
  name: K,
  value: V | undefined,
): { readonly [N in K]?: V } {
  // Erased: the compiler types a computed name as string.
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: V }
}
