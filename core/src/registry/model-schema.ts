import { isRecord } from '../call/canonical.ts'
import type { JsonSchema } from '../define/json-schema.ts'

// Their members are values or names, not schemas.
const NOT_SCHEMAS: ReadonlySet<string> = new Set(['default', 'examples', 'const', 'enum'])
const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/**
 * A schema of ours as a model needs it. It says the same in fewer words: every client assumes this
 * dialect, and bounds that every whole number has tell nothing. `items: false` becomes `maxItems`,
 * because several model APIs refuse a schema that is not an object.
 */
export function shortenSchema(schema: JsonSchema): JsonSchema {
  const { $schema: dialect, ...rest } = schema
  const shortened = shorten(rest) as JsonSchema
  return dialect === undefined || dialect === DIALECT
    ? shortened
    : { $schema: dialect, ...shortened }
}

function shorten(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shorten)
  if (!isRecord(node)) return node
  const { prefixItems, items } = node
  const isClosed = Array.isArray(prefixItems) && items === false
  const kept = Object.entries(node).filter(
    ([key, value]) => !isEveryNumber(key, value) && !(isClosed && key === 'items'),
  )
  const shortened = Object.fromEntries(
    kept.map(([key, value]) => [key, NOT_SCHEMAS.has(key) ? value : shorten(value)]),
  )
  if (!isClosed) return shortened
  const count = prefixItems.length
  return { minItems: count, ...shortened, maxItems: count }
}

function isEveryNumber(key: string, value: unknown): boolean {
  return (
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  )
}
