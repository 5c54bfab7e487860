import { definePort } from '@surehand/core'
import { z } from 'zod'

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)

/**
 * What a model returns: dates and local times, never instants. Models make mistakes with offsets, so
 * those are computed here. Every field is present or null, as strict schemas of vendors require.
 */
export const ModelReading = z.object({
  title: z
    .string()
    .nullable()
    .describe('The name of the event, as it is written; null if there is none'),
  description: z.string().nullable().describe('One or two sentences about it, from the text alone'),
  startDay: Day.nullable().describe(
    'YYYY-MM-DD; a date without a year is the next one in the future',
  ),
  startTime: Time.nullable().describe(
    'HH:MM in 24 hours; the start, not when doors open; null for an all-day event',
  ),
  endDay: Day.nullable().describe('The last day, inclusive; null if it is the first day'),
  endTime: Time.nullable(),
  timeZone: z.string().nullable().describe('IANA name, only if the text states one'),
  placeName: z.string().nullable(),
  placeAddress: z.string().nullable(),
  recurrence: z
    .array(z.string())
    .nullable()
    .describe('RRULE lines, such as RRULE:FREQ=WEEKLY;BYDAY=TU'),
})
export type ModelReading = z.infer<typeof ModelReading>

export type ModelRequest = {
  readonly tenant: string
  readonly text: string
  /** The current date in the person's time zone. */
  readonly today: string
  readonly timeZone: string
}

/** Reads an event with a language model; null if none is configured. */
export type EventModelPort = {
  readonly read: (request: ModelRequest, signal: AbortSignal) => Promise<ModelReading | null>
}

export const eventModelPort = definePort<EventModelPort>('eventModel', { read: 'read' })
