import { z } from 'zod'

const CURRENCIES = ['RWF', 'USD', 'EUR', 'UGX', 'KES', 'TZS', 'none'] as const
/** Words such as "tomorrow 15:00": no number that is long enough for a phone, no sign of a link. */
const AVAILABILITY = /^(?!.*\d{5})[a-z0-9 :,-]{1,40}$/i

const STOCK = z.boolean().nullable()
const PRICE = z.number().positive().max(1e10).nullable()
/** "Free of charge" has no price. */
const GIVEN_PRICE = z.preprocess((price) => (price === 0 ? null : price), PRICE)

/** What a model says of a reply. Everything else that it writes is refused. */
export const ModelAnswer = z.strictObject({
  has_stock: STOCK,
  price: PRICE,
  price_is: z.enum(['unit', 'total', 'none']),
  currency: z.enum(CURRENCIES),
  availability: z.string().regex(AVAILABILITY).nullable(),
  /** What a second careful clerk could write down instead. */
  other: z.strictObject({ has_stock: STOCK, price: PRICE }).nullable(),
  /** Of ten careful clerks, how many would write down the same. */
  agreement: z.int().min(0).max(10),
})
export type ModelAnswer = z.output<typeof ModelAnswer>

const STOCK_SCHEMA = { type: ['boolean', 'null'] } as const
const PRICE_SCHEMA = { type: ['number', 'null'] } as const

/**
 * The same as a JSON schema that OpenAI's strict mode and Gemini accept: every field is required.
 * `meaning` comes first, because a model that has said what a reply means reads it better.
 */
export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    meaning: { type: 'string' },
    has_stock: STOCK_SCHEMA,
    price: PRICE_SCHEMA,
    price_is: { type: 'string', enum: ['unit', 'total', 'none'] },
    currency: { type: 'string', enum: CURRENCIES },
    availability: { type: ['string', 'null'] },
    other: {
      type: ['object', 'null'],
      properties: { has_stock: STOCK_SCHEMA, price: PRICE_SCHEMA },
      required: ['has_stock', 'price'],
      additionalProperties: false,
    },
    agreement: { type: 'integer' },
  },
  required: [
    ...['meaning', 'has_stock', 'price', 'price_is', 'currency', 'availability'],
    ...['other', 'agreement'],
  ],
  additionalProperties: false,
} as const

const GivenAnswer = ModelAnswer.extend({
  /** It is for the model itself: free text of a model goes nowhere. */
  meaning: z.string(),
  price: GIVEN_PRICE,
  other: ModelAnswer.shape.other.unwrap().extend({ price: GIVEN_PRICE }).nullable(),
  // Other words about the time do not make the rest of the answer useless.
  availability: ModelAnswer.shape.availability.catch(null),
}).transform(({ meaning: _meaning, ...answer }): ModelAnswer => answer)

/** The answer in a model's text; undefined where it is none. */
export function readModelAnswer(text: string): ModelAnswer | undefined {
  try {
    return GivenAnswer.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
