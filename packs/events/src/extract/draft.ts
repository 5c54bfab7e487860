import { z } from 'zod'
import { CanonicalEvent } from './canonical-event.ts'

const Sureness = z.number().min(0).max(1)

/**
 * How sure each field is as it stands, 0 to 1: that a time or a place is missing is a finding too.
 * 0 where it is made up, as a date must be that nobody said. `overall` is about all of them
 * together: one that is wrong makes the event wrong.
 */
export const Confidence = z.object({
  title: Sureness,
  date: Sureness,
  time: Sureness,
  place: Sureness,
  price: Sureness.optional(),
  recurrence: Sureness.optional(),
  overall: Sureness,
})
export type Confidence = z.infer<typeof Confidence>

export const Price = z.object({
  amount: z.number().min(0),
  currency: z.string().optional().describe('ISO 4217, where the text says one'),
  text: z.string(),
})
export type Price = z.infer<typeof Price>

/** What was read, before a person has looked at it. */
export const EventDraft = z.object({
  event: CanonicalEvent,
  confidence: Confidence,
  price: Price.optional(),
  alternatives: z
    .object({
      titles: z.array(z.string()).max(5),
      starts: z.array(z.string()).max(5),
      places: z.array(z.string()).max(5),
    })
    .partial()
    .optional()
    .describe('what else it might be'),
  zone: z
    .literal('named')
    .optional()
    .describe(
      'the source itself says its time zone or offset: its times are instants, wherever it takes place',
    ),
  provider: z
    .enum(['rules', 'model'])
    .describe('who read it: rules alone, or a model whose answer was held against them'),
  notes: z.array(z.string()).optional().describe('what a person should look at'),
})
export type EventDraft = z.infer<typeof EventDraft>

/** All that must be right for an event to be right, as one number. */
export function overallOf({
  title,
  date,
  time,
  place,
}: Pick<Confidence, 'title' | 'date' | 'time' | 'place'>): number {
  return Math.round((title * date * time * place) ** 0.25 * 100) / 100
}
