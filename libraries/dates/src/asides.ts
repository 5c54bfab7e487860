import { findsOf, type Reading, type Span } from './reading.ts'
import type { When } from './when.ts'
import { anyOf, type Words, words as wholeWords } from './words/words.ts'

export type Aside = Span & { readonly kind: NonNullable<When['aside']> }

/**
 * The parts of a text whose dates and times are not the thing's own: from the word that says so to
 * the end of its line or sentence.
 */
export function findAsides({ folded, words }: Reading): readonly Aside[] {
  const kinds = ['sale', 'deadline', 'hours', 'publication'] as const
  const said = kinds.flatMap((kind) =>
    findsOf(folded, wholeWords(words[kind])).map((match) => ({
      kind,
      start: match.index,
      end: endOfSentence(folded, match.index + match[0].length),
    })),
  )
  return [...exceptions(folded, words), ...said, ...weekHours(folded, words)]
}

// "except 24 Dec at 8 pm", "closed Mondays": up to an hour, which is that of the other days
function exceptions(folded: string, words: Words): readonly Aside[] {
  const rest = new RegExp(
    String.raw`^[^,;()\n]{0,80}?(?=\s+(?:${words.hourLead})\s|[,;()\n]|$)`,
    'u',
  )
  return findsOf(folded, wholeWords(words.except)).map((match) => {
    const from = match.index + match[0].length
    const length = rest.exec(folded.slice(from, from + 120))?.[0].length ?? 0
    return { kind: 'exception', start: match.index, end: from + length }
  })
}

// "Mo-Fr 9-18 Uhr" are the hours of a shop, whatever stands before them
function weekHours(
  folded: string,
  { shortWeekdays, weekdays, hourSuffix }: Words,
): readonly Aside[] {
  const day = anyOf([...shortWeekdays.keys(), ...weekdays.keys()])
  const hour = String.raw`\d{1,2}(?::\d\d|\s?(?:${hourSuffix}))`
  const pattern = wholeWords(
    String.raw`(?:${day})\.?\s*-\s*(?:${day})\.?:?,?\s+(?:${hour}|\d{1,2}\s?-\s?${hour})`,
  )
  return findsOf(folded, pattern).map((match) => ({
    kind: 'hours',
    start: match.index,
    end: endOfSentence(folded, match.index),
  }))
}

function endOfSentence(folded: string, from: number): number {
  const rest = folded.slice(from)
  // a full stop behind a number may be a German date, before one an English month
  const stop = /[!?;\n|•·)]|(?<=\p{L}\p{L})\.(?:\s+(?!\d)|$)|(?<=\d\d)\.\s+(?=\p{L}{5})/u.exec(rest)
  return from + (stop?.index ?? rest.length)
}
