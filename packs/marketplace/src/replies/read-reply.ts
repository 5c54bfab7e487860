import { namesForeignSize } from './about-request.ts'
import { type Combined, combineReadings } from './combine-readings.ts'
import { findDoubts } from './doubts.ts'
import { foldReply } from './fold-reply.ts'
import { detectReplyLanguage } from './language-of-reply.ts'
import { readAvailability } from './read-availability.ts'
import { findFees, type PriceReading, readPrice } from './read-price.ts'
import { readStock, type StockReading } from './read-stock.ts'
import { relateReply, splitClauses } from './relate-reply.ts'
import type { ReadReplyOptions, ReplyReading } from './reply-reading.ts'
import { type RequestTerms, readRequestTerms } from './request-terms.ts'
import { readAgain } from './second-reader.ts'
import { collectEvidence, has, PATTERNS } from './stock-evidence.ts'
import { FUTURE } from './stock-words.ts'

/** Below this confidence a person reads the reply; testing/fit-reader.ts prints the least that will do. */
export const SURE = 0.77
/** A number that nothing accounts for, or an offer and a denial of which the readers choose another. */
const UNCLEAR = 0.6
export const MAX_LENGTH = 4000

const REFERRAL =
  /\b(?:know (?:someone|somebody|a guy|a place|a shop|a friend|where|who)|connais quelqu'un|nzi (?:uyifite|abafite|uzifite|ubifite)|try (?:at|with)?|ask (?:at|in|for)|check (?:at|with)|essayez(?: chez)?|allez (?:a|chez)|demandez (?:a|chez)|they (?:may|might) have|jaribu)\b/
const PRESCRIPTION = /\b(?:prescription|ordonnance|urupapuro rwa muganga)\b/

/**
 * Reads what a vendor's reply says about stock, price and availability, in English, French,
 * Kinyarwanda, Swahili and mixes of them. It is deterministic. With the request it knows which clause
 * is about what was asked for and which about something else.
 *
 * @example
 * readReply('ndayifite, 12k', { now: Date.parse('2026-11-16T08:00:00Z'), timeZone: 'Africa/Kigali' })
 * // { has_stock: true, price: 12000, currency: 'RWF', language: 'rw', … }
 */
export function readReply(text: string, options: ReadReplyOptions): ReplyReading {
  const folded = foldReply(text.slice(0, MAX_LENGTH))
  const { terms, ...rules } = readByRules(folded, options)
  const doubts = findDoubts(folded, rules, terms)
  const fees = findFees(folded, terms)
  const combined = combineReadings({ ...rules, doubts, fees }, readAgain(folded, terms))
  const isRuled = combined.has_stock === rules.has_stock && combined.price === rules.price
  const isStockReplaced = combined.has_stock !== rules.has_stock
  const isUnclear =
    (combined.price === undefined && doubts.includes('number left over')) ||
    (isStockReplaced && doubts.includes('offer with a denial'))
  const most = isUnclear ? UNCLEAR : 1
  const confidence = Math.round(Math.min(combined.probability, most) * 100) / 100
  const read = isRuled ? rules : replace(rules, combined, isExpected(folded))
  return { ...read, confidence, unsure: confidence < SURE }
}

function isExpected(text: string): boolean {
  return has(text, PATTERNS.arrival) || FUTURE.test(text)
}

/** The rules' reading with the stock and price that are more probable. */
function replace(
  { price: named, unit: _unit, total: _total, ...rules }: Omit<ReplyReading, 'unsure'>,
  combined: Combined,
  isLater: boolean,
): Omit<ReplyReading, 'unsure'> {
  const { has_stock } = combined
  // "Will be there tomorrow, 600 each": the price is that of what comes.
  const price = has_stock === false && isLater ? named : combined.price
  const kind = has_stock === null ? 'other' : has_stock ? 'offer' : 'refusal'
  return {
    ...rules,
    has_stock,
    ...(price !== undefined && { price }),
    ...(has_stock !== rules.has_stock && { kind }),
  }
}

/** What the rules read in a folded reply; `confidence` is how sure each rule is of its own case. */
export function readByRules(
  folded: string,
  options: ReadReplyOptions,
): Omit<ReplyReading, 'unsure'> & { readonly terms: RequestTerms | undefined } {
  const terms = options.request === undefined ? undefined : readRequestTerms(options.request)
  const named = readPrice(folded, terms)
  const stock = findStock(folded, named, terms)
  const isPriced = stock.has_stock === true || (stock.has_stock === false && stock.later)
  const price: PriceReading = isPriced
    ? named
    : { currency: named.currency, confidence: 1, marked: false, amounts: [] }
  const said = stock.has_stock === null ? undefined : readAvailability(folded, options)
  // "Nothing today" says when it cannot be had.
  const availability = stock.has_stock === false && said?.words === 'today' ? undefined : said
  const notes = writeNotes(folded, stock, named)
  return {
    has_stock: stock.has_stock,
    ...(price.price !== undefined && { price: price.price }),
    ...(price.unit !== undefined && { unit: price.unit }),
    ...(price.total !== undefined && { total: price.total }),
    currency: price.currency,
    ...(availability !== undefined && { availability: availability.words }),
    ...(availability?.at !== undefined && { available_at: availability.at }),
    ...(notes !== '' && { notes }),
    language: detectReplyLanguage(folded),
    kind: stock.kind,
    confidence: Math.min(stock.confidence, price.confidence),
    terms,
  }
}

/** What the words say of the stock, and what the request adds to it. */
function findStock(
  text: string,
  { confidence, amounts, at, marked }: PriceReading,
  terms: RequestTerms | undefined,
): StockReading {
  const priced = amounts.length === 0 ? 'no' : confidence >= 0.8 ? 'surely' : 'perhaps'
  const evidence = collectEvidence(text, { priced, pricedAt: at ?? amounts[0] ?? 0 })
  const read = readStock(text, evidence, terms)
  // "Which pin? Small 15k, big 12k": what has prices can be had.
  const isPricedQuestion = read.kind === 'question' && amounts.length > 1 && marked
  const stock: StockReading = isPricedQuestion
    ? { ...read, has_stock: true, kind: 'offer', confidence: 0.6 }
    : read
  const isUnknown = stock.has_stock === null && (stock.kind !== 'other' || stock.confidence > 0.6)
  if (terms === undefined || isUnknown || stock.later) return stock
  const relation = relateReply(text, splitClauses(text, evidence, amounts, terms), terms)
  if (relation === undefined) {
    const isOtherSize = stock.has_stock === true && !terms.isList && namesForeignSize(text, terms)
    return isOtherSize ? { ...stock, confidence: Math.min(stock.confidence, 0.55) } : stock
  }
  const { has_stock, confidence: sure } = relation
  return { ...stock, has_stock, kind: has_stock ? 'offer' : 'refusal', confidence: sure }
}

function writeNotes(text: string, { has_stock }: StockReading, price: PriceReading): string {
  return [
    REFERRAL.test(text) && 'refers to someone else',
    has_stock === false &&
      price.price !== undefined &&
      `something else or later for ${price.price} ${price.currency}`,
    has_stock === true && price.price === undefined && price.amounts.length > 1 && 'several prices',
    price.delivery !== undefined && `delivery ${price.delivery} ${price.currency}`,
    PRESCRIPTION.test(text) && 'mentions a prescription',
  ]
    .filter((note) => note !== false)
    .join('; ')
}
