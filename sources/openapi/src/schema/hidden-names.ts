import { isRecord } from '@surehand/core/internal'
import { LIMITS } from '../document/limits.ts'
import { type Fields, own, ownList, ownRecord, ownText } from '../document/record.ts'
import type { Library } from './library.ts'
import type { Direction } from './unit.ts'

type SchemaLookup = {
  readonly resolve: (schema: unknown) => unknown
  readonly isHidden: (schema: unknown) => boolean
}

/**
 * The fields of an object that are hidden in this direction, including those that another part of
 * an allOf declares.
 */
export function findHiddenNames(
  schema: Fields,
  looking: SchemaLookup,
  outer: ReadonlySet<string>,
): ReadonlySet<string> {
  const { properties, allOf } = schema
  if (properties === undefined && allOf === undefined) return outer
  const found = new Set<string>()
  collectHidden(schema, looking, { found, depth: 0, visits: 0 })
  if (found.size === 0) return outer
  for (const name of outer) found.add(name)
  return found
}

type State = { readonly found: Set<string>; depth: number; visits: number }

// Parts of parts multiply. Real schemas have fewer.
const MOST_VISITS = 200

function collectHidden(schema: unknown, looking: SchemaLookup, state: State): void {
  if (++state.visits > MOST_VISITS || state.depth > LIMITS.allOfDepth) return
  const properties = ownRecord(schema, 'properties')
  if (properties !== undefined)
    for (const name of Object.keys(properties))
      if (looking.isHidden(properties[name])) state.found.add(name)
  state.depth++
  for (const part of ownList(schema, 'allOf')) collectHidden(looking.resolve(part), looking, state)
  state.depth--
}

/** Whether a field's schema is readOnly (for inputs) or writeOnly (for outputs). */
export function isHidden(
  schema: unknown,
  { library, direction }: { readonly library: Library; readonly direction: Direction },
): boolean {
  if (!isRecord(schema)) return false
  const keyword = direction === 'input' ? 'readOnly' : 'writeOnly'
  if (schema[keyword] === true) return true
  if (typeof schema.$ref === 'string') return isMarkedInTarget(schema.$ref, keyword, library)
  if (schema.allOf === undefined) return false
  const parts = ownList(schema, 'allOf')
  if (parts.length > 5) return false
  return parts.some(
    (part) =>
      own(part, keyword) === true || isMarkedInTarget(ownText(part, '$ref'), keyword, library),
  )
}

function isMarkedInTarget(
  reference: string | undefined,
  keyword: string,
  library: Library,
): boolean {
  if (reference === undefined) return false
  try {
    return own(library.target(reference), keyword) === true
  } catch {
    // A broken reference is reported where the field itself is read.
    return false
  }
}
