import { maskMatches } from './fold-reply.ts'
import { RENT } from './price-words.ts'
import type { ReplyKind } from './reply-reading.ts'
import type { RequestTerms } from './request-terms.ts'
import { BUT, countWords, type Evidence, findAll, has, PATTERNS } from './stock-evidence.ts'
import {
  BARE_NO_OF,
  FUTURE,
  GREETING,
  MOVEMENT,
  NAMES_DAY,
  NEGATED_VERB,
  PAST,
  PERFECT,
  SMALL_TALK,
  WITHHELD,
} from './stock-words.ts'

/** Whether the vendor has the thing. */
export type StockReading = {
  readonly has_stock: boolean | null
  readonly kind: ReplyKind
  /** From 0 to 1. */
  readonly confidence: number
  /** The vendor refuses and offers something else. */
  readonly instead: boolean
  /** The vendor has none now and will have it: the price is that of the thing. */
  readonly later: boolean
}

const ASKS_WHO = /^(?:but |mais |ariko )?(?:who|why|qui|pourquoi|nde|ninde|kuki)(?![a-z])(?! not)/
const ORDERS =
  /\b(?:order|commande\w*|commander|tumiza\w*|agiza\w*|(?:n|tu)(?:za|ra|da)(?:yi|zi|bi)?(?:bona|tumiza|zana)\w*)\b/
const TO_ORDER =
  /\b(?:(?:on|upon|by) order|made to (?:order|measure)|(?:sur|en) commande|sur mesure|delai|(?:order|import|comes?|coming|bring|get)(?: it| them| one)? from (?:dubai|china|kampala|uganda|nairobi|kenya|tanzania|europe|japan|abroad))\b/
const CLAUSE_END = /(?=[;!?\n]|[.,](?!\d))/
const ERRAND =
  /\b(?:come|pick\w*|collect|return\w*|rendre|rend(?:ez|u)|retour\w*|pass\w*|venez|venir|viens|deliver\w*|livr\w*|bring|send|naza|naz\w*|nayikora|\w+zanira|kuyifata|kuzifata|muze|uzaze|until|till|jusqu\S*|kugeza|mpaka|before|avant|mbere|open\w*|clos\w*|ferm\w*|ouvr\w*|hold|keep|garde\w*|\w*bikira|promo\w*|expir\w*|fix\w*|repair\w*|je suis|works?|possible|done|noon)\b/
// "2 at 9000 each, the third one on Friday"
const REST =
  /\b(?:second|third|fourth|2nd|3rd|2e|3e|deuxieme|troisieme|other|others|rest|remaining|reste|autres?|indi|izindi|ibindi|nyingine|zingine)\b/
// "64GB only", "ya litiro 5 gusa": a kind. "Only 3 left", "imwe gusa", "4500 only": a count or a price.
const LIMITED =
  /\b\d+ ?(?:mg|mls?|g|kg|l|mm|cm|m|w|v|gb|mah|ah|inch)(?: [a-z]+)? (?:only|gusa|tu|pekee|seulement|uniquement)\b|\b(?:kilo|litiro|ibiro|size|taille|nimero|saizi) \d+ (?:only|gusa|tu|pekee|seulement)\b|\b(?:only|seulement|uniquement) (?:the |la |le |les |du |des |for |pour )?(?!\d|one\b|two\b|three\b|four\b|a\b|few\b|few\b|un\b|une\b|deux\b|frw|rwf|cash|momo|today|now|this|at\b|until|from|if|when|on\b|in\b)[a-z]+ (?:left|remaining|available|in stock|remains)\b/
const IF = /\b(?:if|whether|si|niba|ko)\b/

/** Whether a folded reply offers the thing, given what it says of a price. */
export function readStock(
  text: string,
  evidence: Evidence,
  terms?: Pick<RequestTerms, 'isDated' | 'isRent' | 'isList'>,
): StockReading {
  const { priced, pricedAt } = evidence
  if (
    SMALL_TALK.test(text.replace(/[^\p{L}\p{N}\p{P}\s]+/gu, ' ').trim()) ||
    !/[\p{L}\p{N}?]/u.test(text)
  )
    return unsaid('other', 0.9)
  if (ASKS_WHO.test(text)) return unsaid('question', 0.8)
  const reading = weigh(text, evidence, terms?.isRent === true)
  if (has(text, PATTERNS.past) && reading.has_stock === null) return refuse(0.6)
  if (reading.has_stock === null) return reading
  const most = isHedged(text, reading, evidence)
    ? 0.5
    : isDoubtful(text, reading, evidence)
      ? 0.55
      : 1
  const confidence = Math.min(reading.confidence, most)
  // "Available Saturday" for a wedding on Saturday is no delay.
  // "Mangoes yes, strawberries on Friday": a part of what was asked for is there.
  const isPart = terms?.isList === true && evidence.offers.length > 0
  if (reading.has_stock && terms?.isDated !== true && !isPart && isLaterOnly(text, evidence))
    return { ...reading, has_stock: false, later: true, confidence: Math.min(confidence, 0.65) }
  // "Sur commande, 4 jours", "must come from Dubai": there is none now.
  const ordered = TO_ORDER.exec(text)?.index
  if (reading.has_stock && ordered !== undefined && (priced === 'no' || ordered < pricedAt))
    return { ...reading, has_stock: false, later: true, confidence: Math.min(confidence, 0.65) }
  const isComing =
    !reading.has_stock &&
    (has(text, PATTERNS.arrival) ||
      ORDERS.test(text) ||
      /\b(?:tomorrow|demain|ejo|kesho)\b/.test(text))
  return { ...reading, later: isComing, confidence }
}

