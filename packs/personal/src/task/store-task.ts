import type { Tx } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import { dueKey } from './due.ts'
import type { Task } from './task.ts'

const COLUMNS = [
  'title',
  'title_key',
  'notes',
  'state',
  'priority',
  'energy',
  'context',
  'minutes',
  'tags',
  'due_day',
  'due_time',
  'due_zone',
  'due_at',
  'due_key',
  'repeats',
  'defer_until',
  'deferrals',
  'project_id',
  'waiting_for',
  'waiting_since',
  'created_at',
  'updated_at',
  'completed_at',
  'deleted_at',
] as const

const INSERT = `insert into pm_tasks (${COLUMNS.join(', ')}, tenant, owner, id) values (${[...COLUMNS, 'tenant', 'owner', 'id'].map(() => '?').join(', ')})`
const UPDATE = `update pm_tasks set ${COLUMNS.map((column) => `${column} = ?`).join(', ')} where tenant = ? and owner = ? and id = ?`

/**
 * Inserts a task. Every write of tasks uses this function or `updateTask`, which keep the search
 * and sort keys correct.
 */
export async function insertTask(tx: Tx, { tenant, owner }: Person, task: Task): Promise<void> {
  await tx.run(INSERT, ...columnValues(task), tenant, owner, task.id)
}

/** Updates all columns of a task. */
export async function updateTask(tx: Tx, { tenant, owner }: Person, task: Task): Promise<void> {
  await tx.run(UPDATE, ...columnValues(task), tenant, owner, task.id)
}

function columnValues(task: Task): readonly SqlValue[] {
  const row: Readonly<Record<(typeof COLUMNS)[number], SqlValue>> = {
    title: task.title,
    title_key: nameKey(task.title),
    notes: task.notes ?? null,
    state: task.state,
    priority: task.priority ?? null,
    energy: task.energy ?? null,
    context: task.context ?? null,
    minutes: task.minutes ?? null,
    tags: JSON.stringify(task.tags),
    due_day: task.due?.day ?? null,
    due_time: task.due?.time ?? null,
    due_zone: task.due?.zone ?? null,
    due_at: task.due?.at ?? null,
    due_key: dueKey(task.due),
    repeats: task.repeats ?? null,
    defer_until: task.deferUntil ?? null,
    deferrals: task.deferrals,
    project_id: task.project?.id ?? null,
    waiting_for: task.waitingFor ?? null,
    waiting_since: task.waitingSince ?? null,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    completed_at: task.completedAt ?? null,
    deleted_at: task.deletedAt ?? null,
  }
  return COLUMNS.map((column) => row[column])
}
