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
  if (inner.length === 0 || share - own < inner.length * 40) return replaceByStub(schema, cutting)
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
