export type {
  CalendarEvent,
  CalendarItem,
  CalendarTask,
  CalendarTime,
  Recurrence,
} from './calendar-item.ts'
export {
  type DateTimeInZone,
  fromDateTime,
  fromEpochMs,
  isTimeZone,
  later,
  toDateTime,
  toEpochMs,
} from './calendar-time.ts'
export { joinCalendars } from './join-calendars.ts'
export { type Occurrence, occurrences, type Window } from './occurrences.ts'
export { readCalendar } from './read-calendar.ts'
export { readRecurrence, writeRecurrence } from './recurrence.ts'
export { type WriteOptions, writeCalendar } from './write-calendar.ts'
