import { sha256 } from '@surehand/core/internal'
import type { CalendarTime } from '@surehand/icalendar'
import type { CalendarWrite } from './calendar-port.ts'

/**
 * The id of an entry, derived from its key, in 64 hex digits: a second write finds the first, and
 * no other key gives the same id.
 */
export function entryName({
  tenant,
  principal,
  calendarId,
  idempotencyKey,
}: CalendarWrite): string {
  return sha256(JSON.stringify([tenant, principal, calendarId, idempotencyKey]))
}

/** The id of an occurrence, as Google writes it: with its original start. */
export function occurrenceName(
  id: string,
  recurrenceId: CalendarTime | undefined,
  atMs: number,
): string {
  if (recurrenceId === undefined) return id
  const instant = new Date(atMs).toISOString()
  return `${id}_${recurrenceId.kind === 'date' ? recurrenceId.date.replaceAll('-', '') : `${instant.slice(0, 19).replace(/[-:]/g, '')}Z`}`
}
