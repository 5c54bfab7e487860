import type { IndexedText, TextIndex } from '@surehand/core/ports'
import MiniSearch, { type SearchOptions } from 'minisearch'

const CHUNK = /[\p{L}\p{N}](?:[\p{L}\p{N}._:/-]*[\p{L}\p{N}])?/gu
const CONNECTOR = /[._:/-]+/u
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const PLAIN = /^[a-z]+$/
const BEYOND_ASCII = /[\u0080-\uffff]/
const MARKS = /\p{M}+/gu

/**
 * Splits a text into words, without case and accents. Identifiers are returned whole and in their
 * parts.
 */
export function splitWords(text: string): string[] {
  const plain = BEYOND_ASCII.test(text) ? text.normalize('NFKD').replace(MARKS, '') : text
  const words: string[] = []
  for (const chunk of plain.match(CHUNK) ?? []) {
    // Most chunks are plain words and need no further work.
    if (PLAIN.test(chunk)) words.push(chunk)
    else words.push(...splitChunk(chunk))
  }
  return words
}

function splitChunk(chunk: string): readonly string[] {
  const parts = chunk.split(CONNECTOR)
  const words = parts.flatMap(splitPart)
  return (parts.length === 1 ? words : [chunk, ...words]).map((word) => word.toLowerCase())
}

// `bookSlot` can be found by book, slot and bookslot.
function splitPart(part: string): readonly string[] {
  if (UNSPACED.test(part)) return splitPairs(part)
  const humps = part.match(HUMP) ?? []
  return humps.length < 2 ? [part] : [part, ...humps]
}

// For scripts without spaces, every two neighbouring characters are a word.
function splitPairs(part: string): readonly string[] {
  const signs = [...part]
  return signs.length < 3 ? [part] : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`)
}

// Not "id", because a text may have a field of that name.
const ID = '\u0000id'
const MAX_QUERY_CHARACTERS = 1_000
const MAX_QUERY_WORDS = 24
const MIN_EXACT_RESULTS = 20
export const STOP_WORDS = new Set(
  'a an and are as at be by can for from i in into is it my of on or that the this to want we what which with you your'.split(
    ' ',
  ),
)

/** A text index in memory. Texts are indexed at the next search, not when they are added. */
export function miniSearchIndex(): TextIndex {
  const texts = new Map<string, IndexedText>()
  const pending = new Set<string>()
  // Every indexed word. A known word is first searched exactly; prefixes and misspellings, which
  // take most of the time, only if it finds little.
  const known = new Set<string>()
  let fields = new Set<string>()
  let index = createIndex(fields, known)

  function rebuild(): void {
    fields = new Set([...texts.values()].flatMap((text) => Object.keys(text.fields)))
    index = createIndex(fields, known)
    index.addAll([...texts.values()])
  }

  function update(): void {
    const changed = [...pending].flatMap((id) => texts.get(id) ?? [])
    pending.clear()
    // MiniSearch cannot add fields later.
    if (changed.some((text) => Object.keys(text.fields).some((field) => !fields.has(field)))) {
      rebuild()
      return
    }
    for (const text of changed) {
      if (index.has(text.id)) index.replace(text)
      else index.add(text)
    }
  }

  return {
    put(text) {
      texts.set(text.id, text)
      pending.add(text.id)
    },
    remove(id) {
      texts.delete(id)
      pending.delete(id)
      if (index.has(id)) index.discard(id)
    },
    search(query, boosts) {
      if (pending.size > 0) update()
      const text = query.slice(0, MAX_QUERY_CHARACTERS)
      const exact = index.search(text, {
        ...searchOptions((word) => !known.has(word)),
        boost: { ...boosts },
      })
      const found =
        exact.length < MIN_EXACT_RESULTS
          ? index.search(text, { ...searchOptions(() => true), boost: { ...boosts } })
          : exact
      return found.map(({ id, score }) => ({ id: String(id), score }))
    },
  }
}

function createIndex(fields: ReadonlySet<string>, known: Set<string>): MiniSearch<IndexedText> {
  return new MiniSearch({
    idField: ID,
    fields: [...fields],
    extractField: (text, field) =>
      field === ID ? text.id : Object.hasOwn(text.fields, field) ? text.fields[field] : undefined,
    tokenize: splitWords,
    processTerm(term) {
      const word = toSingular(term)
      known.add(word)
      return word
    },
  })
}

function searchOptions(isGuess: (word: string) => boolean): SearchOptions {
  return {
    tokenize: queryWords,
    processTerm: toSingular,
    prefix: (word) => word.length > 1 && isGuess(word),
    fuzzy: (word) => isGuess(word) && maxEdits(word),
    weights: { prefix: 0.4, fuzzy: 0.2 },
  }
}

// Two swapped letters are two edits. Numbers must match exactly.
function maxEdits(word: string): number | false {
  if (word.length < 4 || /\d/.test(word)) return false
  return word.length < 6 ? 1 : 2
}

function queryWords(query: string): string[] {
  const words = [...new Set(splitWords(query))]
  const significant = words.filter((word) => !STOP_WORDS.has(word))
  return (significant.length > 0 ? significant : words).slice(0, MAX_QUERY_WORDS)
}

// "slots" and "slot", "queries" and "query" count as the same word.
export function toSingular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1)
}
