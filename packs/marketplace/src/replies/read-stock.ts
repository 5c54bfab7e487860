import { maskMatches } from './fold-reply.ts'
import type { ReplyKind } from './reply-reading.ts'
import {
  ALTERNATIVES,
  APOLOGIES,
  ARRIVALS,
  ASKED,
  AWAY,
  HEDGES,
  LATER,
  NEUTRAL,
  OFFERS,
  PAST_REFUSAL,
  PAYMENTS,
  QUESTIONS,
  REFUSALS,
  RESTRICTED,
  SMALL_TALK,
  WANTS,
  WEAK_OFFERS,
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
  away: compile(AWAY),
  wants: compile(WANTS),
  arrival: compile(ARRIVALS),
  restricted: compile(RESTRICTED),
  alternative: compile(ALTERNATIVES),
  payment: compile(PAYMENTS),
  asked: compile(ASKED),
}
const ASKS_FIRST = new RegExp(
  `(?:^|[.!,\\n] ?)(?:(?:and|et|hello|hi|ok|please|bonjour|muraho) )?(?:${QUESTIONS.join('|')})${END}`,
)
const ASKS_WHO = /^(?:but |mais |ariko )?(?:who|why|qui|pourquoi|nde|ninde|kuki)(?![a-z])(?! not)/
const BARE_NO = /^(?:no|non|nope|nah|oya|hoya|negative)$/
const AUXILIARY = /(?:\b(?:we|i) have|\b(?:we've|i've|have|has))(?: (?:just|already|all|now))? $/
const BUT = /\b(?:but|mais|ariko|however|instead|keretse|though|except|sauf)\b/

/** Whether a folded reply offers the thing; `priced` where it names a price. */
export function readStock(text: string, priced: Priced): StockReading {
  if (SMALL_TALK.test(text)) return unsaid('other', 0.9)
  if (ASKS_WHO.test(text)) return unsaid('question', 0.8)
  const evidence = collectEvidence(text, priced)
  const { refusals, offers } = evidence
  const reading = weigh(text, evidence)
  if (has(text, PATTERNS.past) && reading.has_stock === null)
    return { has_stock: false, kind: 'refusal', confidence: 0.6, instead: false }
  if (reading.has_stock === null) return reading
  // "Finished, maybe tomorrow" refuses for certain: only the part behind the refusal is uncertain.
  const isHedged = findAll(text, PATTERNS.hedge).some(
    (index) => reading.has_stock === true || index < (refusals[0] ?? 0),
  )
  // Whether a variant or another brand is what was asked for, the reply alone does not say.
  const isVariant =
    reading.has_stock && (has(text, PATTERNS.restricted) || has(text, PATTERNS.alternative))
  const isWeak =
    reading.has_stock &&
    offers.length > 0 &&
    priced === 'no' &&
    evidence.isWeak &&
    countWords(text) > 5
  const most = isHedged ? 0.5 : isVariant || isWeak ? 0.55 : 1
  return { ...reading, confidence: Math.min(reading.confidence, most) }
}

type Priced = 'surely' | 'perhaps' | 'no'

function unsaid(kind: ReplyKind, confidence: number): StockReading {
  return { has_stock: null, kind, confidence, instead: false }
}

function collectEvidence(text: string, priced: Priced): Evidence {
  const aside = [PATTERNS.later, PATTERNS.away, PATTERNS.wants, PATTERNS.payment, PATTERNS.neutral]
  const clear = [...aside, PATTERNS.past].reduce(maskMatches, text)
  const positive = maskNegatedClauses(clear)
  const offers = [...positive.matchAll(PATTERNS.offer)]
  return {
    refusals: findAll(clear, PATTERNS.refusal),
    offers: offers.map(({ index }) => index),
    isWeak: offers.every(([words]) => WEAK_OFFERS.test(words)),
    asks: text.includes('?') || ASKS_FIRST.test(text) || has(text, PATTERNS.asked),
    later: has(text, PATTERNS.later),
    priced,
  }
}

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

type Evidence = {
  readonly refusals: readonly number[]
  readonly offers: readonly number[]
  readonly asks: boolean
  readonly later: boolean
  /** No offer says more than "come" or "left". */
  readonly isWeak: boolean
  readonly priced: Priced
}

function weigh(text: string, evidence: Evidence): StockReading {
  const { refusals, offers, asks, later, priced } = evidence
  if (later && refusals.length === 0 && priced === 'no') return unsaid('later', 0.85)
  const isSilent = refusals.length === 0 && offers.length === 0
  if (isSilent && has(text, PATTERNS.payment)) return unsaid('other', 0.5)
  if (isSilent && has(text, PATTERNS.away)) return unsaid('other', priced === 'no' ? 0.75 : 0.5)
  if (isSilent && has(text, PATTERNS.wants)) return unsaid('question', 0.8)
  if (offers.length === 0 && has(text, PATTERNS.arrival) && !asks)
    return {
      has_stock: false,
      kind: 'refusal',
      confidence: priced === 'no' ? 0.75 : 0.55,
      instead: true,
    }
  if (refusals.length > 0 && offers.length > 0) return weighBoth(text, evidence)
  if (refusals.length > 0) return weighRefusal(text, evidence)
  if (offers.length > 0)
    return { has_stock: true, kind: 'offer', confidence: later ? 0.55 : 0.9, instead: false }
  if (asks && priced !== 'surely') return unsaid('question', 0.85)
  if (priced !== 'no')
    return {
      has_stock: true,
      kind: 'offer',
      confidence: asks ? 0.5 : priced === 'surely' ? 0.85 : 0.7,
      instead: false,
    }
  if (has(text, PATTERNS.apology)) {
    const confidence = countWords(text) <= 3 ? 0.65 : 0.5
    return { has_stock: false, kind: 'refusal', confidence, instead: false }
  }
  const isOnlyHedge = has(text, PATTERNS.hedge) && countWords(text) <= 3 && !/\d/.test(text)
  return isOnlyHedge ? unsaid('later', 0.65) : unsaid('other', 0.4)
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

function findAll(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(({ index }) => index)
}

function has(text: string, pattern: RegExp): boolean {
  return findAll(text, pattern).length > 0
}

function countWords(text: string): number {
  return text.split(/\s+/).length
}
