import { ToolError } from '@surehand/core'
import { nameKey } from './name-key.ts'

export type Named = { readonly id: string; readonly name: string }

// ids that came by an import are free text: one that is written like a name would be taken for that name
const OUR_ID = /^[a-z]+_[0-9a-z]+$/

/** Is it meant by its id? Only by one in the form that ours have. */
export function hasId({ id }: Named, query: string): boolean {
  return id === query && OUR_ID.test(id)
}

export function hasName({ name }: Named, query: string): boolean {
  return nameKey(name) === nameKey(query)
}

/** What somebody may have meant: the very name, else the id, else what begins with it, holds it, or is misspelt by a letter or two. */
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

/** The one that is meant, by its id or name; several are told, so that whoever asked can say which. */
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
    `"${query}" may be any of ${names.join(', ')}: say which ${what} is meant.`,
    {
      details: {
        searched_name: query,
        matches: found.slice(0, 10).map(({ id, name }) => ({ id, name })),
      },
    },
  )
}

// a slip of the pen grows with the word: one letter in four, two in eight
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
