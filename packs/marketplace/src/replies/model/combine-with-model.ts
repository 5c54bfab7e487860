import { findAmounts } from '../find-amounts.ts'
import { foldReply } from '../fold-reply.ts'
import { MAX_LENGTH, readReply } from '../read-reply.ts'
import { listOptions } from '../reply-options.ts'
import type { ReadReplyOptions, ReplyReading } from '../reply-reading.ts'
import { type RequestTerms, readRequestTerms } from '../request-terms.ts'
import type { ModelAnswer } from './model-answer.ts'
import { isQuestionWhole } from './write-question.ts'

// What the question says of these numbers of clerks: from POSSIBLE down a second reading is possible,
// from OPEN down it is open which one is right (decision 69).
const POSSIBLE = 8
const OPEN = 6
/** Who buys all of them at once pays at least so much of the sum of their prices. */
const LEAST_SHARE = 0.8

// Confidences of readings that were combined with a model's. They are not fitted: they only say on
// which side of the threshold a reading is.
const AGREED = 0.95
const MODEL_ALONE = 0.8
const DISPUTED = 0.6

/** A reading, and which readers it is from. */
export type JointReading = ReplyReading & {
  readonly readers: 'both' | 'model' | 'offline'
  /** What one of them has against it. */
  readonly objection?: 'differs' | 'second reading' | 'price not in the reply'
}

type Said = Pick<ModelAnswer, 'has_stock' | 'price'>

/**
 * Reads a reply with the answer of a model. What the model reads is taken. A person looks where the
 * model says that the reply is open, and where the offline reader differs from a model that is not
 * certain or was not told everything, or in the currency. A price counts only if the reply names that
 * number.
 */
export function readWithModel(
  text: string,
  options: ReadReplyOptions,
  answer: ModelAnswer,
): JointReading {
  const { request } = options
  const terms = request === undefined ? undefined : readRequestTerms(request)
  const offline = readReply(text, options)
  if (answer.price !== null && !listNumbers(text, terms, offline).has(answer.price))
    return { ...dispute(offline), readers: 'offline', objection: 'price not in the reply' }
  const { agreement, other } = answer
  const isInCurrency = answer.price === null || ['none', offline.currency].includes(answer.currency)
  const isKept = isInCurrency && isSamePrice(offline, answer)
  const taken = isKept ? offline : replaceReading(offline, answer)
  if (isInCurrency && isSame(offline, answer, terms)) {
    const isOpen = agreement <= OPEN && (other === null || !isSameOffer(other, answer, terms))
    return isOpen
      ? { ...dispute(taken), readers: 'both', objection: 'second reading' }
      : { ...trust(taken, Math.max(offline.confidence, AGREED)), readers: 'both' }
  }
  const isDoubtful =
    agreement <= POSSIBLE || !isInCurrency || !isQuestionWhole({ request, reply: text })
  return {
    ...(isDoubtful ? dispute(taken) : trust(taken, MODEL_ALONE)),
    readers: 'model',
    objection: 'differs',
  }
}

function trust(reading: ReplyReading, confidence: number): ReplyReading {
  return { ...reading, confidence, unsure: false }
}

function dispute(reading: ReplyReading): ReplyReading {
  return { ...reading, confidence: Math.min(reading.confidence, DISPUTED), unsure: true }
}

const WHOLE_NUMBER = /\d{1,3}(?:[ .,']\d{3})+(?!\d)|\d{3,}/g

/** Every number that may be a price: "25" is 25 and short for 25,000. */
function listNumbers(
  text: string,
  terms: RequestTerms | undefined,
  { price, total }: ReplyReading,
): ReadonlySet<number | null | undefined> {
  const folded = foldReply(text.slice(0, MAX_LENGTH))
  return new Set([
    ...listOptions(folded, terms).price.map(({ value }) => value),
    ...findAmounts(folded, terms).map(({ value }) => value),
    // "180,000 go and return": what the rules take for a size may be the price.
    ...(folded.match(WHOLE_NUMBER) ?? []).map((figure) => Number(figure.replaceAll(/\D/g, ''))),
    ...[price, total],
  ])
}

function isSame(
  { has_stock, price, total }: ReplyReading,
  answer: ModelAnswer,
  terms: RequestTerms | undefined,
): boolean {
  const amounts = [price ?? null, ...(total === undefined ? [] : [total])]
  return amounts.some((amount) => isSameOffer({ has_stock, price: amount }, answer, terms))
}

/** Whether both write down the same offer, be it the price of one or the sum for all of them. */
function isSameOffer(one: Said, other: Said, terms: RequestTerms | undefined): boolean {
  if (one.has_stock !== other.has_stock) return false
  // The price of what cannot be had now is stored only where it comes later, so it decides nothing.
  if (one.price === null || other.price === null)
    return one.has_stock !== true || one.price === other.price
  const low = Math.min(one.price, other.price)
  const high = Math.max(one.price, other.price)
  const isSum = (count: number) => high <= count * low && high >= LEAST_SHARE * count * low
  return low === high || [...(terms?.figures ?? [])].some((count) => count > 1 && isSum(count))
}

function isSamePrice({ has_stock, price, total }: ReplyReading, answer: ModelAnswer): boolean {
  if (has_stock !== answer.has_stock) return false
  return answer.price === (price ?? null) || (answer.price !== null && answer.price === total)
}

/** The model's stock and price with what else the offline reader has found. */
function replaceReading(
  { price: _price, unit: _unit, total: _total, ...offline }: ReplyReading,
  answer: ModelAnswer,
): ReplyReading {
  const { has_stock, price, price_is: kind, currency } = answer
  const availability = offline.availability ?? answer.availability ?? undefined
  const isPriced = has_stock === true || (has_stock === false && availability !== undefined)
  const isOpen = offline.kind === 'question' || offline.kind === 'later'
  const unsaid = isOpen ? offline.kind : 'other'
  return {
    ...offline,
    has_stock,
    ...(isPriced &&
      price !== null && {
        price,
        ...(kind === 'unit' && { unit: 'each' }),
        ...(kind === 'total' && { total: price }),
        ...(currency !== 'none' && { currency }),
      }),
    ...(availability !== undefined && has_stock !== null && { availability }),
    kind: has_stock === null ? unsaid : has_stock ? 'offer' : 'refusal',
  }
}
