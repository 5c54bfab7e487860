import { ToolError } from '@surehand/core'
import { nameKey } from './name-key.ts'

type Named = { readonly id: string; readonly name: string }

// Imported ids are free text; one that reads like a name must not be matched before that name.
const OUR_ID = /^[a-z]+_[0-9a-z]+$/

/** Whether the query is the id of this record, in the form that the app generates. */
export function hasId({ id }: Named, query: string): boolean {
  return id === query && OUR_ID.test(id)
}

export function hasName({ name }: Named, query: string): boolean {
  return nameKey(name) === nameKey(query)
}

/**
 * The candidates for a query: an exact name, else an id, else names that begin with it, contain it,
 * contain all of its words, or differ by one or two letters.
 */
export function findMatches<N extends Named>(query: string, among: readonly N[]): readonly N[] {
  const wanted = nameKey(query)
  const keyed = among.map((one) => ({ one, key: nameKey(one.name) }))
  const ways: readonly ((key: string, one: N) => boolean)[] = [
    (key) => key === wanted,
    (_, one) => hasId(one, query),
    (key) => key.startsWith(wanted),
    (key) => key.includes(wanted),
    (key) => wanted.split(' ').every((word) => key.includes(word)),
    (key) => isMisspelling(key, wanted),
  ]
  for (const way of ways) {
    const found = keyed.filter(({ one, key }) => way(key, one))
    if (found.length > 0) return found.map(({ one }) => one)
  }
  return []
}

/**
 * Finds exactly one record by name or id. When several match, the error lists them, so that the
 * caller can choose.
 */
export function findOneNamed<N extends Named>(query: string, among: readonly N[], what: string): N {
  const found = findMatches(query, among)
  const [first, second] = found
  if (first !== undefined && second === undefined) return first
  if (first === undefined)
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no ${what} called "${query}".`, {
      details: { searched_name: query, available: among.slice(0, 20).map(({ name }) => name) },
    })
  const names = found.slice(0, 10).map(({ name }) => `"${name}"`)
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${query}" matches ${names.join(', ')}. Name one ${what} in full, or use its id.`,
    {
      details: {
        searched_name: query,
        matches: found.slice(0, 10).map(({ id, name }) => ({ id, name })),
      },
    },
  )
}

// The tolerance grows with the length of the query: one letter in four, two in eight.
function isMisspelling(key: string, wanted: string): boolean {
  const most = Math.min(2, Math.floor(wanted.length / 4))
  return (
    most > 0 && Math.abs(key.length - wanted.length) <= most && editDistance(key, wanted) <= most
  )
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let line = 1; line <= one.length; line++) {
    const next = [line]
    for (let column = 1; column <= other.length; column++) {
      const change = (row[column - 1] ?? 0) + (one[line - 1] === other[column - 1] ? 0 : 1)
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
