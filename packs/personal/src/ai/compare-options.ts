import { type Factors, type Part, weigh } from './weigh.ts'

type Compared = { readonly name: string; readonly factors: Factors }

export type Comparison = {
  /** The best option first. */
  readonly ranked: readonly Compared[]
  readonly best: Compared
  /** The lead over the second option. */
  readonly margin: number
  readonly turns: readonly (Omit<Turn, 'criterion'> & { readonly criterion: string })[]
}

/**
 * Compares options that are scored by the same parts. Options with equal scores keep their order.
 */
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
  const turns = winner === undefined ? [] : findTurns(scored, weights, winner)
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

/** An option with its raw scores, one for each criterion. */
export type Scored = { readonly name: string; readonly raw: readonly number[] }

/**
 * The weight of one criterion at which another option would win, while the other criteria keep
 * their proportions.
 */
type Turn = {
  readonly criterion: number
  readonly direction: 'above' | 'below'
  readonly threshold: number
  readonly winner: string
}

const TINY = 1e-9

/** The score of an option when one criterion has the given weight and the others share the rest. */
export function scoreAt(
  { raw }: Scored,
  weights: readonly number[],
  criterion: number,
  weight: number,
): number {
  const rest = 1 - (weights[criterion] ?? 0)
  // When this criterion has all of the weight, the others have no proportions and share the rest
  // equally.
  const others = raw.map((value, index) => {
    if (index === criterion) return 0
    return value * (rest > TINY ? (weights[index] ?? 0) / rest : 1 / Math.max(1, raw.length - 1))
  })
  return weight * (raw[criterion] ?? 0) + (1 - weight) * others.reduce((sum, one) => sum + one, 0)
}

/**
 * The weights at which the decision would change, the nearest one for each criterion and direction.
 * Weights sum to 1.
 */
export function findTurns(
  options: readonly Scored[],
  weights: readonly number[],
  winner: Scored,
): readonly Turn[] {
  return weights.flatMap((now, criterion) =>
    (['below', 'above'] as const).flatMap(
      (direction) => findNearestTurn({ options, weights, winner, criterion, now, direction }) ?? [],
    ),
  )
}

type TurnSearch = {
  readonly options: readonly Scored[]
  readonly weights: readonly number[]
  readonly winner: Scored
  readonly criterion: number
  readonly now: number
  readonly direction: 'above' | 'below'
}

// A score is linear in the weight of one criterion, so two options have equal scores at one weight
// or at none.
function findNearestTurn({
  options,
  weights,
  winner,
  criterion,
  now,
  direction,
}: TurnSearch): Turn | undefined {
  const meetings = options.flatMap(
    (other): readonly { readonly at: number; readonly slope: number; readonly name: string }[] => {
      if (other === winner) return []
      const lead = (weight: number) =>
        scoreAt(winner, weights, criterion, weight) - scoreAt(other, weights, criterion, weight)
      const [atNone, atAll] = [lead(0), lead(1)]
      const slope = atAll - atNone
      if (Math.abs(slope) < TINY) return []
      const at = -atNone / slope
      const isAhead =
        direction === 'above'
          ? slope < 0 && at >= now - TINY && at < 1 - TINY
          : slope > 0 && at <= now + TINY && at > TINY
      return isAhead ? [{ at, slope: Math.abs(slope), name: other.name }] : []
    },
  )
  // When several options overtake at the same weight, the one with the steepest slope leads after
  // it.
  const [first] = meetings.sort((one, other) =>
    Math.abs(one.at - other.at) < TINY
      ? other.slope - one.slope
      : Math.abs(one.at - now) - Math.abs(other.at - now),
  )
  return first === undefined
    ? undefined
    : { criterion, direction, threshold: Math.min(1, Math.max(0, first.at)), winner: first.name }
}
