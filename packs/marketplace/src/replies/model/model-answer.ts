import { z } from 'zod'

const CURRENCIES = ['RWF', 'USD', 'EUR', 'UGX', 'KES', 'TZS', 'none'] as const
/** Words such as "tomorrow 15:00": no number that is long enough for a phone, no sign of a link. */
const AVAILABILITY = /^(?!.*\d{5})[a-z0-9 :,-]{1,40}$/i

/** What a model says of a reply. Everything else that it writes is refused. */
export const ModelAnswer = z.strictObject({
  has_stock: z.boolean().nullable(),
  price: z.number().positive().max(1e10).nullable(),
  price_is: z.enum(['unit', 'total', 'none']),
  currency: z.enum(CURRENCIES),
  availability: z.string().regex(AVAILABILITY).nullable(),
  is_sure: z.boolean(),
})
export type ModelAnswer = z.output<typeof ModelAnswer>

/** The same as a JSON schema that OpenAI's strict mode and Gemini accept: every field is required. */
export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    has_stock: { type: ['boolean', 'null'] },
    price: { type: ['number', 'null'] },
    price_is: { type: 'string', enum: ['unit', 'total', 'none'] },
    currency: { type: 'string', enum: CURRENCIES },
    availability: { type: ['string', 'null'] },
    is_sure: { type: 'boolean' },
  },
  required: ['has_stock', 'price', 'price_is', 'currency', 'availability', 'is_sure'],
  additionalProperties: false,
} as const

// Other words about the time do not make the rest of the answer useless.
const GivenAnswer = ModelAnswer.extend({
  availability: ModelAnswer.shape.availability.catch(null),
})

/** The answer in a model's text; undefined where it is none. */
export function readModelAnswer(text: string): ModelAnswer | undefined {
  try {
    return GivenAnswer.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
