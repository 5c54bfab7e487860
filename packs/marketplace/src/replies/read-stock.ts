import { maskMatches } from './fold-reply.ts'
import type { ReplyKind } from './reply-reading.ts'
import {
  APOLOGIES,
  HEDGES,
  LATER,
  NEUTRAL,
  OFFERS,
  PAST_REFUSAL,
  QUESTIONS,
  REFUSALS,
  SMALL_TALK,
} from './stock-words.ts'

/** Whether the vendor has the thing. */
export type StockReading = {
  readonly has_stock: boolean | null
  readonly kind: ReplyKind
  /** From 0 to 1. */
  readonly confidence: number
  /** The vendor refuses and offers something else or a later time. */
  readonly instead: boolean
}

const BOUND = "(?<![a-z0-9'])"
const END = "(?![a-z0-9']|-[a-z])"
const compile = (forms: readonly string[]) =>
  new RegExp(`${BOUND}(?:${forms.map((form) => `(?:${form})`).join('|')})${END}`, 'g')

const PATTERNS = {
  neutral: compile(NEUTRAL),
  past: compile(PAST_REFUSAL),
  refusal: compile(REFUSALS),
  apology: compile(APOLOGIES),
  offer: compile(OFFERS),
  later: compile(LATER),
  hedge: compile(HEDGES),
}
const ASKS_FIRST = new RegExp(
  `(?:^|[.!,\\n] ?)(?:(?:and|et|hello|hi|ok|please|bonjour|muraho) )?(?:${QUESTIONS.join('|')})${END}`,
)
const BARE_NO = /^(?:no|non|nope|nah|oya|hoya|negative)$/
const BUT = /\b(?:but|mais|ariko|however|instead|keretse|though|except|sauf)\b/

/** Whether a folded reply offers the thing; `priced` where it names a price. */
export function readStock(text: string, priced: 'surely' | 'perhaps' | 'no'): StockReading {
  if (SMALL_TALK.test(text))
    return { has_stock: null, kind: 'other', confidence: 0.9, instead: false }
  const hedges = matches(text, PATTERNS.hedge)
  const later = matches(text, PATTERNS.later).length > 0
  const clear = maskMatches(maskMatches(text, PATTERNS.later), PATTERNS.neutral)
  const now = maskMatches(clear, PATTERNS.past)
  const refusals = matches(now, PATTERNS.refusal)
  const offers = matches(maskNegatedClauses(now), PATTERNS.offer)
  const asks = text.includes('?') || ASKS_FIRST.test(text)
  const reading = weigh(text, { refusals, offers, asks, later, priced })
  if (now !== clear && reading.has_stock === null)
    return { has_stock: false, kind: 'refusal', confidence: 0.6, instead: false }
  // "Finished, maybe tomorrow" refuses for certain: only the part behind the refusal is uncertain.
  const hedged = hedges.some((index) => reading.has_stock !== false || index < (refusals[0] ?? 0))
  return hedged && reading.has_stock !== null
    ? { ...reading, confidence: Math.min(reading.confidence, 0.5) }
    : reading
}

// "pas dispo", "we don't have it in stock": what follows a negated verb in its clause is refused too.
// A bare "no" is followed by anything, so it negates nothing but itself.
function maskNegatedClauses(text: string): string {
  let masked = text
  for (const match of text.matchAll(PATTERNS.refusal)) {
    const from = match.index + match[0].length
    const end = BARE_NO.test(match[0]) ? 0 : (/[,.;!?\n]|$/.exec(text.slice(from))?.index ?? 0)
    const clause = text.slice(from, from + end).split(BUT)[0] ?? ''
    const length = match[0].length + clause.length
    masked = masked.slice(0, match.index) + ' '.repeat(length) + masked.slice(match.index + length)
  }
  return masked
}

type Evidence = {
  readonly refusals: readonly number[]
  readonly offers: readonly number[]
  readonly asks: boolean
  readonly later: boolean
  readonly priced: 'surely' | 'perhaps' | 'no'
}

function weigh(text: string, evidence: Evidence): StockReading {
  const { refusals, offers, asks, later, priced } = evidence
  if (later && refusals.length === 0 && priced === 'no')
    return { has_stock: null, kind: 'later', confidence: 0.85, instead: false }
  if (refusals.length > 0 && offers.length > 0) return weighBoth(text, evidence)
  if (refusals.length > 0) return weighRefusal(text, evidence)
  if (offers.length > 0)
    return { has_stock: true, kind: 'offer', confidence: later ? 0.55 : 0.9, instead: false }
  if (asks && priced !== 'surely')
    return { has_stock: null, kind: 'question', confidence: 0.85, instead: false }
  if (priced !== 'no')
    return {
      has_stock: true,
      kind: 'offer',
      confidence: asks ? 0.5 : priced === 'surely' ? 0.85 : 0.7,
      instead: false,
    }
  if (matches(text, PATTERNS.apology).length > 0)
    return { has_stock: false, kind: 'refusal', confidence: 0.55, instead: false }
  return { has_stock: null, kind: 'other', confidence: 0.4, instead: false }
}

function weighRefusal(text: string, { asks, later, priced }: Evidence): StockReading {
  const instead = priced !== 'no' || BUT.test(text)
  const doubt =
    (asks ? 0.2 : 0) + (later ? 0.2 : 0) + (priced !== 'no' && !BUT.test(text) ? 0.35 : 0)
  return { has_stock: false, kind: 'refusal', confidence: 0.9 - doubt, instead }
}

// "Yes, but not today" and "No, but we have another": what is said first holds, and "but" explains
// the rest. Without "but", the two contradict each other, and a person has to look.
function weighBoth(text: string, { refusals, offers, priced }: Evidence): StockReading {
  const refusal = Math.min(...refusals)
  const offer = Math.min(...offers)
  const but = BUT.exec(text)?.index
  const between =
    but !== undefined && but > Math.min(refusal, offer) && but < Math.max(...refusals, ...offers)
  if (refusal < offer)
    return {
      has_stock: false,
      kind: 'refusal',
      confidence: between ? 0.75 : 0.55,
      instead: between || priced !== 'no',
    }
  return { has_stock: true, kind: 'offer', confidence: between ? 0.7 : 0.55, instead: false }
}

function matches(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(({ index }) => index)
}
