import { isRecord, type JsonSchema, sha256 } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { LIMITS } from '../document/limits.ts'
import { type Fields, own } from '../document/record.ts'
import { resolveReference } from '../document/references.ts'
import { SchemaReader } from './schema-reader.ts'
import type { Direction, Unit } from './unit.ts'

/** The schemas of one document. Each is read once, on first use. */
export type Library = {
  readonly root: Fields
  readonly unit: (pointer: string, direction: Direction) => Unit
  /** The unread schema that a reference leads to. */
  readonly target: (pointer: string) => unknown
  /** The name of a component in `$defs`, which is the same in every tool. */
  readonly nameOf: (pointer: string) => string
  readonly pointerOf: (name: string) => string
  readonly spend: (steps: number) => void
  /** OpenAPI 3.0 ignores what stands beside a `$ref`, except what only describes the value. */
  readonly withoutSiblings: (schema: Fields) => Fields
}

const COMPONENT = /^#\/components\/schemas\/([A-Za-z0-9._-]{1,100})$/

export function createLibrary(root: Fields): Library {
  const units = {
    input: new Map<string, Unit | LeftOut>(),
    output: new Map<string, Unit | LeftOut>(),
  }
  const names = new Map<string, string>()
  const pointers = new Map<string, string>()
  const targets = new Map<string, unknown>()
  let steps = 0

  const library: Library = {
    root,
    unit(pointer, direction) {
      const known = units[direction].get(pointer) ?? attempt(pointer, direction)
      if (known instanceof LeftOut) throw known
      return known
    },
    target(pointer) {
      if (!targets.has(pointer)) targets.set(pointer, resolveReference(root, pointer))
      return targets.get(pointer)
    },
    nameOf(pointer) {
      const known = names.get(pointer)
      if (known !== undefined) return known
      const plain = COMPONENT.exec(pointer)?.[1]
      const name = plain ?? `${readableName(pointer)}_${sha256(pointer).slice(0, 10)}`
      names.set(pointer, name)
      pointers.set(name, pointer)
      return name
    },
    pointerOf: (name) => pointers.get(name) ?? '',
    spend(count) {
      steps += count
      if (steps > LIMITS.documentSteps)
        throw new LeftOut(`the document has more than ${LIMITS.documentSteps} schemas`)
    },
    withoutSiblings: String(own(root, 'openapi')).startsWith('3.0') ? dropSiblings : (same) => same,
  }

  function attempt(pointer: string, direction: Direction): Unit | LeftOut {
    const unit = readOrReason(() => readComponent(library, pointer, direction))
    units[direction].set(pointer, unit)
    return unit
  }
  return library
}

// `nullable` beside a reference is ignored by the letter of 3.0, and meant by everyone who writes it.
const SIBLINGS = new Set(['$ref', 'description', 'nullable', 'readOnly', 'writeOnly', 'deprecated'])

function dropSiblings(schema: Fields): Fields {
  if (typeof schema.$ref !== 'string') return schema
  const names = Object.keys(schema)
  if (names.every((name) => SIBLINGS.has(name))) return schema
  return Object.fromEntries(
    names.filter((name) => SIBLINGS.has(name)).map((name) => [name, schema[name]]),
  )
}

function readComponent(library: Library, pointer: string, direction: Direction): Unit {
  const schema = library.target(pointer)
  if (!isRecord(schema) && typeof schema !== 'boolean')
    throw new LeftOut(`"${pointer.slice(0, 200)}" is no schema`)
  return readUnit(library, direction, (reader) => reader.read(schema, pointer))
}

function readOrReason(make: () => Unit): Unit | LeftOut {
  try {
    return make()
  } catch (error) {
    if (error instanceof LeftOut) return error
    throw error
  }
}

function readableName(pointer: string): string {
  return (pointer.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)
}

/**
 * Reads one component, with the measurements that are needed to assemble components without reading
 * them again.
 */
export function readUnit(
  library: Library,
  direction: Direction,
  read: (reader: SchemaReader) => JsonSchema | boolean,
): Unit {
  const reader = new SchemaReader(library, direction)
  const schema = read(reader)
  return {
    schema: typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema,
    bytes: reader.bytes,
    count: reader.count,
    depth: reader.deepest,
    references: reader.references,
    evaluationPoints: reader.evaluationPoints,
    losses: reader.losses,
  }
}
