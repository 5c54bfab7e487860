import { isRecord } from '@surehand/core/internal'
import type { Selection } from '../answer/selection.ts'

/** An answer as the tool tells it: what was asked for and nothing else, under the names of the schema. */
export function project(value: unknown, selection: Selection | undefined): unknown {
  if (selection === undefined) return plain(value)
  if (Array.isArray(value)) return value.map((item) => project(item, selection))
  if (!isRecord(value)) return plain(value)
  const entries = selection.flatMap(({ name, alias = name, fields }) =>
    Object.hasOwn(value, alias) ? [[name, project(value[alias], fields)] as const] : [],
  )
  return Object.fromEntries(entries)
}

// half a character is no JSON, and a key of the language's own machinery is nobody's data
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value)) return value ?? null
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      key === '__proto__' ? [] : [[key.toWellFormed(), plain(member)] as const],
    ),
  )
}
