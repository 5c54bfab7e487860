import { namesForeignSize } from './about-request.ts'
import type { RuleReading } from './combine-readings.ts'
import { type Amount, findAmounts, hasNumberLeft, hasShortThousands } from './find-amounts.ts'
import { RENT } from './price-words.ts'
import { ONLY } from './relate-reply.ts'
import type { RequestTerms } from './request-terms.ts'
import { BUT, collectEvidence, countWords, type Evidence } from './stock-evidence.ts'
import { PAST } from './stock-words.ts'

type Seen = {
  readonly text: string
  readonly reading: RuleReading
  readonly terms: RequestTerms | undefined
  readonly evidence: Evidence
  readonly amounts: readonly Amount[]
  /** The different amounts. */
  readonly prices: number
}

const CONDITION =
  /\b(?:if|whether|unless|si|niba|kama|selon|depends?|depend|ukileta|ukichukua|ukitaka)\b/
const MANY_WORDS = 12

const isOffer = ({ reading }: Seen) => reading.has_stock === true
const isRefusal = ({ reading }: Seen) => reading.has_stock === false
const isSaid = ({ reading }: Seen) => reading.has_stock !== null

// table
/** What makes a reading of the rules doubtful; how much each counts is fitted (reading-weights.json). */
const DOUBTS: readonly (readonly [name: string, holds: (seen: Seen) => boolean])[] = [
  [
    'number left over',
    (seen) =>
      isOffer(seen) &&
      seen.reading.price === undefined &&
      seen.prices < 2 &&
      (seen.prices === 1 || hasNumberLeft(seen.text, seen.terms)),
  ],
  [
    'short for thousands',
    (seen) =>
      isSaid(seen) &&
      (hasShortThousands(seen.text, seen.amounts, seen.terms) ||
        seen.amounts.some(
          ({ isShort, value }) => isShort === true && value === seen.reading.price,
        )),
  ],
  ['only', (seen) => isSaid(seen) && ONLY.test(seen.text)],
  ['but', (seen) => isSaid(seen) && BUT.test(seen.text)],
  ['condition', (seen) => isSaid(seen) && CONDITION.test(seen.text)],
  [
    'offer with a denial',
    (seen) => isOffer(seen) && seen.evidence.refusals.length > 0 && seen.terms?.isList !== true,
  ],
  // The price of what comes later is read.
  [
    'refusal with an amount',
    (seen) => isRefusal(seen) && seen.prices > 0 && seen.reading.price === undefined,
  ],
  [
    'denial of another thing',
    ({ reading, evidence: { isOpen, refusals } }) =>
      reading.has_stock === false && isOpen && refusals.length > 0,
  ],
  [
    'price alone',
    (seen) =>
      isOffer(seen) && seen.evidence.offers.length === 0 && seen.evidence.refusals.length === 0,
  ],
  ['long', ({ text }) => countWords(text) > MANY_WORDS],
  ['past', (seen) => isSaid(seen) && PAST.test(seen.text)],
  ['answer put off', (seen) => isSaid(seen) && seen.evidence.later],
  [
    'size that was not asked for',
    (seen) => isOffer(seen) && seen.terms !== undefined && namesForeignSize(seen.text, seen.terms),
  ],
  ['amount in a reply that says nothing', (seen) => !isSaid(seen) && seen.prices > 0],
  ['rent', ({ text, terms }) => RENT.test(text) || terms?.isRent === true],
]

/** The names of the doubts that a reading of a folded reply by the rules meets. */
export function findDoubts(
  text: string,
  reading: RuleReading,
  terms: RequestTerms | undefined,
): readonly string[] {
  const amounts = findAmounts(text, terms)
  const seen: Seen = {
    text,
    reading,
    terms,
    amounts,
    evidence: collectEvidence(text, { priced: 'no', pricedAt: 0 }),
    prices: new Set(amounts.map(({ value }) => value)).size,
  }
  return DOUBTS.flatMap(([name, holds]) => (holds(seen) ? [name] : []))
}
