import type { z } from 'zod'
import { hashJson } from '../call/canonical.ts'
import { isSensitive } from './sensitive.ts'

// far enough that the year, the day, the hour, the minute and the second all differ
const ELSEWHEN_MS = ((400 * 24 + 5) * 3600 + 7 * 60 + 13) * 1000 + 17

/**
 * Does a default give another value another time? Zod hides whether it is a function, so it is
 * asked twice, the second time under another clock.
 */
function unstableDefault(def: { readonly defaultValue: unknown }): boolean {
  const first = hashOrNothing(def.defaultValue)
  return first === undefined || first !== hashOrNothing(underAnotherClock(() => def.defaultValue))
}

// nothing else runs meanwhile: the default is asked in this very turn of the loop
function underAnotherClock<T>(ask: () => T): T {
  const RealDate = globalThis.Date
  const realNow = RealDate.now
  class OtherDate extends RealDate {
    constructor(...parts: readonly unknown[]) {
      // erased: whatever Date takes is handed on to it
      if (parts.length === 0) super(OtherDate.now())
      else super(...(parts as [number]))
    }
    static override now(): number {
      return realNow() + ELSEWHEN_MS
    }
  }
  globalThis.Date = OtherDate as DateConstructor
  try {
    return ask()
  } finally {
    globalThis.Date = RealDate
  }
}

function hashOrNothing(value: unknown): string | undefined {
  try {
    return hashJson(value)
  } catch {
    return undefined // not JSON: refused by the caller
  }
}

const probes = ['', ' Az\u00e9 ', 'e\u0301 x', '42']

/**
 * Does an overwrite change a value it has already made? Trim and case changes don't; appending
 * does.
 */
function unstableOverwrite(check: z.core.$ZodCheck<never>): boolean {
  const def = check._zod.def as { readonly check: string; readonly tx?: (value: string) => unknown }
  if (def.check !== 'overwrite' || def.tx === undefined) return false
  const change = def.tx
  try {
    return probes.some((probe) => {
      const once = change(probe)
      return typeof once !== 'string' || once !== change(probe) || change(once) !== once
    })
  } catch {
    return true // not of texts: what it does to them can't be tried
  }
}

/**
 * What our own code needs to know of a schema: enough to write canonical JSON, to hide secrets and
 * to list fields.
 */
export type Shape = (
  | { readonly kind: 'string' | 'number' | 'boolean' | 'any' }
  | ObjectShape
  | ArrayShape
  | TupleShape
  | RecordShape
  | NullableShape
  | UnionShape
  | LazyShape
) & {
  readonly sensitive: boolean
}
/** `rest`: keys it has no field for are kept, and are of this shape. */
export type ObjectShape = {
  readonly kind: 'object'
  readonly fields: readonly Field[]
  readonly rest: Shape | undefined
}
export type ArrayShape = { readonly kind: 'array'; readonly items: Shape }
export type TupleShape = { readonly kind: 'tuple'; readonly items: readonly Shape[] }
export type RecordShape = { readonly kind: 'record'; readonly values: Shape }
export type NullableShape = { readonly kind: 'nullable'; readonly inner: Shape }
export type UnionShape = { readonly kind: 'union'; readonly options: readonly Shape[] }
export type LazyShape = { readonly kind: 'lazy'; readonly inner: () => Shape }
export type Field = { readonly name: string; readonly shape: Shape; readonly optional: boolean }

type Walk = { readonly seen: Map<z.core.$ZodType, Shape>; readonly path: string }

/**
 * Reads a zod schema, refusing what isn't plain JSON or would parse the same input differently
 * another time.
 */
export function readShape(schema: z.core.$ZodType): Shape {
  return read(schema, { seen: new Map(), path: '' })
}

