import { type Scored, type Turn, turnsOf } from './sensitivity.ts'
import { type Factors, type Part, weigh } from './weigh.ts'

export type Compared = { readonly name: string; readonly factors: Factors }

export type Comparison = {
  /** The best first. */
  readonly ranked: readonly Compared[]
  readonly best: Compared
  /** How far it is ahead of the next. */
  readonly margin: number
  readonly turns: readonly (Omit<Turn, 'criterion'> & { readonly criterion: string })[]
}

/** Weighs options that are judged by the same parts; equal ones stay in the order they were given. */
export function compareOptions(
  options: readonly { readonly name: string; readonly parts: readonly Part[] }[],
): Comparison {
  const compared = options.map(({ name, parts }): Compared => ({ name, factors: weigh(parts) }))
  const ranked = [...compared].sort(
    (one, other) => other.factors.total_score - one.factors.total_score,
  )
  const [best, next] = ranked
  if (best === undefined) throw new TypeError('There is nothing to compare.')
  const weights = best.factors.factors.map(({ weight }) => weight)
  const names = best.factors.factors.map(({ name }) => name)
  const scored = compared.map(
    ({ name, factors }): Scored => ({
      name,
      raw: factors.factors.map(({ raw_score }) => raw_score),
    }),
  )
  const winner = scored[compared.indexOf(best)]
  const turns = winner === undefined ? [] : turnsOf(scored, weights, winner)
  return {
    ranked,
    best,
    margin:
      next === undefined
        ? 10
        : Math.round((best.factors.total_score - next.factors.total_score) * 1000) / 1000,
    turns: turns.map(({ criterion, ...turn }) => ({ ...turn, criterion: names[criterion] ?? '' })),
  }
}
