import { FEATURES, type Feature } from '../src/rank-features.ts'
import { weigh } from '../src/rank-tools.ts'

/** A request with its candidates: what is known of each, and whether it is a right answer. */
export type Lesson = {
  readonly set: string
  readonly request: string
  readonly ids: readonly string[]
  readonly features: readonly Float64Array[]
  readonly right: readonly boolean[]
  /** How much it counts beside others. */
  readonly weight: number
}
export type Weights = Float64Array

const STEPS = 80
const RATE = 0.09
/** How strongly weights are held at what is expected without any request. */
const HOLD = 0.002
const EXPECTATIONS: Partial<Record<Feature, number>> = { 'words and action': 3, 'phrase exact': 3 }
const EXPECTED = Float64Array.from(FEATURES, (name) => EXPECTATIONS[name] ?? 0)

/**
 * Maximizes the probability of the right tools in a log-linear model over the candidates of each
 * request (Adam, the same in every run).
 */
export function fitWeights(lessons: readonly Lesson[]): Weights {
  const used = lessons.filter(({ right }) => right.includes(true))
  const weights = Float64Array.from(EXPECTED)
  const mean = new Float64Array(weights.length)
  const spread = new Float64Array(weights.length)
  for (let step = 1; step <= STEPS; step++) {
    const gradient = new Float64Array(weights.length)
    for (const lesson of used) addGradient(lesson, weights, gradient)
    for (let at = 0; at < weights.length; at++) {
      const held = HOLD * ((weights[at] ?? 0) - (EXPECTED[at] ?? 0))
      const slope = (gradient[at] ?? 0) / used.length - held
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope
      spread[at] = 0.99 * (spread[at] ?? 0) + 0.01 * slope ** 2
      const rate = RATE * (1 - (0.9 * step) / STEPS)
      const root = Math.sqrt((spread[at] ?? 0) / (1 - 0.99 ** step)) + 1e-8
      weights[at] = (weights[at] ?? 0) + (rate * (mean[at] ?? 0)) / (1 - 0.9 ** step) / root
    }
  }
  return weights
}

function addGradient(
  { features, right, weight }: Lesson,
  weights: Weights,
  gradient: Float64Array,
): void {
  const scores = features.map((values) => weigh(values, weights))
  const most = Math.max(...scores)
  const odds = scores.map((score) => Math.exp(score - most))
  let whole = 0
  let good = Number.MIN_VALUE
  for (const [at, odd] of odds.entries()) {
    whole += odd
    if (right[at] === true) good += odd
  }
  for (const [at, odd] of odds.entries()) {
    const pull = weight * ((right[at] === true ? odd / good : 0) - odd / whole)
    const values = features[at]
    if (values === undefined || pull === 0) continue
    for (let index = 0; index < values.length; index++)
      gradient[index] = (gradient[index] ?? 0) + pull * (values[index] ?? 0)
  }
}

/** The place of the first right tool, from 0; infinite where no candidate is right. */
export function rankOfRight({ features, right }: Lesson, weights: Weights): number {
  const scores = features.map((values) => weigh(values, weights))
  const best = Math.max(...scores.filter((_, at) => right[at] === true))
  return best === Number.NEGATIVE_INFINITY
    ? Number.POSITIVE_INFINITY
    : scores.filter((score) => score > best).length
}
