/** What an emulated model answers to the data of a question. */
export type ReadingScript = (question: string) => string

/** The emulators have no model, so theirs is never sure and says nothing. */
export const EMULATED_READING = JSON.stringify({
  meaning: '',
  has_stock: null,
  price: null,
  price_is: 'none',
  currency: 'none',
  availability: null,
  other: null,
  agreement: 0,
})

/** OpenAI's strict mode refuses a schema with an object that leaves a field optional or open. */
export function isStrictSchema(schema: unknown): boolean {
  const { properties, required, additionalProperties } = schema as Record<string, unknown>
  return (
    additionalProperties === false &&
    Array.isArray(required) &&
    Object.entries(properties ?? {}).every(
      ([name, field]) => required.includes(name) && (!isObject(field) || isStrictSchema(field)),
    )
  )
}

function isObject(field: unknown): boolean {
  return [(field as { readonly type?: unknown }).type].flat().includes('object')
}