function read(schema: z.core.$ZodType, walk: Walk): Shape {
  const known = walk.seen.get(schema)
  if (known !== undefined) return known
  // a recursive schema meets itself while it is being read: the getter answers once the outer read
  // has finished
  walk.seen.set(schema, {
    kind: 'lazy',
    inner: () => walk.seen.get(schema) as Shape,
    sensitive: false,
  })
  const shape = isSensitive(schema)
    ? { ...structure(schema, walk), sensitive: true }
    : structure(schema, walk)
  walk.seen.set(schema, shape)
  return shape
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one case for each kind of schema
function structure(schema: z.core.$ZodType, walk: Walk): Shape {
  const def = (schema as z.core.$ZodTypes)._zod.def
  refuseOverwrites(def, walk)
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
      if ('coerce' in def && def.coerce)
        throw unsupportedError(walk, 'coerces its input', 'take the type as it is')
      return { kind: def.type, sensitive: false }
    case 'template_literal':
      return { kind: 'string', sensitive: false }
    case 'literal':
      if (def.values.some((value) => typeof value === 'bigint' || value === undefined))
        throw unsupportedError(
          walk,
          'is a literal that JSON cannot say',
          'use a string, a number, a boolean or null',
        )
      return { kind: kindOfAll(def.values), sensitive: false }
    case 'enum':
      return { kind: kindOfAll(Object.values(def.entries)), sensitive: false }
    case 'null':
    case 'any':
    case 'unknown':
    case 'never':
      return { kind: 'any', sensitive: false }
    case 'object':
      return objectShape(def, walk)
    case 'array':
      return { kind: 'array', items: read(def.element, inside(walk, '[]')), sensitive: false }
    case 'nullable':
      return nullable(read(def.innerType, walk))
    case 'optional':
    case 'nonoptional':
    case 'readonly':
      return read(def.innerType, walk)
    case 'default':
    case 'prefault':
      if (unstableDefault(def))
        throw unsupportedError(
          walk,
          'has a default that changes from call to call',
          'use a constant, or fill it in execute',
        )
      return read(def.innerType, walk)
    case 'lazy':
      return read(def.getter(), walk)
    case 'union':
      return {
        kind: 'union',
        options: def.options.map((option) => read(option, walk)),
        sensitive: false,
      }
    case 'intersection':
      return {
        kind: 'union',
        options: [read(def.left, walk), read(def.right, walk)],
        sensitive: false,
      }
    case 'tuple':
      return {
        kind: 'tuple',
        items: [...def.items, ...(def.rest === null ? [] : [def.rest])].map((item) =>
          read(item, inside(walk, '[]')),
        ),
        sensitive: false,
      }
    case 'record':
      read(def.keyType, inside(walk, '{key}'))
      return { kind: 'record', values: read(def.valueType, inside(walk, '{}')), sensitive: false }
    default:
      throw unsupportedError(walk, `uses z.${def.type}`, advice[def.type] ?? 'use plain JSON types')
  }
}

function kindOfAll(values: readonly unknown[]): 'string' | 'number' | 'boolean' | 'any' {
  const [kind] = new Set(values.map((value) => typeof value))
  if (values.some((value) => typeof value !== kind)) return 'any'
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'any'
}

const advice: Readonly<Record<string, string>> = {
  date: 'use Rfc3339DateTime',
  bigint: 'use a string of digits',
  pipe: 'transforms, codecs and preprocess belong in execute',
  transform: 'transforms belong in execute',
  catch: 'a wrong value must be refused, not replaced',
  custom: 'use a JSON type with .refine',
  map: 'use z.record',
  set: 'use z.array',
}

function objectShape(def: z.core.$ZodObjectDef, walk: Walk): Shape {
  const fields = Object.entries(def.shape).map(([name, field]) => ({
    name,
    shape: read(field, inside(walk, name)),
    optional: field._zod.optout === 'optional',
  }))
  const rest =
    def.catchall === undefined || def.catchall._zod.def.type === 'never'
      ? undefined
      : read(def.catchall, inside(walk, '*'))
  return { kind: 'object', fields, rest, sensitive: false }
}

function nullable(inner: Shape): Shape {
  return { kind: 'nullable', inner, sensitive: inner.sensitive }
}

function refuseOverwrites(def: z.core.$ZodTypeDef, walk: Walk): void {
  for (const check of def.checks ?? []) {
    if (unstableOverwrite(check))
      throw unsupportedError(
        walk,
        'overwrites its value differently each time it is parsed',
        'trim and case changes are fine, others belong in execute',
      )
  }
}

function inside(walk: Walk, step: string): Walk {
  return { seen: walk.seen, path: walk.path === '' ? step : `${walk.path}.${step}` }
}

function unsupportedError(walk: Walk, what: string, todo: string): TypeError {
  return new TypeError(
    `${walk.path === '' ? 'The schema' : `The field "${walk.path}"`} ${what}: ${todo}.`,
  )
}
