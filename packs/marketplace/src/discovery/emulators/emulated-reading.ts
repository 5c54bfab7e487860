/** What an emulated model answers to the data of a question. */
export type ReadingScript = (question: string) => string

/** The emulators have no model, so theirs is never sure and says nothing. */
export const EMULATED_READING = JSON.stringify({
  has_stock: null,
  price: null,
  price_is: 'none',
  currency: 'none',
  availability: null,
  is_sure: false,
})

/** OpenAI's strict mode refuses a schema that leaves a field optional or open. */
export function isStrictSchema(schema: unknown): boolean {
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>
  const names = Object.keys(properties ?? {})
  return (
    type === 'object' &&
    additionalProperties === false &&
    Array.isArray(required) &&
    names.every((name) => required.includes(name))
  )
}
