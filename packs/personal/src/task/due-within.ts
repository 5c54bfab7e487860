import type { SqlValue } from '@surehand/core/internal'
import { addDays, type Day, startOfDay } from '@surehand/dates'

// The calendar day of an instant differs by at most this many days between zones: the outermost
// zones are 26 hours apart.
const ZONES_APART_DAYS = 2

/**
 * A condition on `t` for tasks due within these days: by date for a task with a day, by instant for
 * one with a time. The condition on `due_key` is redundant and lets its index narrow the rows.
 */
export function dueWithin(
  { from, to }: { readonly from?: Day; readonly to: Day },
  zone: string,
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const end = startOfDay(addDays(to, 1), zone)
  const before = {
    sql: '(t.due_key < ? and (t.due_at is null and t.due_day <= ? or t.due_at < ?))',
    values: [addDays(to, ZONES_APART_DAYS + 1), to, end],
  }
  if (from === undefined) return before
  return {
    sql: `(${before.sql} and t.due_key >= ? and (t.due_at is null and t.due_day >= ? or t.due_at >= ?))`,
    values: [...before.values, addDays(from, -ZONES_APART_DAYS), from, startOfDay(from, zone)],
  }
}
