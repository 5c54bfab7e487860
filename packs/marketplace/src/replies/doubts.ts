import { namesForeignSize } from './about-request.ts'
import { type Amount, findAmounts, hasNumberLeft, hasShortThousands } from './find-amounts.ts'
import { RENT } from './price-words.ts'
import { ONLY } from './relate-reply.ts'
import type { ReplyReading } from './reply-reading.ts'
import type { RequestTerms } from './request-terms.ts'
import type { Agreement } from './second-reader.ts'
import { BUT, collectEvidence, countWords, type Evidence } from './stock-evidence.ts'
import { PAST } from './stock-words.ts'

/** What the rules read, and how sure they are of it. */
export type RuleReading = Pick<ReplyReading, 'has_stock' | 'price' | 'confidence'>

type Seen = {
  readonly text: string
  readonly reading: RuleReading
  readonly terms: RequestTerms | undefined
  readonly evidence: Evidence
  readonly amounts: readonly Amount[]
  /** The different amounts. */
  readonly prices: number
  readonly words: number
}

type Doubt<Of> = {
  readonly name: string
  /** What it adds to the logarithm of the odds that the reading is wrong. */
  readonly weight: number
  readonly holds: (of: Of) => boolean
}

const CONDITION =
  /\b(?:if|whether|unless|si|niba|kama|selon|depends?|depend|ukileta|ukichukua|ukitaka)\b/
const MANY_WORDS = 12

const isOffer = ({ reading }: Seen) => reading.has_stock === true
const isRefusal = ({ reading }: Seen) => reading.has_stock === false
const isSaid = ({ reading }: Seen) => reading.has_stock !== null
const isUnpriced = (seen: Seen) => isOffer(seen) && seen.reading.price === undefined

/** The logarithm of the odds that a reading without any of the doubts is wrong. */
const WITHOUT_DOUBT = -4.7

// table
// The weights are fitted, not chosen: `node packs/marketplace/testing/fit-doubts.ts` prints them.
export const DOUBTS: readonly Doubt<Seen>[] = [
  { name: 'not understood', weight: 1.5, holds: ({ reading }) => reading.confidence < 0.5 },
  {
    name: 'rules undecided',
    weight: 0.9,
    holds: ({ reading: { confidence } }) => confidence >= 0.5 && confidence < 0.6,
  },
  {
    name: 'number that is not read as a price',
    weight: 1.6,
    holds: (seen) =>
      isUnpriced(seen) &&
      seen.prices < 2 &&
      (seen.prices === 1 || hasNumberLeft(seen.text, seen.terms)),
  },
  {
    name: 'offer of some words without a price',
    weight: 0.2,
    holds: (seen) => isUnpriced(seen) && seen.prices === 0 && seen.words > 3,
  },
  {
    name: 'numbers short for thousands',
    weight: 1,
    holds: (seen) =>
      isSaid(seen) &&
      (hasShortThousands(seen.text, seen.amounts, seen.terms) ||
        seen.amounts.some(
          ({ isShort, value }) => isShort === true && value === seen.reading.price,
        )),
  },
  { name: 'only', weight: 0.6, holds: (seen) => isSaid(seen) && ONLY.test(seen.text) },
  { name: 'but', weight: 0.5, holds: (seen) => isSaid(seen) && BUT.test(seen.text) },
  { name: 'condition', weight: 0.5, holds: (seen) => isSaid(seen) && CONDITION.test(seen.text) },
  {
    name: 'offer with a denial',
    weight: 0.4,
    holds: (seen) =>
      isOffer(seen) && seen.evidence.refusals.length > 0 && seen.terms?.isList !== true,
  },
  {
    name: 'refusal with an amount',
    weight: 0.3,
    // The price of what comes later is read.
    holds: (seen) => isRefusal(seen) && seen.prices > 0 && seen.reading.price === undefined,
  },
  {
    name: 'refusal that may deny another thing',
    weight: 0.2,
    holds: ({ reading, evidence: { isOpen, refusals } }) =>
      reading.has_stock === false && isOpen && refusals.length > 0,
  },
  {
    name: 'price alone',
    weight: 0.2,
    holds: (seen) =>
      isOffer(seen) && seen.evidence.offers.length === 0 && seen.evidence.refusals.length === 0,
  },
  {
    name: 'weak offer',
    weight: 0.5,
    holds: (seen) =>
      isOffer(seen) && seen.evidence.offers.length > 0 && seen.evidence.isWeak && seen.words > 3,
  },
  { name: 'long', weight: 0.3, holds: ({ words }) => words > MANY_WORDS },
  { name: 'past', weight: 1.4, holds: (seen) => isSaid(seen) && PAST.test(seen.text) },
  { name: 'answer put off', weight: 0.8, holds: (seen) => isSaid(seen) && seen.evidence.later },
  {
    name: 'size that was not asked for',
    weight: 1.3,
    holds: (seen) =>
      isOffer(seen) && seen.terms !== undefined && namesForeignSize(seen.text, seen.terms),
  },
  {
    name: 'amount in a reply that says nothing',
    weight: 0.7,
    holds: (seen) => !isSaid(seen) && seen.prices > 0,
  },
  {
    name: 'rent',
    weight: 0.5,
    holds: ({ text, terms }) => RENT.test(text) || terms?.isRent === true,
  },
]

/** What the second reader adds; each line about its probability adds to the former. */
export const DISAGREEMENTS: readonly Doubt<Agreement>[] = [
  { name: 'second reader below 0.97', weight: 1.3, holds: ({ probability }) => probability < 0.97 },
  { name: 'second reader below 0.93', weight: 0.6, holds: ({ probability }) => probability < 0.93 },
  { name: 'second reader below 0.8', weight: 0.6, holds: ({ probability }) => probability < 0.8 },
  { name: 'second reader below 0.7', weight: 0.4, holds: ({ probability }) => probability < 0.7 },
  { name: 'second reader below 0.3', weight: 0.4, holds: ({ probability }) => probability < 0.3 },
  { name: 'second reader below 0.1', weight: 0.8, holds: ({ probability }) => probability < 0.1 },
  { name: 'price that is no number of the reply', weight: 3.7, holds: ({ isUnseen }) => isUnseen },
  { name: 'stock overruled', weight: 0.2, holds: ({ overruled }) => overruled === 'stock' },
  { name: 'price overruled', weight: 0.8, holds: ({ overruled }) => overruled === 'price' },
]

/** Which doubts a reading of a folded reply meets. */
export function findDoubts(
  text: string,
  reading: RuleReading,
  agreement: Agreement,
  terms: RequestTerms | undefined,
): readonly { readonly name: string; readonly weight: number }[] {
  return [
    ...findOwnDoubts(text, reading, terms),
    ...DISAGREEMENTS.filter(({ holds }) => holds(agreement)),
  ]
}

/** The doubts that the rules have themselves. */
export function findOwnDoubts(
  text: string,
  reading: RuleReading,
  terms: RequestTerms | undefined,
): readonly Doubt<Seen>[] {
  const amounts = findAmounts(text, terms)
  const seen: Seen = {
    text,
    reading,
    terms,
    amounts,
    evidence: collectEvidence(text, { priced: 'no', pricedAt: 0 }),
    prices: new Set(amounts.map(({ value }) => value)).size,
    words: countWords(text),
  }
  return DOUBTS.filter(({ holds }) => holds(seen))
}

/** The probability that a reading with these doubts is right. */
export function estimateRight(doubts: readonly { readonly weight: number }[]): number {
  return 1 / (1 + Math.exp(doubts.reduce((sum, { weight }) => sum + weight, WITHOUT_DOUBT)))
}
