import { withoutZones } from './find-zone.ts'
import type { Reading } from './reading.ts'
import type { When } from './when.ts'

/** How much speaks for a text being in this language: its everyday words, its days and months, and what was understood of it. */
export function likelihood({ text, folded, words }: Reading, found: readonly When[]): number {
  const common = new Set(words.common)
  let score = 0
  for (const token of withoutZones({ text, folded }).split(/[^\p{L}']+/u)) {
    if (common.has(token)) score += 3
    if (words.weekdays.has(token)) score += 6
    // short ones are the same in several languages
    if (words.months.has(token)) score += token.length > 3 ? 6 : 3
    if (words.shortWeekdays.has(token)) score += 2
  }
  // not how sure: who reads 3/12 without a doubt is not the better judge of whose it is
  return (
    score +
    Math.max(
      0,
      ...found.map(
        ({ time, aside }) => (aside === undefined ? 2 : 0) + (time === undefined ? 0 : 2),
      ),
    )
  )
}
