import { isRecord } from '@surehand/core/internal'
import { LIMITS } from '../document/limits.ts'
import { type Fields, own, ownList, ownRecord, ownText } from '../document/record.ts'
import type { Library } from './library.ts'
import type { Direction } from './unit.ts'

type Looking = {
  readonly behind: (schema: unknown) => unknown
  readonly isHidden: (schema: unknown) => boolean
}

/** The fields of an object that do not travel this way, also those that another part of an allOf declares. */
export function hiddenNames(
  schema: Fields,
  looking: Looking,
  outer: ReadonlySet<string>,
): ReadonlySet<string> {
  const { properties, allOf } = schema
  if (properties === undefined && allOf === undefined) return outer
  const found = new Set<string>()
  collect(schema, looking, { found, depth: 0, visits: 0 })
  if (found.size === 0) return outer
  for (const name of outer) found.add(name)
  return found
}

type State = { readonly found: Set<string>; depth: number; visits: number }

// parts of parts multiply: after so many there is nothing more to find in a schema that anybody wrote by hand
const MOST_VISITS = 200

function collect(schema: unknown, looking: Looking, state: State): void {
  if (++state.visits > MOST_VISITS || state.depth > LIMITS.allOfDepth) return
  const properties = ownRecord(schema, 'properties')
  if (properties !== undefined)
    for (const name of Object.keys(properties))
      if (looking.isHidden(properties[name])) state.found.add(name)
  state.depth++
  for (const part of ownList(schema, 'allOf')) collect(looking.behind(part), looking, state)
  state.depth--
}

/** Whether a schema says of its field that it is only ever read, or only ever written. */
export function isHidden(
  schema: unknown,
  { library, direction }: { readonly library: Library; readonly direction: Direction },
): boolean {
  if (!isRecord(schema)) return false
  const keyword = direction === 'input' ? 'readOnly' : 'writeOnly'
  if (schema[keyword] === true) return true
  if (typeof schema.$ref === 'string') return targetSaysSo(schema.$ref, keyword, library)
  if (schema.allOf === undefined) return false
  const parts = ownList(schema, 'allOf')
  if (parts.length > 5) return false
  return parts.some(
    (part) => own(part, keyword) === true || targetSaysSo(ownText(part, '$ref'), keyword, library),
  )
}

function targetSaysSo(reference: string | undefined, keyword: string, library: Library): boolean {
  if (reference === undefined) return false
  try {
    return own(library.target(reference), keyword) === true
  } catch {
    // a reference that leads nowhere is told where the field itself is read
    return false
  }
}
