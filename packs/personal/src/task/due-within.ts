import type { SqlValue } from '@surehand/core/internal'
import { addDays, type Day, startOfDay } from '@surehand/dates'

// the day of a time in another zone is at most this far from the same day here: 26 hours lie between the outermost zones
const ZONES_APART_DAYS = 2

/**
 * What is due on some days, said of `t`: a day by its name, a time by the instants between which these days lie there.
 * The key is asked for as well, so that its index finds the few rows that can be meant.
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
