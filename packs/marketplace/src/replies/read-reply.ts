import { foldReply } from './fold-reply.ts'
import { detectReplyLanguage } from './language-of-reply.ts'
import { readAvailability } from './read-availability.ts'
import { type PriceReading, readPrice } from './read-price.ts'
import { readStock, type StockReading } from './read-stock.ts'
import type { ReadReplyOptions, ReplyReading } from './reply-reading.ts'

/** Below this confidence a person reads the reply. */
const SURE = 0.6
const MAX_LENGTH = 4000

const REFERRAL =
  /\b(?:know (?:someone|somebody|a guy|a place|a shop|a friend|where|who)|connais quelqu'un|nzi (?:uyifite|abafite|uzifite|ubifite)|try (?:at|with)?|ask (?:at|in|for)|check (?:at|with)|essayez(?: chez)?|allez (?:a|chez)|demandez (?:a|chez)|they (?:may|might) have)\b/
const PRESCRIPTION = /\b(?:prescription|ordonnance|urupapuro rwa muganga)\b/

/**
 * Reads what a vendor's reply says about stock, price and availability, in English, French,
 * Kinyarwanda and mixes of them. It is deterministic and knows nothing of the request.
 *
 * @example
 * readReply('ndayifite, 12k', { now: Date.parse('2026-11-16T08:00:00Z'), timeZone: 'Africa/Kigali' })
 * // { has_stock: true, price: 12000, currency: 'RWF', language: 'rw', … }
 */
export function readReply(text: string, options: ReadReplyOptions): ReplyReading {
  const folded = foldReply(text.slice(0, MAX_LENGTH))
  const named = readPrice(folded)
  const priced = named.price === undefined ? 'no' : named.confidence >= 0.8 ? 'surely' : 'perhaps'
  const stock = readStock(folded, { priced, pricedAt: named.at ?? 0 })
  const price: PriceReading =
    stock.has_stock === null ? { currency: named.currency, confidence: 1, marked: false } : named
  const said = stock.has_stock === null ? undefined : readAvailability(folded, options)
  // "Nothing today" says when it cannot be had.
  const availability = stock.has_stock === false && said?.words === 'today' ? undefined : said
  const confidence = Math.round(Math.min(stock.confidence, price.confidence) * 100) / 100
  const notes = writeNotes(folded, stock, price)
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
    confidence,
    unsure: confidence < SURE,
  }
}

function writeNotes(text: string, stock: StockReading, price: PriceReading): string {
  return [
    REFERRAL.test(text) && 'refers to someone else',
    stock.instead && price.price !== undefined && 'the price is for something else or later',
    price.delivery !== undefined && `delivery ${price.delivery} ${price.currency}`,
    PRESCRIPTION.test(text) && 'mentions a prescription',
  ]
    .filter((note) => note !== false)
    .join('; ')
}
