import { maskMatches } from './fold-reply.ts'
import type { ReplyKind } from './reply-reading.ts'
import {
  ALTERNATIVES,
  APOLOGIES,
  ARRIVALS,
  ASKED,
  AWAY,
  BARE_NO_OF,
  BARE_YES,
  FUTURE,
  GREETING,
  HEDGES,
  LATER,
  MOVEMENT,
  NAMES_DAY,
  NEGATED_VERB,
  NEUTRAL,
  OFFERS,
  OPEN_NEGATION,
  PAST,
  PAST_REFUSAL,
  PAYMENTS,
  PERFECT,
  QUESTIONS,
  REFUSALS,
  RESTRICTED,
  SMALL_TALK,
  TALK,
  WANTS,
  WEAK_OFFERS,
  WITHHELD,
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
  talk: compile(TALK),
}
const ASKS_FIRST = new RegExp(
  `(?:^|[.!,\\n] ?)(?:(?:and|et|hello|hi|ok|please|bonjour|muraho) )?(?:${QUESTIONS.join('|')})${END}`,
)
const ASKS_WHO = /^(?:but |mais |ariko )?(?:who|why|qui|pourquoi|nde|ninde|kuki)(?![a-z])(?! not)/
const BARE_NO = /^(?:no|non|nope|nah|oya|hoya|negative)$/
const IF = /\b(?:if|whether|si|niba|ko)\b/
const AUXILIARY = /(?:\b(?:we|i) have|\b(?:we've|i've|have|has))(?: (?:just|already|all|now))? $/
const BUT = /\b(?:but|mais|ariko|however|instead|keretse|though|except|sauf)\b/

/** Whether a folded reply offers the thing, given what it says of a price. */
export function readStock(text: string, { priced, pricedAt }: PriceEvidence): StockReading {
  if (
    SMALL_TALK.test(text.replace(/[^\p{L}\p{N}\p{P}\s]+/gu, ' ').trim()) ||
    !/[\p{L}\p{N}?]/u.test(text)
  )
    return unsaid('other', 0.9)
  if (ASKS_WHO.test(text)) return unsaid('question', 0.8)
  const evidence = collectEvidence(text, { priced, pricedAt })
  const reading = weigh(text, evidence)
  if (has(text, PATTERNS.past) && reading.has_stock === null)
    return { has_stock: false, kind: 'refusal', confidence: 0.6, instead: false }
  if (reading.has_stock === null) return reading
  const most = isHedged(text, reading, evidence)
    ? 0.5
    : isDoubtful(text, reading, evidence)
      ? 0.55
      : 1
  return { ...reading, confidence: Math.min(reading.confidence, most) }
}

// "Finished, maybe tomorrow" refuses for certain: only the part behind the refusal is uncertain.
function isHedged(text: string, reading: StockReading, { refusals }: Evidence): boolean {
  return findAll(text, PATTERNS.hedge).some(
    (index) => reading.has_stock === true || index < (refusals[0] ?? 0),
  )
}

// What makes a clear reading doubtful: something in the reply that it does not account for.
function isDoubtful(text: string, reading: StockReading, evidence: Evidence): boolean {
  const { refusals, offers, priced, isWeak, isAside } = evidence
  const found = reading.has_stock ? offers : refusals
  if (found.length > 0 && found.every((index) => isInQuestion(text, index))) return true
  if (!reading.has_stock) return isAside && BARE_NO_OF.test(text)
  // Whether a variant or another brand is what was asked for, the reply alone does not say.
  if (has(text, PATTERNS.restricted) || has(text, PATTERNS.alternative)) return true
  if (refusals.length === 0 && NEGATED_VERB.test(maskMatches(text, PATTERNS.neutral))) return true
  if (priced !== 'no') return false
  return (
    (offers.length > 0 && isWeak && countWords(text) > 3) || PAST.test(text) || PERFECT.test(text)
  )
}

function isInQuestion(text: string, index: number): boolean {
  return /^[^.,!;\n]*\?/.test(text.slice(index))
}

/** How surely the reply names a price, and where it stands. */
export type PriceEvidence = {
  readonly priced: 'surely' | 'perhaps' | 'no'
  readonly pricedAt: number
}

function unsaid(kind: ReplyKind, confidence: number): StockReading {
  return { has_stock: null, kind, confidence, instead: false }
}