// "Dispo demain 15h": none now. "Yes, come tomorrow" and "I can bring it tomorrow" have it: the day is
// that of the errand.
export function isLaterOnly(text: string, { offers, isYes, priced, pricedAt }: Evidence): boolean {
  if (!NAMES_DAY.test(text)) return false
  let start = 0
  let isLater = false
  for (const part of text.split(CLAUSE_END)) {
    const isOffered = offers.some((index) => index >= start && index < start + part.length)
    const isDated = NAMES_DAY.test(part) && !ERRAND.test(part) && !REST.test(part)
    if (isOffered && !isDated && !isYes) return false
    // "9000. The second one on Monday": what has its price is there.
    if (isDated && offers.length === 0 && priced !== 'no' && pricedAt < start) return false
    isLater ||= isDated
    start += part.length
  }
  return isLater
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
  if (LIMITED.test(text)) return true
  if (refusals.length === 0 && NEGATED_VERB.test(maskMatches(text, PATTERNS.neutral))) return true
  if (priced !== 'no') return false
  return (
    (offers.length > 0 && isWeak && countWords(text) > 3) || PAST.test(text) || PERFECT.test(text)
  )
}

function isInQuestion(text: string, index: number): boolean {
  return /^[^.,!;\n]*\?/.test(text.slice(index))
}

function unsaid(kind: ReplyKind, confidence: number): StockReading {
  return { has_stock: null, kind, confidence, instead: false, later: false }
}

function weigh(text: string, evidence: Evidence, isRent: boolean): StockReading {
  const { refusals, offers, asks, later, priced, isYes } = evidence
  if (later && refusals.length === 0 && priced === 'no')
    // "We have it, let me check the price": the offer stands. "Let me check if we have it": it does not.
    return offers.length === 0 || IF.test(text) ? unsaid('later', 0.85) : doubtfulOffer()
  const isSilent = refusals.length === 0 && offers.length === 0
  if (RENT.test(text)) return isRent ? accept(0.7) : refuse(0.55)
  if (isSilent && has(text, PATTERNS.restricted) && priced === 'no') return refuse(0.55)
  if (isSilent && has(text, PATTERNS.payment)) return unsaid('other', 0.5)
  if (isSilent && has(text, PATTERNS.away)) return unsaid('other', priced === 'no' ? 0.75 : 0.5)
  if (isSilent && has(text, PATTERNS.wants) && priced !== 'surely')
    return unsaid('question', priced === 'no' ? 0.8 : 0.5)
  if ((offers.length === 0 || evidence.isWeak) && has(text, PATTERNS.arrival) && !asks)
    return { ...refuse(priced === 'no' && !isMovement(text) ? 0.75 : 0.55), later: true }
  if (refusals.length > 0 && offers.length > 0) return weighBoth(text, evidence)
  if (refusals.length > 0) return weighRefusal(text, evidence)
  // "Which one? There are many types": what there is may be said of anything.
  if (asks && evidence.isWeak && offers.length > 0 && priced === 'no' && text.includes('?'))
    return unsaid('question', 0.55)
  if (offers.length > 0 && isYes && priced === 'no' && isGreeting(text))
    return unsaid('question', 0.65)
  if (offers.length > 0) return accept(later || (priced === 'no' && FUTURE.test(text)) ? 0.55 : 0.9)
  if (asks && priced !== 'surely') return unsaid('question', priced === 'no' ? 0.85 : 0.5)
  if (priced !== 'no')
    return accept(asks && isAsked(text, evidence) ? 0.5 : priced === 'surely' ? 0.85 : 0.7)
  if (has(text, PATTERNS.apology)) {
    const confidence = countWords(text) <= 3 ? 0.65 : 0.5
    return refuse(confidence)
  }
  if (has(text, PATTERNS.talk)) return unsaid('other', 0.65)
  // "New or used", "tablets ou sirop": a choice that the client has to make.
  if (!/\d/.test(text) && / (?:or|ou|cyangwa) /.test(text)) return unsaid('question', 0.65)
  // A verb that no list names, with one of Kinyarwanda's negative prefixes.
  if (NEGATED_VERB.test(maskMatches(text, PATTERNS.neutral))) return refuse(0.5)
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
  return refuse(0.9 - doubt, instead)
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
  if (has(text, PATTERNS.restricted) && !isSaidFirst(text, evidence)) return refuse(0.55, true)
  if (priced === 'surely' && pricedAt < refusal && isAside) return asideOffer()
  if (between && offer < refusal && WITHHELD.test(text)) return refuse(0.65)
  // "Not that one but we have another": what follows "but" is offered instead.
  if (isOpen && !isWeak && refusal < offer && between) return refuse(0.55, true)
  if (isOpen && !isWeak && refusal < offer) return doubtfulOffer()
  // "Pills finished, syrup is here 4000": the price belongs to what stands in the next clause.
  const isOther =
    priced === 'surely' &&
    !isAside &&
    /[,.;\n]/.test(text.slice(refusal, Math.max(offer, pricedAt)))
  if (refusal < offer)
    return refuse(
      between ? 0.75 : isOther || !isSaidFirst(text, evidence) ? 0.65 : 0.55,
      between || priced !== 'no',
    )
  if (!isAside && priced === 'no' && PAST.test(text)) return refuse(0.6)
  if (!between || !(isAside || priced === 'surely')) return doubtfulOffer()
  return accept(0.7)
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
  return accept(0.65)
}

function doubtfulOffer(): StockReading {
  return accept(0.55)
}

function accept(confidence: number): StockReading {
  return { has_stock: true, kind: 'offer', confidence, instead: false, later: false }
}

function refuse(confidence: number, instead = false): StockReading {
  return { has_stock: false, kind: 'refusal', confidence, instead, later: false }
}
