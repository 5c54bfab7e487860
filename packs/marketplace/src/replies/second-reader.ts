import { listOptions, type ReplyOptions } from './reply-options.ts'
import type { Option } from './reply-tokens.ts'
import type { RequestTerms } from './request-terms.ts'
import WEIGHTS from './second-reader.json' with { type: 'json' }

// A second, statistical reader of replies: it adds up weights of words, neighbouring words, the ends of
// words and what the lists of words find, learned from replies with known answers. It reads new text
// about as well as the rules, and its errors are others, so that both are weighed against each other
// (combine-readings.ts). `node packs/marketplace/testing/fit-reader.ts` learns the weights and writes
// the .json file.

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

/** The second reader's view of a folded reply. */
export function readAgain(text: string, terms: RequestTerms | undefined): SecondReading {
  return weighReply(listOptions(text, terms), WEIGHTS)
}

export function weighReply({ stock, price }: ReplyOptions, weights: ReaderWeights): SecondReading {
  return { stock: sumByValue(stock, weights.stock), price: sumByValue(price, weights.price) }
}

function sumByValue<Value>(
  options: readonly Option<Value>[],
  weights: Readonly<Record<string, number>>,
): ReadonlyMap<Value, number> {
  const shares = toShares(
    options.map(({ features }) =>
      features.reduce((sum, feature) => sum + (weights[feature] ?? 0), 0),
    ),
  )
  const byValue = new Map<Value, number>()
  for (const [at, { value }] of options.entries())
    byValue.set(value, (byValue.get(value) ?? 0) + (shares[at] ?? 0))
  return byValue
}

/** The probability of each of several answers, from the sums of what speaks for them. */
export function toShares(sums: readonly number[]): readonly number[] {
  const most = Math.max(...sums)
  const odds = sums.map((sum) => Math.exp(sum - most))
  const total = odds.reduce((sum, one) => sum + one, 0)
  return odds.map((one) => one / total)
}
