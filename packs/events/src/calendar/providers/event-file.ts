import { type CalendarEvent, writeCalendar } from '@surehand/icalendar'
import type { NewEntry } from '../calendar-port.ts'

const PROD_ID = '-//Surehand//events//EN'

export type EventFile = {
  readonly uid: string
  readonly entry: NewEntry
  readonly now: number
  readonly url?: string
}

/**
 * An entry as an iCalendar object of its own. Default reminders are up to the calendar program: the
 * format cannot express them.
 */
export function eventFile({ uid, entry, now, url }: EventFile): string {
  const created = new Date(now).toISOString()
  const { reminders: _, ...known } = entry
  const event: CalendarEvent = {
    kind: 'event',
    uid,
    ...known,
    status: 'confirmed',
    created,
    updated: created,
    sequence: 0,
    ...(url === undefined ? {} : { url }),
  }
  return writeCalendar([event], { prodId: PROD_ID, now })
}
