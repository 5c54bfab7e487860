import { definePort, sameKey } from '@surehand/core'
import type { CalendarTime, Recurrence } from '@surehand/icalendar'

/** A calendar and its owner. */
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
  /** Each occurrence of a series separately, or every series once. */
  readonly shows: 'occurrences' | 'series'
}

/** An event in a calendar. */
export type CalendarEntry = {
  readonly id: string
  readonly summary: string
  readonly start: CalendarTime
  readonly end: CalendarTime
  readonly location?: string
  readonly recurrence?: Recurrence
  /** It takes no time: its owner is free meanwhile. */
  readonly isTransparent?: true
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

export type CalendarWrite = CalendarOwner & {
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
  readonly write: (writing: CalendarWrite, signal: AbortSignal) => Promise<WrittenEntry>
}

/** Every provider derives the entry's id from the idempotency key, so a second write finds it. */
export const calendarPort = definePort<CalendarPort>('calendar', {
  read: 'read',
  write: sameKey({ validFor: '30d' }),
})

/** More events than this are refused: the window is too wide. */
export const MAX_ENTRIES = 10_000
