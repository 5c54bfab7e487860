import type { SqlValue } from '@surehand/core/internal'
import { dayOf } from '@surehand/dates'
import { PREFERENCES } from '../../system/preferences.ts'
import { readSettings } from '../../system/setting.ts'
import type { Family } from '../families.ts'

/** The current time, and the day that it is for the person. */
export type When = { readonly now: number; readonly today: string }
type ImportRow = Readonly<Record<string, SqlValue>>
type CompletedRow =
  | { readonly ok: true; readonly row: ImportRow }
  | { readonly ok: false; readonly problem: string }

export const DAY_MS = 86_400_000

/**
 * Checks what must hold between the columns of a row, and fills in columns that follow from others.
 */
export function completeRow(family: Family, row: ImportRow, when: When): CompletedRow {
  switch (family) {
    case 'preferences':
      return toResult(row, checkPreference(row))
    case 'projects':
      return toResult({
        ...row,
        ...(row.state === 'completed'
          ? { completed_at: row.completed_at ?? row.updated_at ?? null }
          : {}),
      })
    case 'habit_records':
      return toResult(row, checkRecord(row, when))
    case 'tasks':
      return toResult(completeTask(row))
    case 'deep_work':
      return toResult(row, checkSession(row, when))
    case 'project_members':
    case 'project_log':
    case 'habits':
    case 'reviews':
    case 'notes':
      return toResult(row)
  }
}

function toResult(row: ImportRow, problem?: string): CompletedRow {
  return problem === undefined ? { ok: true, row } : { ok: false, problem }
}

function checkPreference({ name = '', value = '' }: ImportRow): string | undefined {
  if (!Object.hasOwn(PREFERENCES, String(name))) return `"${name}" is not a known preference`
  return readSettings(PREFERENCES, [{ name, value }]).has(String(name))
    ? undefined
    : `value is not valid for ${name}`
}

function checkRecord({ day, zone }: ImportRow, { now, today }: When): string | undefined {
  const last = typeof zone === 'string' ? dayOf(now, zone) : today
  return String(day) > last ? 'day is in the future' : undefined
}

function completeTask(row: ImportRow): ImportRow {
  const { completed_at, deleted_at, ...rest } = row
  const isOver = row.state === 'completed' || row.state === 'deleted'
  return {
    ...rest,
    ...(isOver && completed_at != null ? { completed_at } : {}),
    ...(row.state === 'completed' ? { completed_at: completed_at ?? row.updated_at ?? null } : {}),
    ...(row.state === 'deleted' ? { deleted_at: deleted_at ?? row.updated_at ?? null } : {}),
    ...(row.state === 'waiting_for' ? waitingColumns(row) : {}),
  }
}

function waitingColumns({ waiting_for, waiting_since, updated_at }: ImportRow): ImportRow {
  return {
    waiting_for: waiting_for ?? 'somebody',
    waiting_since: waiting_since ?? dayOf(Number(updated_at), 'UTC'),
  }
}

// Reports process a session hour by hour: one of twenty years would block all other calls.
function checkSession({ started_at, stopped_at }: ImportRow, { now }: When): string | undefined {
  const length = Number(stopped_at ?? now) - Number(started_at)
  if (length < 0)
    return stopped_at == null ? 'started_at is in the future' : 'stopped_at is before started_at'
  return length > DAY_MS ? 'is longer than a day' : undefined
}
