import { isRecord, type JsonSchema } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import { own } from './document/record.ts'

/**
 * A short text that matches a simple pattern of letters, classes, groups and counts; undefined for
 * anything else.
 */
function patternExample(pattern: string): string | undefined {
  const reading = { text: pattern.replace(/^\^/, '').replace(/\$$/, ''), at: 0, steps: 0 }
  const sample = readAlternatives(reading, 0)
  return sample === undefined || reading.at < reading.text.length ? undefined : sample
}

type Reading = { readonly text: string; at: number; steps: number }

const MOST = 200
const MOST_STEPS = 2_000
const ESCAPES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', S: 'a', D: 'a', W: '-' }

// The first alternative is used; the others are only skipped.
function readAlternatives(reading: Reading, depth: number): string | undefined {
  const first = readSequence(reading, depth)
  // Outside of groups, what follows need not be understood.
  if (depth === 0 && reading.text[reading.at] === '|') reading.at = reading.text.length
  while (first !== undefined && reading.text[reading.at] === '|') {
    reading.at++
    if (readSequence(reading, depth) === undefined) return undefined
  }
  return first
}

function readSequence(reading: Reading, depth: number): string | undefined {
  let sample = ''
  while (reading.at < reading.text.length && !/[|)]/.test(reading.text[reading.at] ?? '')) {
    if (++reading.steps > MOST_STEPS) return undefined
    const one = readAtom(reading, depth)
    if (one === undefined) return undefined
    sample += one.repeat(Math.min(readCount(reading), MOST))
    if (sample.length > 10_000) return undefined
  }
  return sample
}

function readAtom(reading: Reading, depth: number): string | undefined {
  const sign = reading.text[reading.at++]
  if (sign === '\\') return readEscape(reading.text[reading.at++] ?? '')
  if (sign === '[') return readClass(reading)
  if (sign === '.') return 'a'
  if (sign !== '(') return sign !== undefined && /[*+?{}^$]/.test(sign) ? undefined : sign
  if (reading.text.startsWith('?:', reading.at)) reading.at += 2
  else if (reading.text[reading.at] === '?') return undefined
  const inner = depth > 8 ? undefined : readAlternatives(reading, depth + 1)
  return inner === undefined || reading.text[reading.at++] !== ')' ? undefined : inner
}

function readEscape(sign: string): string | undefined {
  if (Object.hasOwn(ESCAPES, sign)) return ESCAPES[sign]
  return /[A-Za-z0-9]/.test(sign) ? undefined : sign
}

function readClass(reading: Reading): string | undefined {
  const end = reading.text.indexOf(']', reading.at + 1)
  if (end < 0) return undefined
  const members = reading.text.slice(reading.at, end)
  reading.at = end + 1
  if (members.startsWith('^')) return ['a', '1', '-'].find((sign) => !members.includes(sign))
  const first = members[0] === '\\' ? readEscape(members[1] ?? '') : members[0]
  return first
}

function readCount(reading: Reading): number {
  const rest = reading.text.slice(reading.at, reading.at + 20)
  const [whole = '', least, sign] = /^(?:\{(\d+)(?:,\d*)?\}|([*+?]))\??/.exec(rest) ?? []
  reading.at += whole.length
  if (least !== undefined) return Number(least)
  return sign === '*' || sign === '?' ? 0 : 1
}

type Schema = JsonSchema | boolean

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T10:00:00Z',
  date: '2026-01-15',
  time: '10:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '3f8e1c52-7a6b-4d8e-9c1f-2b3a4d5e6f70',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  duration: 'PT30M',
  hostname: 'example.com',
  byte: 'ZXhhbXBsZQ==',
}
// Values that match the most common patterns of real documents.
const CANDIDATES = [
  'example',
  '1',
  'a',
  'A',
  '0',
  'abc',
  '12345',
  'A1',
  'en',
  'US',
  '00:00',
  '2026-01-15',
  'https://example.com/',
  'a@example.com',
]
const DEEPEST = 12

/** A small value that probably matches a schema. The caller validates it. */
export function createExample(root: JsonSchema, schemas: ForeignSchemas): unknown {
  return makeExample(root, { root, schemas, depth: 0 })
}

type Making = {
  readonly root: JsonSchema
  readonly schemas: ForeignSchemas
  readonly depth: number
}

