import type { JsonSchema } from '@surehand/core/internal'
import type { Scalar } from '../schema/schema-model.ts'

const text: JsonSchema = { type: 'string' }
const anything: JsonSchema = {}
const dateTime: JsonSchema = { type: 'string', format: 'date-time' }
const uri: JsonSchema = { type: 'string', format: 'uri' }
const uuid: JsonSchema = { type: 'string', format: 'uuid' }
const record: JsonSchema = { type: 'object' }
// Servers use text where a double would lose digits.
const bigInteger: JsonSchema = {
  anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?[0-9]{1,40}$' }],
}
const decimal: JsonSchema = {
  anyOf: [{ type: 'number' }, { type: 'string', pattern: '^-?[0-9]{1,40}([.][0-9]{1,40})?$' }],
}

/** Scalars whose name has the same meaning on nearly every server. */
const KNOWN: ReadonlyMap<string, JsonSchema> = new Map([
  ['String', text],
  ['ID', text],
  ['Boolean', { type: 'boolean' }],
  ['Int', { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 }],
  ['Float', { type: 'number' }],
  ['DateTime', dateTime],
  ['DateTimeISO', dateTime],
  ['PreciseDateTime', dateTime],
  ['GitTimestamp', dateTime],
  ['Date', { type: 'string', format: 'date' }],
  ['URI', uri],
  ['Uri', uri],
  ['URL', uri],
  ['Url', uri],
  ['UUID', uuid],
  ['Uuid', uuid],
  ['JSON', anything],
  ['Json', anything],
  ['JSONObject', record],
  ['JsonObject', record],
  ['BigInt', bigInteger],
  ['Long', bigInteger],
  ['Decimal', decimal],
  ['BigDecimal', decimal],
  ...[
    'Time',
    'LocalTime',
    'LocalDate',
    'LocalDateTime',
    'Duration',
    'TimeZone',
    'HTML',
    'Html',
    'Markdown',
  ].map(asText),
  ...[
    'Base64',
    'Base64String',
    'Email',
    'EmailAddress',
    'PhoneNumber',
    'Cursor',
    'Currency',
    'CurrencyCode',
    'CountryCode',
  ].map(asText),
  ...['GitObjectID', 'GitRefname', 'GitSSHRemote', 'X509Certificate'].map(asText),
])

/** Scalars of any name, by their `specifiedBy` URL. */
const SPECIFIED: readonly (readonly [RegExp, JsonSchema])[] = [
  [/rfc-?3339|graphql\.org\/andimarek\/date-time/i, dateTime],
  [/rfc-?(4122|9562)/i, uuid],
  [/rfc-?(3986|3987)|url\.spec\.whatwg\.org/i, uri],
]

function asText(name: string): readonly [string, JsonSchema] {
  return [name, text]
}

/**
 * The schema of a scalar; undefined for a scalar that only its server knows, which accepts any
 * JSON.
 */
export function scalarSchema({ name, specifiedBy }: Scalar): JsonSchema | undefined {
  const known = KNOWN.get(name)
  if (known !== undefined) return known
  return SPECIFIED.find(([pattern]) => specifiedBy !== undefined && pattern.test(specifiedBy))?.[1]
}
