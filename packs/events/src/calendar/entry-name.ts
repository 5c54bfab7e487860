import { sha256 } from '@surehand/core/internal'
import type { CalendarTime } from '@surehand/icalendar'
import type { CalendarWriting } from './calendar-port.ts'

/**
 * The id of an entry, derived from its key, in 64 hex digits: a second write finds the first, and
 * no other key gives the same id.
 */
export function entryName({
  tenant,
  principal,
  calendarId,
  idempotencyKey,
}: CalendarWriting): string {
  return sha256(JSON.stringify([tenant, principal, calendarId, idempotencyKey]))
}

/** One time of a series, named as Google names it: by when it would have begun. */
export function occurrenceName(
  id: string,
  recurrenceId: CalendarTime | undefined,
  atMs: number,
): string {
  if (recurrenceId === undefined) return id
  const instant = new Date(atMs).toISOString()
  return `${id}_${recurrenceId.kind === 'date' ? recurrenceId.date.replaceAll('-', '') : `${instant.slice(0, 19).replace(/[-:]/g, '')}Z`}`
}
