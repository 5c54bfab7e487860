import type { Row } from '@surehand/core/internal'
import type { Due } from './due.ts'
import type { TaskState } from './task-state.ts'

export const LEVELS = ['high', 'medium', 'low'] as const
export type Level = (typeof LEVELS)[number]

/** Something to do, or that somebody once wrote down. */
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
  /** It is out of sight before this day. */
  readonly deferUntil?: string
  /** How often it was put off. */
  readonly deferrals: number
  readonly project?: { readonly id: string; readonly name: string }
  readonly waitingFor?: string
  readonly waitingSince?: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly completedAt?: number
  readonly deletedAt?: number
}

/** Whoever left a project keeps their own rows, but is no longer told what it is called: `row` is one of theirs, `p` the project. */
export function isInProjectSql(row: 't' | 'd'): string {
  return `(p.owner = ${row}.owner or exists (select 1 from pm_project_members m
    where m.tenant = p.tenant and m.project_id = p.id and m.principal = ${row}.owner))`
}

/** Every statement that reads tasks begins so; the rest is said of `t`. */
export const SELECT_TASKS = `select t.*, p.name as project_name from pm_tasks t left join pm_projects p on p.tenant = t.tenant and p.id = t.project_id
  and ${isInProjectSql('t')}`

/** A row of `SELECT_TASKS`. Only this family writes the table, so what is in it is what `keep-task.ts` put there. */
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

// PostgreSQL hands out its bigints as texts
function number(value: Row[string] | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

/** A field where there is a value, nothing where there is none. */
export function optionalField<K extends string, V>(
  name: K,
  value: V | undefined,
): { readonly [N in K]?: V } {
  // erased: a computed name is a string to the compiler
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: V }
}
