import type { SCHEMAS } from './schemas.ts'

type Schema = Readonly<Record<string, unknown>>
type SideEffects = 'none' | 'writes.cart' | 'writes.order' | 'writes.booking'

/** One operation of the API, before it is written out as OpenAPI. */
export type Operation = {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete'
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly tag: string
  readonly sideEffects: SideEffects
  /** Becomes a tool. */
  readonly agent?: { readonly confirmRequired?: true }
  readonly query?: Readonly<Record<string, Schema>>
  readonly body?: Schema
  readonly answers: Readonly<Record<number, readonly [description: string, schema?: Schema]>>
  /** Whether a repetition with the same Idempotency-Key has the same answer and no effect. */
  readonly keyed?: true
  /** Whether `If-Match` with the cart's revision is obeyed. */
  readonly conditional?: true
  readonly isSecured?: true
}

export const ref = (name: keyof typeof SCHEMAS): Schema => ({
  $ref: `#/components/schemas/${name}`,
})
export const page = (items: keyof typeof SCHEMAS): Schema => ({
  type: 'object',
  properties: {
    items: { type: 'array', items: ref(items) },
    nextCursor: { type: 'string', description: 'Send it as `cursor` for the next page.' },
  },
  required: ['items'],
})
export const body = (
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})
export const words = (description: string, maxLength = 200): Schema => ({
  type: 'string',
  maxLength,
  description,
})
export const whole = (description: string, minimum = 0): Schema => ({
  type: 'integer',
  minimum,
  description,
})
export const moment = (description: string): Schema => ({
  type: 'string',
  format: 'date-time',
  description,
})

export const SESSION = words(
  'Whom it is for: a value that only the visitor and its agent know.',
  128,
)
export const QUANTITY: Schema = {
  type: 'integer',
  minimum: 1,
  maximum: 999,
  description: 'Pieces.',
}
export const LIMIT: Schema = { type: 'integer', minimum: 1, maximum: 100, default: 24 }
