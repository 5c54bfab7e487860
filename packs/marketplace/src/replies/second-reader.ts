import type { ReplyReading } from './reply-reading.ts'
import { type Option, listOptions, type ReplyOptions } from './reply-options.ts'
import type { RequestTerms } from './request-terms.ts'
import WEIGHTS from './second-reader.json' with { type: 'json' }

// A second, statistical reader of replies: it adds up weights of words, neighbouring words, the ends of
// words and what the lists of words find, learned from replies with known answers. It reads new text
// about as well as the rules, and its errors are others: a reading that it does not share is doubted
// (doubts.ts), and one that it takes for all but impossible is replaced.
// `node packs/marketplace/testing/fit-second-reader.ts` learns the weights and writes the .json file.

export type ReaderWeights = {
  readonly stock: Readonly<Record<string, number>>
  readonly price: Readonly<Record<string, number>>
}

/** The probability of each answer. */
export type SecondReading = {
  readonly stock: ReadonlyMap<boolean | null, number>
  /** Null: none of the numbers is the price. */
  readonly price: ReadonlyMap<number | null, number>
}

/** How a reading and the second reader go together. */
export type Agreement = {
  /** The second reader's probability of the reading, stock and price. */
  readonly probability: number
  /** The price is not among the numbers that the second reader sees. */
  readonly isUnseen: boolean
  readonly overruled: Settled['overruled']
}

type Reading = Pick<ReplyReading, 'has_stock' | 'price' | 'total'>

/** A reading in which the second reader replaced what it takes for all but impossible. */
export type Settled = {
  readonly has_stock: boolean | null
  readonly price: number | undefined
  readonly overruled: 'stock' | 'price' | undefined
}

// Both were chosen with sets that the reader had not learned from: higher ones flag fewer of the errors
// that remain, because a reading that both share is hardly doubted.
const IMPOSSIBLE = 0.02
/** So sure it must be of a price where the rules found several and chose none. */
const SURE_OF_PRICE = 0.9

/** The second reader's view of a folded reply. */
export function readAgain(text: string, terms: RequestTerms | undefined): SecondReading {
  return weighReply(listOptions(text, terms), WEIGHTS)
}

export function weighReply({ stock, price }: ReplyOptions, weights: ReaderWeights): SecondReading {
  return { stock: sumByValue(stock, weights.stock), price: sumByValue(price, weights.price) }
}

/** Replaces what the second reader takes for all but impossible in what the rules read. */
export function settleReading(read: Reading, second: SecondReading): Settled {
  const { price } = read
  const likelyPrice = mostProbable(second.price) ?? undefined
  if ((second.stock.get(read.has_stock) ?? 0) < IMPOSSIBLE) {
    const has_stock = mostProbable(second.stock)
    const named = has_stock === true ? (price ?? likelyPrice) : undefined
    return { has_stock, price: named, overruled: 'stock' }
  }
  // A unit price and a total that account for each other stand.
  if (read.has_stock === true && read.total === undefined && isPriceReplaced(price, second))
    return { has_stock: true, price: likelyPrice, overruled: 'price' }
  return { has_stock: read.has_stock, price, overruled: undefined }
}

function isPriceReplaced(price: number | undefined, { price: shares }: SecondReading): boolean {
  const likely = mostProbable(shares)
  if (price === undefined) return likely !== null && (shares.get(likely) ?? 0) > SURE_OF_PRICE
  return (shares.get(price) ?? 1) < IMPOSSIBLE
}

/** How probable the second reader takes a settled reading. */
export function agree({ has_stock, price, overruled }: Settled, second: SecondReading): Agreement {
  const stock = second.stock.get(has_stock) ?? 0
  const share = second.price.get(price ?? null)
  const isUnseen = has_stock === true && share === undefined
  return {
    probability: has_stock === true ? stock * (share ?? 1) : stock,
    isUnseen,
    overruled,
  }
}

function mostProbable<Value>(shares: ReadonlyMap<Value, number>): Value {
  return [...shares].reduce((one, other) => (other[1] > one[1] ? other : one))[0]
}

function sumByValue<Value>(
  options: readonly Option<Value>[],
  weights: Readonly<Record<string, number>>,
): ReadonlyMap<Value, number> {
  const sums = options.map(({ features }) =>
    features.reduce((sum, feature) => sum + (weights[feature] ?? 0), 0),
  )
  const most = Math.max(...sums)
  const odds = sums.map((sum) => Math.exp(sum - most))
  const total = odds.reduce((sum, one) => sum + one, 0)
  const shares = new Map<Value, number>()
  for (const [at, { value }] of options.entries())
    shares.set(value, (shares.get(value) ?? 0) + (odds[at] ?? 0) / total)
  return shares
}
