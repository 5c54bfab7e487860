import type { Request } from './read-request.ts'
import { isFiller } from './read-intent.ts'

/** How well the best of a tool's phrases matches a request; every share is from 0 to 1. */
export type PhraseMatch = {
  /** How much of the phrase the request says. */
  readonly said: number
  /** How much of the request the phrase says. */
  readonly says: number
  /** Both together: 1 where they say the same. */
  readonly both: number
  /** How much of the request is said by the phrase that matches it second best. */
  readonly second: number
  /** How many neighbouring words of the request stand in the phrase together. */
  readonly pairs: number
}

/** What a word counts that only stands for one of the request. */
const SYNONYM = 0.7
/** "who", "my" and "no" tell requests apart, but little. */
const FILLER = 0.5

/** Compares a request with the phrases of tools. */
export function createPhraseMatcher(
  { concepts, stems }: Request,
  rarityOf: (word: string) => number,
): (phrases: readonly (readonly string[])[]) => PhraseMatch {
  const weights = new Map<string, number>()
  const weigh = (word: string): number => {
    const known = weights.get(word)
    if (known !== undefined) return known
    const weight = isFiller(word) ? FILLER : rarityOf(word)
    weights.set(word, weight)
    return weight
  }
  const synonyms = new Set(
    concepts.flatMap(({ forms }) =>
      forms.flatMap(({ words }) => (words.length === 1 ? words : [])),
    ),
  )
  let whole = 0
  for (const stem of stems) whole += weigh(stem)
  const order = [...stems].filter((stem) => !isFiller(stem))
  return (phrases) => {
    let best: Omit<PhraseMatch, 'second' | 'pairs'> = { said: 0, says: 0, both: 0 }
    let second = 0
    let pairs = 0
    for (const phrase of phrases) {
      let length = 0
      let hit = 0
      let literal = 0
      for (const word of phrase) {
        const weight = weigh(word)
        length += weight
        if (stems.has(word)) {
          hit += weight
          literal += weight
        } else if (synonyms.has(word)) hit += SYNONYM * weight
      }
      if (hit === 0) continue
      const said = hit / Math.max(length, 1e-9)
      const says = Math.min(1, literal / Math.max(whole, 1e-9))
      const both = said + says === 0 ? 0 : (2 * said * says) / (said + says)
      if (literal > 0 && order.length > 1) {
        let together = 0
        for (let at = 1; at < order.length; at++)
          if (phrase.includes(order[at - 1] ?? '') && phrase.includes(order[at] ?? '')) together++
        pairs = Math.max(pairs, together / Math.max(1, order.length - 1))
      }
      if (both > best.both) {
        second = best.both
        best = { said, says, both }
      } else second = Math.max(second, both)
    }
    return { ...best, second, pairs }
  }
}
