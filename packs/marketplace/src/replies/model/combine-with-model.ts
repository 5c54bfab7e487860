import { findAmounts } from '../find-amounts.ts'
import { foldReply } from '../fold-reply.ts'
import { MAX_LENGTH, readReply } from '../read-reply.ts'
import { listOptions } from '../reply-options.ts'
import type { ReadReplyOptions, ReplyReading } from '../reply-reading.ts'
import { readRequestTerms } from '../request-terms.ts'
import type { ModelAnswer } from './model-answer.ts'

// Confidences of readings that were combined with a model's. They are not fitted: they only say on
// which side of the threshold a reading is (decision 67).
const AGREED = 0.95
const MODEL_ALONE = 0.8
const DISPUTED = 0.6

/** A reading, and which readers it is from. */
export type JointReading = ReplyReading & {
  readonly readers: 'both' | 'model' | 'offline'
  /** What the model says, where it says something else or what cannot be used. */
  readonly objection?: 'differs' | 'price not in the reply'
}

/**
 * Reads a reply with the answer of a model. The model is not trusted: its price counts only if the
 * reply names that number, and a difference from a reading that is sure goes to a person.
 */
export function readWithModel(
  text: string,
  options: ReadReplyOptions,
  answer: ModelAnswer,
): JointReading {
  const offline = readReply(text, options)
  const { price } = answer
  if (price !== null && !listNumbers(text, options.request, offline).has(price))
    return { ...dispute(offline), readers: 'offline', objection: 'price not in the reply' }
  if (isSame(offline, answer))
    return {
      ...offline,
      ...(answer.is_sure && { confidence: Math.max(offline.confidence, AGREED), unsure: false }),
      readers: 'both',
    }
  if (!answer.is_sure && !offline.unsure)
    return { ...dispute(offline), readers: 'offline', objection: 'differs' }
  const taken = replaceReading(offline, answer)
  const isAlone = answer.is_sure && offline.unsure
  return {
    ...(isAlone ? { ...taken, confidence: MODEL_ALONE, unsure: false } : dispute(taken)),
    readers: 'model',
    objection: 'differs',
  }
}

function dispute(reading: ReplyReading): ReplyReading {
  return { ...reading, confidence: Math.min(reading.confidence, DISPUTED), unsure: true }
}

const WHOLE_NUMBER = /\d{1,3}(?:[ .,']\d{3})+(?!\d)|\d{3,}/g

/** Every number that may be a price: "25" is 25 and short for 25,000. */
function listNumbers(
  text: string,
  request: string | undefined,
  { price, total }: ReplyReading,
): ReadonlySet<number | null | undefined> {
  const folded = foldReply(text.slice(0, MAX_LENGTH))
  const terms = request === undefined ? undefined : readRequestTerms(request)
  return new Set([
    ...listOptions(folded, terms).price.map(({ value }) => value),
    ...findAmounts(folded, terms).map(({ value }) => value),
    // "180,000 go and return": what the rules take for a size may be the price.
    ...(folded.match(WHOLE_NUMBER) ?? []).map((figure) => Number(figure.replaceAll(/\D/g, ''))),
    ...[price, total],
  ])
}

// The price of what cannot be had now is stored only where it comes later, so it decides nothing.
function isSame(offline: ReplyReading, { has_stock, price, currency }: ModelAnswer): boolean {
  if (has_stock !== offline.has_stock) return false
  if (price === null || offline.price === undefined)
    return has_stock !== true || (price === null && offline.price === undefined)
  const isCurrency = currency === 'none' || currency === offline.currency
  return isCurrency && (price === offline.price || price === offline.total)
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
