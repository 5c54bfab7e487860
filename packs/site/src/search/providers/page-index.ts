import { splitWords } from '@surehand/discovery'

/** How often a word of a page counts, by where it stands. */
const TITLE_WEIGHT = 3
const MOST_WEIGHT = 255
const MOST_WORDS = 24
const PREFIX_SCORE = 0.4
const MOST_PREFIXED = 20
const FUZZY_SCORE = 0.2
const MOST_FUZZY = 10
// The usual constants of BM25.
const SATURATION = 1.2
const LENGTH_INFLUENCE = 0.7
const FEW_DEAD = 1_000

/** The pages of one word: the number of the page in the upper 24 bits, its weight in the lower 8. */
type Postings = { entries: Uint32Array; count: number }

const NONE: Postings = { entries: new Uint32Array(0), count: 0 }

export type Match = {
  readonly slot: number
  /** How much of what was asked for is in the page: 1 for a page made of the query alone. */
  readonly score: number
}

/**
 * An inverted index over title and text of pages, which are numbered by slots. Of 10,000 pages a
 * search takes about a millisecond of CPU; MiniSearch, which collects an object for each page and
 * word, took 60.
 */
export class PageIndex {
  private readonly terms = new Map<string, Postings>()
  /** How long each page is; 0 where it was removed. */
  private readonly lengths: number[] = []
  private totalLength = 0
  private live = 0
  private sorted: readonly string[] | undefined
  // Used by every search, and empty in between.
  private scores = new Float32Array(0)
  private matched = new Uint32Array(0)

  /** Indexes a page and returns its slot. A page that changes is removed and put again. */
  put({ title, body }: { readonly title: string; readonly body: string }): number {
    const slot = this.lengths.length
    const counts = new Map<string, number>()
    for (const word of indexedWords(title)) counts.set(word, (counts.get(word) ?? 0) + TITLE_WEIGHT)
    for (const word of indexedWords(body)) counts.set(word, (counts.get(word) ?? 0) + 1)
    let length = 1
    for (const [term, weight] of counts) {
      this.add(term, slot, weight)
      length += weight
    }
    this.lengths.push(length)
    this.totalLength += length
    this.live++
    return slot
  }

  remove(slot: number): void {
    this.totalLength -= this.lengths[slot] ?? 0
    this.lengths[slot] = 0
    this.live--
  }

  /** Whether so many pages were removed that a new index is smaller. */
  isWorn(): boolean {
    return this.lengths.length - this.live > Math.max(FEW_DEAD, this.live)
  }

  /** Pages with all words of the query; if there is none and they need not be whole, with some. */
  search(text: string, wanted: 'whole' | 'some' = 'some'): readonly Match[] {
    this.grow()
    const { terms, scores, matched } = this
    const words = queryWords(text).filter((word) => !/[._:/-]/.test(word) || terms.has(word))
    const { touched, ideal } = this.collect(words)
    const all = 2 ** words.length - 1
    const whole = touched.filter((slot) => matched[slot] === all)
    const kept = whole.length > 0 || wanted === 'whole' ? whole : touched
    const found = kept.map((slot) => ({ slot, score: (scores[slot] ?? 0) / ideal }))
    for (const slot of touched) {
      scores[slot] = 0
      matched[slot] = 0
    }
    return found
  }

  private add(term: string, slot: number, weight: number): void {
    const known = this.terms.get(term)
    const postings = known ?? { entries: new Uint32Array(2), count: 0 }
    if (known === undefined) {
      this.terms.set(term, postings)
      this.sorted = undefined
    }
    if (postings.count === postings.entries.length) {
      const larger = new Uint32Array(postings.count * 2)
      larger.set(postings.entries)
      postings.entries = larger
    }
    postings.entries[postings.count++] = (slot << 8) | Math.min(MOST_WEIGHT, weight)
  }

  private grow(): void {
    if (this.scores.length >= this.lengths.length) return
    this.scores = new Float32Array(this.lengths.length * 2)
    this.matched = new Uint32Array(this.lengths.length * 2)
  }

