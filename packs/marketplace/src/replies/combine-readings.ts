import WEIGHTS from './reading-weights.json' with { type: 'json' }
import type { ReplyReading } from './reply-reading.ts'
import { type SecondReading, toShares } from './second-reader.ts'

// The rules and the second reader are weighed against each other: each possible answer has the second
// reader's probability, and that of the rules what their certainty is worth. The weights are fitted
// with first readings (`node packs/marketplace/testing/fit-reader.ts`), whose errors are those of new
// text. The probability of the answer is the confidence of the reading.

/** What the rules read, and how sure they are of it. */
export type RuleReading = Pick<ReplyReading, 'has_stock' | 'price' | 'total' | 'confidence'> & {
  /** `RWF` where it is left out. */
  readonly currency?: string
}

export type DoubtedReading = RuleReading & {
  /** The names of what makes it doubtful (doubts.ts). */
  readonly doubts: readonly string[]
  /** Amounts that are no price: a fee, a deposit, a rent, the cost of delivery. */
  readonly fees: ReadonlySet<number>
}

/** A possible answer with what speaks for it, each by name and strength. */
export type Candidate<Value> = {
  readonly value: Value
  readonly signs: readonly Sign[]
}

type Sign = readonly [name: string, strength: number]

export type CombinationWeights = {
  readonly stock: Readonly<Record<string, number>>
  readonly price: Readonly<Record<string, number>>
}

export type Combined = {
  readonly has_stock: boolean | null
  readonly price: number | undefined
  /** That stock and price are right. */
  readonly probability: number
}

/** No answer is less probable to the second reader than this, so that the rules can outweigh it. */
const LEAST = 1e-4
const STEPS = [0.5, 0.6, 0.7, 0.82]

/** The most probable reading. */
export function combineReadings(
  rules: DoubtedReading,
  second: SecondReading,
  weights: CombinationWeights = WEIGHTS,
): Combined {
  const stock = findMostProbable(listStockCandidates(rules, second), weights.stock)
  if (stock.value !== true) {
    // The price of what comes later stays.
    const price = stock.value === rules.has_stock ? rules.price : undefined
    return { has_stock: stock.value, price, probability: stock.probability }
  }
  const candidates = listPriceCandidates(rules, second)
  // A unit price and a total that account for each other stand, and so does one in another currency.
  const isForeign = rules.currency !== undefined && rules.currency !== 'RWF'
  const isSettled = rules.has_stock === true && (rules.total !== undefined || isForeign)
  const price = findMostProbable(candidates, weights.price, isSettled ? rules.price : undefined)
  return {
    has_stock: true,
    price: price.value ?? undefined,
    probability: stock.probability * price.probability,
  }
}

function findMostProbable<Value>(
  candidates: readonly Candidate<Value>[],
  weights: Readonly<Record<string, number>>,
  settled?: Value,
): { readonly value: Value; readonly probability: number } {
  const shares = toShares(
    candidates.map(({ signs }) =>
      signs.reduce((sum, [name, strength]) => sum + (weights[name] ?? 0) * strength, 0),
    ),
  )
  const judged = candidates.map(({ value }, at) => ({ value, probability: shares[at] ?? 0 }))
  return (
    judged.find(({ value }) => settled !== undefined && value === settled) ??
    judged.reduce((one, other) => (other.probability > one.probability ? other : one))
  )
}

export function listStockCandidates(
  rules: DoubtedReading,
  second: SecondReading,
): readonly Candidate<boolean | null>[] {
  return ([true, false, null] as const).map((value) => {
    const name = value === null ? 'unsaid' : value ? 'yes' : 'no'
    const isRead = rules.has_stock === value
    return {
      value,
      signs: [
        ['second', Math.log(Math.max(second.stock.get(value) ?? 0, LEAST))],
        [name, 1],
        ...(isRead ? signRules(`rules ${name}`, rules) : []),
      ],
    }
  })
}

export function listPriceCandidates(
  rules: DoubtedReading,
  second: SecondReading,
): readonly Candidate<number | null>[] {
  const values = new Set([...second.price.keys()].filter((one) => !rules.fees.has(one ?? 0)))
  const read = rules.has_stock === true ? (rules.price ?? null) : undefined
  if (read !== undefined) values.add(read)
  const count = Math.min(values.size - 1, 3)
  return [...values].map((value) => {
    const name = value === null ? 'none' : 'price'
    return {
      value,
      signs: [
        ['second', Math.log(Math.max(second.price.get(value) ?? 0, LEAST))],
        ...(value === null ? [['none', 1] as const, [`none of ${count}`, 1] as const] : []),
        ...(second.price.has(value) ? [] : [['unseen', 1] as const]),
        ...(value === read ? signRules(`rules ${name}`, rules) : []),
        ...(value === read ? [[`rules ${name} of ${count}`, 1] as const] : []),
      ],
    }
  })
}

function signRules(name: string, { confidence, doubts }: DoubtedReading): readonly Sign[] {
  const step = STEPS.filter((least) => confidence >= least).length
  return [
    ['rules', 1],
    [name, 1],
    [`${name} ${step}`, 1],
    ...doubts.map((doubt) => [`doubt: ${doubt}`, 1] as const),
  ]
}
