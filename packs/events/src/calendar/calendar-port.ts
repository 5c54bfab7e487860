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
  /** The caller's time zone: a day without a zone of its own begins there. */
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

/**
 * Every provider derives the entry's id from our key, so a second write finds it. A ledger row
 * lives as long.
 */
export const calendarPort = definePort<CalendarPort>('calendar', {
  read: 'read',
  write: sameKey({ validFor: '30d' }),
})

/** More events than this are refused: the window is too wide. */
export const MOST_ENTRIES = 10_000
