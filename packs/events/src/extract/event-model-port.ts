import { definePort } from '@surehand/core'
import { z } from 'zod'

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)

/**
 * What a model is asked for: days and times as they stand on the wall, never instants. A model that
 * reckons offsets moves events by a day; we do that. Everything is there or null, as vendors'
 * strict schemas want it.
 */
export const ModelReading = z.object({
  title: z
    .string()
    .nullable()
    .describe('The name of the event, as it is written; null where there is none'),
  description: z.string().nullable().describe('One or two sentences about it, from the text alone'),
  startDay: Day.nullable().describe('YYYY-MM-DD; a date without a year is the next one to come'),
  startTime: Time.nullable().describe(
    'HH:MM in 24 hours; the start, not when doors open; null for a whole day',
  ),
  endDay: Day.nullable().describe('The last day, itself included; null where it is the first'),
  endTime: Time.nullable(),
  timeZone: z.string().nullable().describe('IANA name, only where the text says one'),
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
  /** Today, where the person is. */
  readonly today: string
  readonly timeZone: string
}

/** Reads an event with a language model; null where nobody set one up. */
export type EventModelPort = {
  readonly read: (request: ModelRequest, signal: AbortSignal) => Promise<ModelReading | null>
}

export const eventModelPort = definePort<EventModelPort>('eventModel', { read: 'read' })
