import { definePort, sameKey } from '@surehand/core'
import type { CalendarTime, Recurrence } from '@surehand/icalendar'

/** Whose calendar, and which of theirs. */
export type CalendarOwner = {
  readonly tenant: string
  readonly principal: string
  readonly calendarId: string
}

export type CalendarQuery = CalendarOwner & {
  readonly fromMs: number
  readonly toMs: number
  /** Where whoever asks is: there a day begins that has no zone of its own. */
  readonly timeZone: string
  /** Each time of a series by itself, or every series once. */
  readonly shows: 'occurrences' | 'series'
}

/** Something in a calendar. */
export type CalendarEntry = {
  readonly id: string
  readonly summary: string
  readonly start: CalendarTime
  readonly end: CalendarTime
  readonly location?: string
  readonly recurrence?: Recurrence
}

export type NewEntry = {
  readonly summary: string
  readonly description?: string
  readonly location?: string
  readonly start: CalendarTime
  readonly end: CalendarTime
  readonly recurrence?: Recurrence
  readonly reminders?: { readonly useDefault: boolean }
}

export type CalendarWriting = CalendarOwner & {
  readonly entry: NewEntry
  readonly idempotencyKey: string
}
export type WrittenEntry = {
  readonly id: string
  readonly htmlLink: string
  readonly created: string
}

export type CalendarPort = {
  readonly read: (query: CalendarQuery, signal: AbortSignal) => Promise<readonly CalendarEntry[]>
  readonly write: (writing: CalendarWriting, signal: AbortSignal) => Promise<WrittenEntry>
}

/** Every provider makes the entry's own name from our key: whoever writes it twice finds it there. A ledger's row lives as long. */
export const calendarPort = definePort<CalendarPort>('calendar', {
  read: 'read',
  write: sameKey({ validFor: '30d' }),
})

/** More than this nobody looks through: the window is too wide. */
export const MOST_ENTRIES = 10_000
