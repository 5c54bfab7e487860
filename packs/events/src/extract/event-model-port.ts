import { definePort } from '@surehand/core'
import { z } from 'zod'

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)

/**
 * What a model returns: dates and local times, never instants. Models make mistakes with offsets, so
 * those are computed here. Every field is present or null, as strict schemas of vendors require;
 * lengths are limited where the reading is merged, because those schemas know no limits.
 */
export const ModelReading = z.strictObject({
  title: z.string().nullable().describe('What a person would put in the calendar'),
  description: z
    .string()
    .nullable()
    .describe('One sentence on what else is worth knowing; null if there is nothing'),
  startDay: Day.nullable().describe('The first day, YYYY-MM-DD'),
  startTime: Time.nullable().describe('HH:MM in 24 hours; null if no time is said'),
  endDay: Day.nullable().describe('The last day, inclusive; null if it is the first day'),
  endTime: Time.nullable().describe('HH:MM in 24 hours; null if no end is said'),
  timeZone: z.string().nullable().describe('IANA name, only if the source states a zone'),
  placeName: z.string().nullable().describe('The venue, with its room'),
  placeAddress: z.string().nullable().describe('Street, number and town, as far as they are given'),
  recurrence: z
    .array(z.string())
    .nullable()
    .describe('RRULE lines of a series, such as RRULE:FREQ=WEEKLY;BYDAY=TU'),
  exceptDays: z
    .array(Day)
    .nullable()
    .describe('The days, YYYY-MM-DD, on which a series does not take place'),
  unsure: z
    .array(z.enum(['title', 'date', 'time', 'place']))
    .describe('The fields that two careful people could read differently'),
})
export type ModelReading = z.infer<typeof ModelReading>

export type ModelRequest = {
  readonly tenant: string
  /** The text; of a picture, what OCR read. */
  readonly text: string
  /** The picture itself, in any format that events.extract accepts. */
  readonly image?: Uint8Array
  /** The current date in the person's time zone. */
  readonly today: string
  readonly timeZone: string
  /** The person's language and region, such as en-GB. */
  readonly locale?: string
}

/** Reads an event with a language model; null if none is configured. */
export type EventModelPort = {
  readonly read: (request: ModelRequest, signal: AbortSignal) => Promise<ModelReading | null>
}

export const eventModelPort = definePort<EventModelPort>('eventModel', { read: 'read' })
