import type { IndexedText, TextIndex } from '@surehand/core/ports'
import MiniSearch, { type SearchOptions } from 'minisearch'
import { wordsOf } from './words.ts'

// a field may be called "id" too
const ID = '\u0000id'
const MAX_QUERY_CHARACTERS = 1_000
const MAX_QUERY_WORDS = 24
const ENOUGH = 20
const STOP_WORDS = new Set(
  'a an and are as at be by can for from i in into is it my of on or that the this to want we what which with you your'.split(
    ' ',
  ),
)

/** A text index in memory; texts are indexed when somebody searches. */
export function miniSearchIndex(): TextIndex {
  const texts = new Map<string, IndexedText>()
  const pending = new Set<string>()
  // every word ever indexed: where it finds enough, nobody needs to guess what else it may begin or misspell; guessing takes the time
  const known = new Set<string>()
  let fields = new Set<string>()
  let index = emptyIndex(fields, known)

  function rebuild(): void {
    fields = new Set([...texts.values()].flatMap((text) => Object.keys(text.fields)))
    index = emptyIndex(fields, known)
    index.addAll([...texts.values()])
  }

  function update(): void {
    const changed = [...pending].flatMap((id) => texts.get(id) ?? [])
    pending.clear()
    // MiniSearch fixes its fields when it is made
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
        ...searching((word) => !known.has(word)),
        boost: { ...boosts },
      })
      const found =
        exact.length < ENOUGH
          ? index.search(text, { ...searching(() => true), boost: { ...boosts } })
          : exact
      return found.map(({ id, score }) => ({ id: String(id), score }))
    },
  }
}

function emptyIndex(fields: ReadonlySet<string>, known: Set<string>): MiniSearch<IndexedText> {
  return new MiniSearch({
    idField: ID,
    fields: [...fields],
    extractField: (text, field) =>
      field === ID ? text.id : Object.hasOwn(text.fields, field) ? text.fields[field] : undefined,
    tokenize: wordsOf,
    processTerm(term) {
      const word = singular(term)
      known.add(word)
      return word
    },
  })
}

function searching(isGuess: (word: string) => boolean): SearchOptions {
  return {
    tokenize: queryWords,
    processTerm: singular,
    prefix: (word) => word.length > 1 && isGuess(word),
    fuzzy: (word) => isGuess(word) && edits(word),
    weights: { prefix: 0.4, fuzzy: 0.2 },
  }
}

// two letters that changed places are two edits; numbers are not guessed
function edits(word: string): number | false {
  if (word.length < 4 || /\d/.test(word)) return false
  return word.length < 6 ? 1 : 2
}

function queryWords(query: string): string[] {
  const words = [...new Set(wordsOf(query))]
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  return (telling.length > 0 ? telling : words).slice(0, MAX_QUERY_WORDS)
}

// slots and slot, queries and query are one word
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1)
}