function makeExample(schema: Schema, making: Making): unknown {
  if (typeof schema === 'boolean' || making.depth > DEEPEST) return 'example'
  const inner = { ...making, depth: making.depth + 1 }
  if (typeof schema.$ref === 'string') return makeExample(targetOf(making.root, schema.$ref), inner)
  const published = findPublished(schema, making.schemas)
  if (published !== undefined) return published
  if (Object.hasOwn(schema, 'const')) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.allOf)) return mergeExamples(schema, inner)
  const [branch] = [schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? list : []))
  if (branch !== undefined && !isRecord(schema.properties)) return makeExample(branch, inner)
  const value = exampleOfType(schema, inner)
  return branch !== undefined && isRecord(value)
    ? {
        ...value,
        ...asRecord(
          makeExample(
            {
              type: 'object',
              ...branch,
              properties: {
                ...asRecord(schema.properties),
                ...asRecord(own(branch, 'properties')),
              },
            },
            inner,
          ),
        ),
      }
    : value
}

// Published examples are sometimes shortened with dots, so that they break their own pattern.
function findPublished({ examples, pattern }: JsonSchema, schemas: ForeignSchemas): unknown {
  const list: readonly unknown[] = Array.isArray(examples) ? examples : []
  return list.find(
    (one) =>
      typeof one !== 'string' || typeof pattern !== 'string' || matches(pattern, one, schemas),
  )
}

function mergeExamples(schema: JsonSchema, making: Making): unknown {
  const { allOf, ...rest } = schema
  const parts = [
    ...(allOf as readonly Schema[]),
    ...(Object.keys(rest).some((name) => name !== 'description') ? [rest] : []),
  ].map((part) => makeExample(part, making))
  const objects = parts.filter(isRecord)
  return objects.length > 0 ? Object.assign({}, ...objects) : parts[0]
}

function exampleOfType(schema: JsonSchema, making: Making): unknown {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  switch (
    types[0] ??
    (isRecord(schema.properties) ? 'object' : schema.items === undefined ? 'string' : 'array')
  ) {
    case 'object':
      return exampleOfObject(schema, making)
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) }, () =>
        makeExample((schema.items ?? {}) as Schema, making),
      )
    case 'integer':
    case 'number':
      return exampleOfNumber(schema)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return exampleOfText(schema, making.schemas)
  }
}

function exampleOfObject(schema: JsonSchema, making: Making): unknown {
  const properties = asRecord(schema.properties)
  const required = Array.isArray(schema.required) ? schema.required : []
  const entries = required.map(
    (name) => [name, makeExample((own(properties, name) ?? {}) as Schema, making)] as const,
  )
  const least = Number(schema.minProperties ?? 0)
  const others = Object.keys(properties).filter((name) => !required.includes(name))
  const added = others
    .slice(0, Math.max(0, least - entries.length))
    .map((name) => [name, makeExample(properties[name] as Schema, making)] as const)
  const free = Array.from(
    { length: Math.max(0, least - entries.length - added.length) },
    (_, index) =>
      [
        `field${index}`,
        makeExample((schema.additionalProperties ?? {}) as Schema, making),
      ] as const,
  )
  return Object.fromEntries([...entries, ...added, ...free])
}

function exampleOfNumber({
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
}: JsonSchema): number {
  const least =
    typeof minimum === 'number'
      ? minimum
      : typeof exclusiveMinimum === 'number'
        ? exclusiveMinimum + 1
        : undefined
  const most =
    typeof maximum === 'number'
      ? maximum
      : typeof exclusiveMaximum === 'number'
        ? exclusiveMaximum - 1
        : undefined
  const step = typeof multipleOf === 'number' ? multipleOf : 1
  const wanted = least ?? Math.min(1, most ?? 1)
  return Math.ceil(wanted / step) * step
}

function exampleOfText(
  { format, minLength, maxLength, pattern }: JsonSchema,
  schemas: ForeignSchemas,
): string {
  const known = typeof format === 'string' ? FORMATS[format] : undefined
  if (known !== undefined) return known
  const least = typeof minLength === 'number' ? Math.min(minLength, 10_000) : 0
  const fitting = typeof pattern === 'string' ? matchingText(pattern, least, schemas) : undefined
  const text = (fitting ?? 'example').padEnd(least, 'x')
  return typeof maxLength === 'number' && text.length > maxLength ? text.slice(0, maxLength) : text
}

function matchingText(pattern: string, least: number, schemas: ForeignSchemas): string | undefined {
  const made = patternExample(pattern)
  const candidates = made === undefined ? CANDIDATES : [made, ...CANDIDATES]
  return candidates.find((text) => text.length >= least && matches(pattern, text, schemas))
}

// With the validator, which runs untrusted patterns in linear time.
function matches(pattern: string, text: string, schemas: ForeignSchemas): boolean {
  try {
    return schemas.compile({ type: 'string', pattern }).parse(text).ok
  } catch {
    return false
  }
}

function targetOf(root: JsonSchema, reference: string): Schema {
  const name = reference.slice('#/$defs/'.length)
  return (own(own(root, '$defs'), name) ?? {}) as Schema
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}
