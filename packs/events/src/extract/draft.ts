import { z } from 'zod'
import { CanonicalEvent } from './canonical-event.ts'

const Probability = z.number().min(0).max(1)

/**
 * The probability of each field, from 0 to 1; a missing time or place has one too. 0 for a value
 * that was made up, such as the date of an event without one. `overall` covers all fields: one wrong
 * field makes the event wrong.
 */
export const Confidence = z.object({
  title: Probability,
  date: Probability,
  time: Probability,
  place: Probability,
  price: Probability.optional(),
  recurrence: Probability.optional(),
  overall: Probability,
})
export type Confidence = z.infer<typeof Confidence>

export const Price = z.object({
  amount: z.number().min(0),
  currency: z.string().optional().describe('ISO 4217, if the text states one'),
  text: z.string(),
})
export type Price = z.infer<typeof Price>

export const NO_DATE_NOTE = 'No date was found. It is set to today; please correct it.'
/** How the note on the opening of doors begins. */
export const DOORS_NOTE = 'Doors open at'

/** An event as it was read, before a person has reviewed it. */
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
    .describe('other possible values'),
  zone: z
    .literal('named')
    .optional()
    .describe(
      'the source states its time zone or offset: its times are instants, independent of the place',
    ),
  provider: z
    .enum(['rules', 'model'])
    .describe('how it was read: by rules alone, or by a model whose answer was compared with them'),
  notes: z.array(z.string()).optional().describe('what a person should check'),
})
export type EventDraft = z.infer<typeof EventDraft>

/** The confidence in the event as a whole: the geometric mean of its fields. */
export function overallConfidence({
  title,
  date,
  time,
  place,
}: Pick<Confidence, 'title' | 'date' | 'time' | 'place'>): number {
  return Math.round((title * date * time * place) ** 0.25 * 100) / 100
}