  /** Adds up the scores of pages; `ideal` is what a page made of the query alone would have. */
  private collect(words: readonly string[]): { touched: number[]; ideal: number } {
    const touched: number[] = []
    let ideal = 0
    for (const [number, word] of words.entries()) {
      ideal += this.rarityOf(this.terms.get(word)?.count ?? 0) * (SATURATION + 1)
      for (const [term, share] of this.expand(word)) this.addTerm(term, { number, share }, touched)
    }
    return { touched, ideal }
  }

  private addTerm(
    term: string,
    { number, share }: { readonly number: number; readonly share: number },
    touched: number[],
  ): void {
    const { scores, matched, lengths } = this
    const { entries, count } = this.terms.get(term) ?? NONE
    const rarity = share * this.rarityOf(count) * (SATURATION + 1)
    const average = this.totalLength / Math.max(1, this.live)
    for (let at = 0; at < count; at++) {
      const entry = entries[at] ?? 0
      const slot = entry >>> 8
      const length = lengths[slot] ?? 0
      if (length === 0) continue
      const times = entry & 255
      const norm = SATURATION * (1 - LENGTH_INFLUENCE + (LENGTH_INFLUENCE * length) / average)
      if (matched[slot] === 0) touched.push(slot)
      matched[slot] = (matched[slot] ?? 0) | (1 << number)
      scores[slot] = (scores[slot] ?? 0) + (rarity * times) / (times + norm)
    }
  }

  private rarityOf(count: number): number {
    return Math.log(1 + (this.live + 0.5) / (count + 0.5))
  }

  /** The words that a word of the query stands for: itself, longer ones, or similar ones. */
  private expand(word: string): readonly (readonly [term: string, share: number])[] {
    const found: (readonly [string, number])[] = this.terms.has(word) ? [[word, 1]] : []
    if (word.length < 4 || /\d/.test(word)) return found
    this.sorted ??= [...this.terms.keys()].sort()
    for (const term of startingWith(this.sorted, word)) {
      if (term !== word) found.push([term, PREFIX_SCORE])
      if (found.length === MOST_PREFIXED) break
    }
    if (found.length > 0 || word.length < 5) return found
    const most = word.length < 8 ? 1 : 2
    // Only words with the same first letter: comparing with all of them takes too long.
    for (const term of startingWith(this.sorted, word.slice(0, 1))) {
      if (isWithinEdits(word, term, most)) found.push([term, FUZZY_SCORE])
      if (found.length === MOST_FUZZY) break
    }
    return found
  }
}

const STOP_WORDS = new Set(
  'a an and any are can do for have i in is it me my of on or please show some the to want what with you your find der die das den ein eine einen fur ich im ist mir mit oder und zu zeig bitte'.split(
    ' ',
  ),
)

/** The words that a query is searched by: without filler, unless it is nothing else. */
export function queryWords(text: string): readonly string[] {
  const words = [...new Set(splitWords(text))]
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  return [...new Set((telling.length > 0 ? telling : words).map(toSingular))].slice(0, MOST_WORDS)
}

function indexedWords(text: string): readonly string[] {
  return splitWords(text).map(toSingular)
}

/** A word without the plural of English and German: "roses", "Rosen" and "rose" are one. */
function toSingular(word: string): string {
  if (word.length < 4) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2)
  if (/[^su]s$/.test(word) || /[^e]en$/.test(word)) return word.slice(0, -1)
  return word
}

/** The words of a sorted list that begin with a text. */
function* startingWith(words: readonly string[], start: string): Generator<string> {
  let [from, to] = [0, words.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((words[middle] ?? '') < start) from = middle + 1
    else to = middle
  }
  for (let at = from; words[at]?.startsWith(start) === true; at++) yield words[at] as string
}

/** Whether one word becomes the other by at most so many letters added, left out or replaced. */
function isWithinEdits(left: string, right: string, most: number): boolean {
  if (Math.abs(left.length - right.length) > most) return false
  let before = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++)
      current.push(
        Math.min(
          (before[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (before[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1),
        ),
      )
    if (Math.min(...current) > most) return false
    before = current
  }
  return (before[right.length] ?? 0) <= most
}
