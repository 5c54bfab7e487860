import {
  type Candidate,
  type CombinationWeights,
  type DoubtedReading,
  listPriceCandidates,
  listStockCandidates,
} from '../src/replies/combine-readings.ts'
import { type SecondReading, toShares } from '../src/replies/second-reader.ts'
import type { ReplyCase } from './reply-case.ts'

/** A first reading of a case, and that of a second reader that did not learn from its author. */
export type Example = {
  readonly known: ReplyCase
  readonly rules: DoubtedReading
  readonly second: SecondReading
}

type Choice = {
  readonly candidates: readonly Candidate<unknown>[]
  readonly isRight: readonly boolean[]
  readonly weight: number
}

const ROUNDS = 200
const RATE = 0.1
const SHRINKAGE = 1
// New text comes with a request.
const WITH_REQUEST = 2

/** The weights with which the rules and the second reader are combined. */
export function fitCombination(examples: readonly Example[]): CombinationWeights {
  const stock = examples.map((one) =>
    toChoice(one.known, 'stock', listStockCandidates(one.rules, one.second)),
  )
  const price = examples
    .filter(({ known }) => known.stock.includes(true))
    .map((one) => toChoice(one.known, 'price', listPriceCandidates(one.rules, one.second)))
  return { stock: fitChoices(stock), price: fitChoices(price) }
}

function toChoice(
  known: ReplyCase,
  field: 'stock' | 'price',
  candidates: readonly Candidate<boolean | number | null>[],
): Choice {
  const right: readonly unknown[] = known[field]
  return {
    candidates,
    isRight: candidates.map(({ value }) => right.includes(value)),
    weight: known.request === undefined ? 1 : WITH_REQUEST,
  }
}

/** Logistic regression over the candidates of each choice, by Adam (Kingma and Ba, 2015). */
function fitChoices(all: readonly Choice[]): Record<string, number> {
  const choices = all.filter(({ isRight }) => isRight.includes(true) && isRight.includes(false))
  const names = [...new Set(choices.flatMap(listNames))].sort()
  const places = new Map(names.map((name, at) => [name, at]))
  const indexed = choices.map(({ candidates, isRight, weight }) => ({
    isRight,
    weight,
    signs: candidates.map(({ signs }) =>
      signs.map(([name, strength]) => [places.get(name) ?? 0, strength] as const),
    ),
  }))
  const weights: number[] = names.map((name) => (name === 'second' ? 1 : 0))
  const means = names.map(() => ({ first: 0, second: 0 }))
  for (let round = 1; round <= ROUNDS; round++) {
    const slopes = names.map((name, at) => (name === 'second' ? 0 : SHRINKAGE * (weights[at] ?? 0)))
    for (const { signs, isRight, weight } of indexed) {
      const shares = toShares(
        signs.map((some) => some.reduce((sum, [at, by]) => sum + (weights[at] ?? 0) * by, 0)),
      )
      const right = shares.reduce((sum, share, at) => sum + (isRight[at] ? share : 0), 0)
      for (const [nth, some] of signs.entries()) {
        const share = shares[nth] ?? 0
        const slope = weight * (share - (isRight[nth] ? share / right : 0))
        for (const [at, by] of some) slopes[at] = (slopes[at] ?? 0) + slope * by
      }
    }
    for (const [at, mean] of means.entries()) {
      const slope = slopes[at] ?? 0
      mean.first = 0.9 * mean.first + 0.1 * slope
      mean.second = 0.99 * mean.second + 0.01 * slope ** 2
      const step = mean.first / (1 - 0.9 ** round)
      const size = Math.sqrt(mean.second / (1 - 0.99 ** round)) + 1e-8
      weights[at] = (weights[at] ?? 0) - (RATE * step) / size
    }
  }
  return Object.fromEntries(
    names.map((name, at) => [name, Math.round((weights[at] ?? 0) * 100) / 100]),
  )
}

function listNames({ candidates }: Choice): readonly string[] {
  return candidates.flatMap(({ signs }) => signs.map(([name]) => name))
}
