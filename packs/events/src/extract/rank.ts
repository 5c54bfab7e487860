/** What is true of a candidate: names with a value, 1 where nothing else is said. */
export type Features = ReadonlyMap<string, number>

/** How much each feature speaks for a candidate; a feature without a weight says nothing. */
export type Weights = Readonly<Record<string, number>>

export type Ranked<T> = {
  readonly value: T
  readonly score: number
  /** The share of this candidate among all, by a log-linear model. */
  readonly probability: number
}

/** Orders candidates by a log-linear model, the likeliest first. */
export function rank<T>(
  candidates: readonly { readonly value: T; readonly features: Features }[],
  weights: Weights,
): readonly Ranked<T>[] {
  const scored = candidates.map(({ value, features }) => ({
    value,
    score: scoreFeatures(features, weights),
  }))
  const best = scored.reduce((most, { score }) => Math.max(most, score), Number.NEGATIVE_INFINITY)
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - best), 0)
  return scored
    .map((one) => ({ ...one, probability: Math.exp(one.score - best) / total }))
    .toSorted((one, other) => other.score - one.score)
}

export function scoreFeatures(features: Features, weights: Weights): number {
  let score = 0
  for (const [name, value] of features) score += value * (weights[name] ?? 0)
  return score
}