function collectEvidence(text: string, price: PriceEvidence): Evidence {
  const aside = [PATTERNS.later, PATTERNS.away, PATTERNS.wants, PATTERNS.payment, PATTERNS.neutral]
  const clear = [...aside, PATTERNS.past].reduce(maskMatches, text)
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
    ...price,
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

type Evidence = PriceEvidence & {
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

function weigh(text: string, evidence: Evidence): StockReading {
  const { refusals, offers, asks, later, priced, isYes } = evidence
  if (later && refusals.length === 0 && priced === 'no')
    // "We have it, let me check the price": the offer stands. "Let me check if we have it": it does not.
    return offers.length === 0 || IF.test(text) ? unsaid('later', 0.85) : doubtfulOffer()
  const isSilent = refusals.length === 0 && offers.length === 0
  if (isSilent && has(text, PATTERNS.payment)) return unsaid('other', 0.5)
  if (isSilent && has(text, PATTERNS.away)) return unsaid('other', priced === 'no' ? 0.75 : 0.5)
  if (isSilent && has(text, PATTERNS.wants) && priced !== 'surely')
    return unsaid('question', priced === 'no' ? 0.8 : 0.5)
  if (offers.length === 0 && has(text, PATTERNS.arrival) && !asks)
    return {
      has_stock: false,
      kind: 'refusal',
      confidence: priced === 'no' && !isMovement(text) ? 0.75 : 0.55,
      instead: true,
    }
  if (refusals.length > 0 && offers.length > 0) return weighBoth(text, evidence)
  if (refusals.length > 0) return weighRefusal(text, evidence)
  // "Which one? There are many types": what there is may be said of anything.
  if (asks && evidence.isWeak && offers.length > 0 && priced === 'no' && text.includes('?'))
    return unsaid('question', 0.55)
  if (offers.length > 0 && isYes && priced === 'no' && isGreeting(text))
    return unsaid('question', 0.65)
  if (offers.length > 0)
    return {
      has_stock: true,
      kind: 'offer',
      confidence: later || (priced === 'no' && FUTURE.test(text)) ? 0.55 : 0.9,
      instead: false,
    }
  if (asks && priced !== 'surely') return unsaid('question', priced === 'no' ? 0.85 : 0.5)
  if (priced !== 'no')
    return {
      has_stock: true,
      kind: 'offer',
      confidence: asks && isAsked(text, evidence) ? 0.5 : priced === 'surely' ? 0.85 : 0.7,
      instead: false,
    }
  if (has(text, PATTERNS.apology)) {
    const confidence = countWords(text) <= 3 ? 0.65 : 0.5
    return { has_stock: false, kind: 'refusal', confidence, instead: false }
  }
  if (has(text, PATTERNS.talk)) return unsaid('other', 0.65)
  // "New or used", "tablets ou sirop": a choice that the client has to make.
  if (!/\d/.test(text) && / (?:or|ou|cyangwa) /.test(text)) return unsaid('question', 0.65)
  // A verb that no list names, with one of Kinyarwanda's negative prefixes.
  if (NEGATED_VERB.test(maskMatches(text, PATTERNS.neutral)))
    return { has_stock: false, kind: 'refusal', confidence: 0.5, instead: false }
  const isOnlyHedge = has(text, PATTERNS.hedge) && countWords(text) <= 3 && !/\d/.test(text)
  return isOnlyHedge ? unsaid('later', 0.65) : unsaid('other', 0.4)
}

// "Arrives", "coming", "en route": a person may do so as well, unless the reply names a day.
function isMovement(text: string): boolean {
  const found = [...text.matchAll(PATTERNS.arrival)]
  return !NAMES_DAY.test(text) && found.every(([words]) => MOVEMENT.test(words))
}

// "Yes?", "yes, who is this", "yego mbwira": said to the greeting, not to the question.
function isGreeting(text: string): boolean {
  return GREETING.test(text) && countWords(text) <= 8
}

// "You need 2? Each one is 5000": the question is another sentence than the price.
function isAsked(text: string, { pricedAt }: Evidence): boolean {
  // "4200 ok?" asks whether the price suits.
  if (
    /\d\S* ?,? ?(?:is (?:it|that) )?(?:ok(?:ay)?|ca (?:vous )?va|sawa|fine|ok for you) ?\?|\b(?:what|how) about \d/.test(
      text,
    )
  )
    return false
  const end = /[?!;\n]|\. |, /.exec(text.slice(pricedAt))
  const start = text.slice(0, pricedAt).split('?').at(-1) ?? ''
  return end?.[0] === '?' || (!text.includes('?') && start.length === pricedAt)
}

function weighRefusal(text: string, evidence: Evidence): StockReading {
  const { refusals, asks, later, priced, pricedAt, isOpen, isAside } = evidence
  const isPricedFirst = priced === 'surely' && pricedAt < Math.min(...refusals)
  // "18000 with box, no charger", "you will not regret it, 5000": the price stands, and what is denied
  // is probably something else.
  if (isPricedFirst && isAside) return asideOffer()
  if (isOpen && priced !== 'no') return doubtfulOffer()
  const instead = priced !== 'no' || BUT.test(text)
  // "Battery finished, charger 4500": the price behind a refusal is that of something else.
  const isPricedInstead =
    !isAside && !isPricedFirst && /[,.;\n]/.test(text.slice(refusals[0], pricedAt))
  const contradicted = priced === 'no' || BUT.test(text) ? 0 : isPricedInstead ? 0.25 : 0.35
  const doubt = (asks ? 0.2 : 0) + (later ? 0.35 : 0) + contradicted + (isOpen ? 0.35 : 0)
  return { has_stock: false, kind: 'refusal', confidence: 0.9 - doubt, instead }
}

// "Yes, but not today" and "No, but we have another": what is said first holds, and "but" explains
// the rest. Without "but", the two contradict each other, and a person has to look.
function weighBoth(text: string, evidence: Evidence): StockReading {
  const { refusals, offers, priced, pricedAt, isOpen, isAside, isWeak } = evidence
  const refusal = Math.min(...refusals)
  const offer = Math.min(...offers)
  const but = BUT.exec(text)?.index
  const between =
    but !== undefined && but > Math.min(refusal, offer) && but < Math.max(...refusals, ...offers)
  // "On n'a que le sirop, pas les gelules": what there is only is not what is denied.
  if (has(text, PATTERNS.restricted) && !isSaidFirst(text, evidence))
    return { has_stock: false, kind: 'refusal', confidence: 0.55, instead: true }
  if (priced === 'surely' && pricedAt < refusal && isAside) return asideOffer()
  if (between && offer < refusal && WITHHELD.test(text))
    return { has_stock: false, kind: 'refusal', confidence: 0.65, instead: false }
  // "Not that one but we have another": what follows "but" is offered instead.
  if (isOpen && !isWeak && refusal < offer && between)
    return { has_stock: false, kind: 'refusal', confidence: 0.55, instead: true }
  if (isOpen && !isWeak && refusal < offer) return doubtfulOffer()
  // "Pills finished, syrup is here 4000": the price belongs to what stands in the next clause.
  const isOther =
    priced === 'surely' &&
    !isAside &&
    /[,.;\n]/.test(text.slice(refusal, Math.max(offer, pricedAt)))
  if (refusal < offer)
    return {
      has_stock: false,
      kind: 'refusal',
      confidence: between ? 0.75 : isOther || !isSaidFirst(text, evidence) ? 0.65 : 0.55,
      instead: between || priced !== 'no',
    }
  if (!isAside && priced === 'no' && PAST.test(text))
    return { has_stock: false, kind: 'refusal', confidence: 0.6, instead: false }
  if (!between || !(isAside || priced === 'surely')) return doubtfulOffer()
  return { has_stock: true, kind: 'offer', confidence: 0.7, instead: false }
}

// "No no, we have it": a "no" in front of an offer may be said to something else. "Tablets no, syrup
// yes" denies what it names.
function isSaidFirst(text: string, { refusals, isAside }: Evidence): boolean {
  return (
    isAside &&
    !/\bno (?!no|yes|problem|worries|we|i|it|sorry)[a-z]+,/.test(text) &&
    /^[^a-z]*(?:(?:hello|hi|bonjour|muraho|ah|haha|oh|sorry)[ ,.!]+)*$/.test(
      text.slice(0, Math.min(...refusals)),
    )
  )
}

// "18000 with box, no charger": behind a price, an extra is denied.
function asideOffer(): StockReading {
  return { has_stock: true, kind: 'offer', confidence: 0.65, instead: false }
}

function doubtfulOffer(): StockReading {
  return { has_stock: true, kind: 'offer', confidence: 0.55, instead: false }
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
