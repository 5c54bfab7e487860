import { KIND } from './event-words.ts'
import { ARTICLE, FUNCTION_WORD, OF, VERB } from './kind-phrases.ts'
import type { SourceText, Span } from './source-text.ts'

type Token = Span & { readonly small: string }
type Run = { readonly first: number; readonly last: number }

// "Assemblée générale ordinaire des copropriétaires de la résidence Les Glycines"
const MAX_COMPLEMENTS = 2
const MAX_WORDS = 12

/**
 * The noun phrases of a piece of a sentence: words between function words, alone and with one or two
 * complements, from their first noun on, and up to a word for a kind of event.
 */
export function findNounPhrases({ text, folded }: SourceText, piece: Span): readonly Span[] {
  const tokens = tokenize(folded, piece)
  const runs = findRuns(tokens, text)
  return runs.flatMap((run, nth): Span[] => {
    const ends = [run.last]
    for (let more = 1; more <= MAX_COMPLEMENTS; more++) {
      const [before, next] = [runs[nth + more - 1], runs[nth + more]]
      if (before === undefined || next === undefined || !isComplement(tokens, before, next)) break
      ends.push(next.last)
    }
    const kinds = kindsWithin(tokens, run)
    const noun = firstNoun(tokens, run, text)
    const starts = [...new Set([run.first, noun, ...kinds, ...caseChanges(tokens, run, text)])]
    const stops = [...new Set([...ends, ...kinds, ...kinds.map((kind) => kind + 1)])].filter(
      (stop) => stop <= run.last || ends.includes(stop),
    )
    return starts.flatMap((from) =>
      stops.flatMap((to): Span[] => {
        const [start, end] = [tokens[from]?.start, tokens[to]?.end]
        return start === undefined || end === undefined || to < from || to - from >= MAX_WORDS
          ? []
          : [{ start, end }]
      }),
    )
  })
}

function tokenize(folded: string, piece: Span): readonly Token[] {
  return [
    ...folded.slice(piece.start, piece.end).matchAll(/[ldcjs]'(?=\p{L})|[^\s,;!?()"„“”«»]+/gu),
  ].map((match): Token => {
    const start = piece.start + match.index
    const word = match[0].replace(/[.:]+$/u, '')
    return { start, end: start + word.length, small: word.replace(/(?<=\p{L}{2})'s?$/u, '') }
  })
}

function findRuns(tokens: readonly Token[], text: string): readonly Run[] {
  const runs: Run[] = []
  for (const [index, token] of tokens.entries()) {
    if (!/[\p{L}\p{N}]/u.test(token.small) || VERB.test(token.small)) continue
    // "noces d'or", "un thé": French nouns that are English function words without their accents
    const isNoun =
      /^[ld]'$/u.test(tokens[index - 1]?.small ?? '') ||
      /^thé$/iu.test(text.slice(token.start, token.end))
    if (isFunctionWord(token) && !isNoun) continue
    const run = runs.at(-1)
    const before = tokens[index - 1]
    // "Maria & Tom's Wedding"
    const isAnd = before !== undefined && /^[&+]$/.test(before.small)
    const last = run === undefined ? undefined : tokens[run.last]
    const isNext =
      last !== undefined &&
      run?.last === (isAnd ? index - 2 : index - 1) &&
      /^\s*[&+]?\s*$/u.test(text.slice(last.end, token.start))
    if (run !== undefined && isNext) runs[runs.length - 1] = { first: run.first, last: index }
    else runs.push({ first: index, last: index })
  }
  return runs
}

function isFunctionWord({ small }: Token): boolean {
  return FUNCTION_WORD.has(small.replace(/'$/u, ''))
}

/** Whether nothing but "of the" stands between two runs. */
function isComplement(tokens: readonly Token[], one: Run, other: Run): boolean {
  const between = tokens.slice(one.last + 1, other.first)
  return (
    between.length > 0 &&
    between.length <= 3 &&
    between.every(
      ({ small }) => OF.test(small) || ARTICLE.test(small) || /^[ldl]'$/u.test(small),
    ) &&
    OF.test(between[0]?.small ?? '')
  )
}

function kindsWithin(tokens: readonly Token[], { first, last }: Run): readonly number[] {
  const own: number[] = []
  for (let index = first; index <= last; index++)
    if (KIND.test(tokens[index]?.small ?? '')) own.push(index)
  return own
}

// "zum traditionellen Weihnachtsfrühstück": an adjective before a noun is inflected.
function firstNoun(tokens: readonly Token[], { first, last }: Run, text: string): number {
  for (let index = first; index <= last; index++)
    if (/^[\p{Lu}\p{N}]/u.test(text.charAt(tokens[index]?.start ?? 0))) return index
  return first
}

// "MR P ELLIOT pre-op assessment": where names end and common words begin, a phrase may begin.
function caseChanges(
  tokens: readonly Token[],
  { first, last }: Run,
  text: string,
): readonly number[] {
  const isSmall = (index: number) => /^\p{Ll}/u.test(text.slice(tokens[index]?.start ?? 0))
  const changes: number[] = []
  for (let index = first + 1; index <= last; index++)
    if (isSmall(index) && !isSmall(index - 1)) changes.push(index)
  return changes
}
