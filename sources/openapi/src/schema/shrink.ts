import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { LIMITS } from '../document/limits.ts'
import type { Library } from './library.ts'
import { eachSubschema, isHolder, mapSubschemas, type Schema } from './subschemas.ts'
import type { SchemaLoss, Unit } from './unit.ts'

const STUB = 'Not described here: the schema would be too large.'

/**
 * Shrinks the root of a tool's schema to fit its budget. Every field stays, but the largest lose
 * their inner schemas.
 */
export function shrink(
  root: Unit,
  { library, byteBudget }: { readonly library: Library; readonly byteBudget: number },
): Unit {
  const sizeOf = createSizeOf()
  // The rest is for components.
  let share = Math.floor(byteBudget * 0.8)
  for (let round = 0; round < 6; round++) {
    const losses: SchemaLoss[] = []
    const schema = shrinkTo(root.schema, { share, losses, place: '#', sizeOf }) as JsonSchema
    const measured = { bytes: sizeOf(schema), ...measure(schema, library) }
    if (measured.bytes <= byteBudget && measured.count <= LIMITS.subschemas)
      return {
        ...root,
        ...measured,
        schema,
        evaluationPoints: root.evaluationPoints,
        losses: [...root.losses, ...losses],
      }
    share = Math.floor(share / 2)
  }
  throw new LeftOut(
    `its schema does not fit into ${byteBudget} bytes, even without its inner schemas`,
  )
}

type SizeOf = (schema: Schema) => number
type Cutting = {
  readonly share: number
  readonly losses: SchemaLoss[]
  readonly place: string
  readonly sizeOf: SizeOf
}

// Each field gets an equal share of the room; what small fields do not need goes to larger ones.
function shrinkTo(schema: Schema, cutting: Cutting): Schema {
  const { share, place, sizeOf } = cutting
  if (typeof schema === 'boolean' || sizeOf(schema) <= share) return schema
  const inner = listParts(schema, sizeOf)
  const own = sizeOf(schema) - inner.reduce((sum, part) => sum + part.size, 0)
  if (inner.length === 0 || share - own < inner.length * 40) {
    const fewer = dropOptionalFields(schema, cutting)
    return fewer === undefined ? replaceByStub(schema, cutting) : shrinkTo(fewer, cutting)
  }
  const shares = new Map<Schema, number>()
  let room = share - own
  for (const [index, part] of inner.entries()) {
    const fair = Math.min(part.size, Math.floor(room / (inner.length - index)))
    shares.set(part.schema, fair)
    room -= fair
  }
  return mapSubschemas(schema, (part) =>
    shrinkTo(part, {
      ...cutting,
      share: shares.get(part) ?? 0,
      place: namePart(place, schema, part),
    }),
  )
}

// Names that most requests fill, in documents that list hundreds of fields in alphabetical order.
const OFTEN_USED =
  /^(?:id|to|from|body|text|tags|lines?|items?|documents?|recipients?|content|message|description|amount|currency|price|quantity|customer)$|(?:name|title|subject|status|state|type|email|date|time|url|key)$/i
// What a field takes that keeps its type and little more.
const LEAST_FIELD = 90
const MOST_NAMED = 40

/**
 * An object with its required fields and as many of the others as there is room for; undefined if
 * none can be left out. The others stay allowed: they are only not described.
 */
function dropOptionalFields(
  schema: JsonSchema,
  { share, losses, place, sizeOf }: Cutting,
): JsonSchema | undefined {
  const { properties, additionalProperties: _, ...rest } = schema
  if (!isRecord(properties)) return undefined
  const { required } = rest
  const needed = new Set(Array.isArray(required) ? required : [])
  const names = Object.keys(properties).toSorted()
  const rank = (name: string): number => (needed.has(name) ? 0 : OFTEN_USED.test(name) ? 1 : 2)
  let room = share - sizeOf(rest) - 400
  const kept = new Set(
    names
      .toSorted((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1))
      .filter((name) => {
        room -= name.length + 4 + Math.min(sizeOf(properties[name] as Schema), LEAST_FIELD)
        return needed.has(name) || room >= 0
      }),
  )
  const dropped = names.filter((name) => !kept.has(name))
  if (dropped.length === 0 || kept.size === 0) return undefined
  const named = dropped.slice(0, MOST_NAMED).join(', ')
  losses.push({ place, what: `${dropped.length} optional fields are not described: ${named}` })
  const description =
    typeof rest.description === 'string' ? `${rest.description.slice(0, 200)} ` : ''
  return {
    ...rest,
    description: `${description}${dropped.length} further optional fields are not described here.`,
    properties: Object.fromEntries(
      names.filter((name) => kept.has(name)).map((name) => [name, properties[name]]),
    ),
  }
}

type Part = { readonly schema: Schema; readonly size: number }

function listParts(schema: JsonSchema, sizeOf: SizeOf): readonly Part[] {
  const found: Part[] = []
  eachSubschema(schema, (inner) => found.push({ schema: inner, size: sizeOf(inner) }))
  return found.toSorted((left, right) => left.size - right.size)
}

// The type stays, so that a value of the wrong type is still refused.
function replaceByStub(schema: JsonSchema, { share, losses, place }: Cutting): Schema {
  losses.push({ place, what: 'is left without a schema: the whole would be too large' })
  const { type, description, properties } = schema
  const kind = type ?? (isRecord(properties) ? 'object' : undefined)
  const words =
    typeof description === 'string' && description.length + 120 < share ? `${description} ` : ''
  return {
    ...(kind === undefined ? {} : { type: kind }),
    ...(share < 60 ? {} : { description: `${words}${STUB}` }),
  }
}

function namePart(place: string, schema: JsonSchema, part: Schema): string {
  const { properties } = schema
  const name = isRecord(properties)
    ? Object.keys(properties).find((one) => properties[one] === part)
    : undefined
  return place.length > 200 ? place : `${place}/${name ?? '*'}`
}

// Bottom up, each schema once.
function createSizeOf(): SizeOf {
  const known = new Map<JsonSchema, number>()
  return function sizeOf(schema) {
    if (typeof schema === 'boolean') return 5
    const there = known.get(schema)
    if (there !== undefined) return there
    let size = 2
    for (const keyword of Object.keys(schema))
      size += keyword.length + 4 + (isHolder(keyword) ? 0 : JSON.stringify(schema[keyword]).length)
    eachSubschema(schema, (inner, name) => {
      size += name.length + 4 + sizeOf(inner)
    })
    known.set(schema, size)
    return size
  }
}

function measure(
  schema: JsonSchema,
  library: Library,
): Pick<Unit, 'count' | 'depth' | 'references'> {
  const references = new Map<string, number>()
  let count = 0
  let deepest = 0
  function visit(one: Schema, depth: number): void {
    count++
    deepest = Math.max(deepest, depth)
    if (typeof one === 'boolean') return
    if (typeof one.$ref === 'string') {
      const pointer = library.pointerOf(one.$ref.slice('#/$defs/'.length))
      references.set(pointer, (references.get(pointer) ?? 0) + 1)
    }
    eachSubschema(one, (inner) => visit(inner, depth + 1))
  }
  visit(schema, 1)
  return { count, depth: deepest, references }
}
