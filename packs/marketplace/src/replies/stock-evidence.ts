import { maskMatches } from './fold-reply.ts'
import { rememberLast } from './remember-last.ts'
import {
  ALTERNATIVES,
  APOLOGIES,
  ARRIVALS,
  ASKED,
  AWAY,
  BARE_YES,
  HEDGES,
  LATER,
  NEUTRAL,
  OFFERS,
  OPEN_NEGATION,
  PAST_REFUSAL,
  PAYMENTS,
  QUESTIONS,
  REFUSALS,
  RESTRICTED,
  TALK,
  WANTS,
  WEAK_OFFERS,
} from './stock-words.ts'

const BOUND = "(?<![a-z0-9'])"
const END = "(?![a-z0-9']|-[a-z])"
const compile = (forms: readonly string[]) =>
  new RegExp(`${BOUND}(?:${forms.map((form) => `(?:${form})`).join('|')})${END}`, 'g')

export const PATTERNS = {
  neutral: compile(NEUTRAL),
  past: compile(PAST_REFUSAL),
  refusal: compile(REFUSALS),
  apology: compile(APOLOGIES),
  offer: compile(OFFERS),
  later: compile(LATER),
  hedge: compile(HEDGES),
  away: compile(AWAY),
  wants: compile(WANTS),
  arrival: compile(ARRIVALS),
  restricted: compile(RESTRICTED),
  alternative: compile(ALTERNATIVES),
  payment: compile(PAYMENTS),
  asked: compile(ASKED),
  talk: compile(TALK),
}
const QUESTION_WORDS = `(?:(?:and|et|hello|hi|ok|please|bonjour|muraho|habari) )?(?:${QUESTIONS.join('|')})${END}`
const ASKS_FIRST = new RegExp(`(?:^|[.!,\\n] ?)${QUESTION_WORDS}`)
const ASKING_CLAUSE = new RegExp(`(?:^|[.!?,;\\n] ?)${QUESTION_WORDS}[^.!?;\\n]*\\?`, 'g')
const BARE_NO = /^(?:no|non|nope|nah|oya|hoya|negative|hapana)$/
const AUXILIARY = /(?:\b(?:we|i) have|\b(?:we've|i've|have|has))(?: (?:just|already|all|now))? $/
export const BUT =
  /\b(?:but|mais|ariko|lakini|however|instead|keretse|uretse|isipokuwa|though|except|sauf|par contre)\b/

/** How surely the reply names a price, and where it stands. */
export type PriceEvidence = {
  readonly priced: 'surely' | 'perhaps' | 'no'
  readonly pricedAt: number
}

export type Evidence = PriceEvidence & {
  readonly refusals: readonly number[]
  /** Every negation is of something that may be another thing than having it. */
  readonly isOpen: boolean
  /** As `isOpen`, or a bare "no": behind a price it denies an extra, not the thing. */
  readonly isAside: boolean
  readonly offers: readonly number[]
  readonly asks: boolean
  readonly later: boolean
  /** No offer says more than "yes", which may answer the greeting. */
  readonly isYes: boolean
  /** No offer says more than "come" or "left". */
  readonly isWeak: boolean
}

/** The words of a folded reply that offer, refuse, ask or put off. */
export function collectEvidence(text: string, price: PriceEvidence): Evidence {
  return { ...findWords(text), ...price }
}

const findWords = rememberLast((text: string): Omit<Evidence, keyof PriceEvidence> => {
  const aside = [PATTERNS.later, PATTERNS.away, PATTERNS.wants, PATTERNS.payment, PATTERNS.neutral]
  // "Does it charge slowly or not at all?": what a question denies is what it asks.
  const asking = maskMatches(text, ASKING_CLAUSE)
  const said = /^(?:[^.,!;?\n]*\?)+$/.test(text.trim()) && ASKS_FIRST.test(text) ? '' : asking
  const clear = [...aside, PATTERNS.past].reduce(maskMatches, said)
  const positive = maskNegatedClauses(clear)
  const offers = [...positive.matchAll(PATTERNS.offer)]
  const refusals = [...clear.matchAll(PATTERNS.refusal)]
  return {
    refusals: refusals.map(({ index }) => index),
    isOpen:
      countWords(text) > 2 &&
      !has(text, PATTERNS.apology) &&
      refusals.every(([words]) => OPEN_NEGATION.test(words)),
    isAside: refusals.every(([words]) => BARE_NO.test(words) || OPEN_NEGATION.test(words)),
    offers: offers.map(({ index }) => index),
    isYes: offers.every(([words]) => BARE_YES.test(words)),
    isWeak: offers.every(([words]) => WEAK_OFFERS.test(words)),
    asks: text.includes('?') || ASKS_FIRST.test(text) || has(text, PATTERNS.asked),
    later: has(text, PATTERNS.later),
  }
})

// "pas dispo", "we don't have it in stock": what follows a negated verb in its clause is refused too.
// A bare "no" is followed by anything, so it negates nothing but itself.
function maskNegatedClauses(text: string): string {
  let masked = text
  for (const match of text.matchAll(PATTERNS.refusal)) {
    const from = match.index + match[0].length
    const end = BARE_NO.test(match[0]) ? 0 : (/[,.;!?\n]|$/.exec(text.slice(from))?.index ?? 0)
    const clause = text.slice(from, from + end).split(BUT)[0] ?? ''
    // "we've sold": the auxiliary belongs to the refusal and offers nothing.
    const lead = AUXILIARY.exec(text.slice(0, match.index))?.[0].length ?? 0
    const start = match.index - lead
    const length = lead + match[0].length + clause.length
    masked = masked.slice(0, start) + ' '.repeat(length) + masked.slice(start + length)
  }
  return masked
}

export function findAll(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(({ index }) => index)
}

export function has(text: string, pattern: RegExp): boolean {
  return text.search(pattern) !== -1
}

export function countWords(text: string): number {
  return text.split(/\s+/).length
}
