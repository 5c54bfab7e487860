import { median, type Summary, summarize } from './statistics.ts'

/** The µs a call of a contender, one figure a round; none at all if any round failed. */
export type Result = {
  readonly id: string
  readonly rounds: readonly number[]
  readonly failure: string | undefined
}

export type Results = ReadonlyMap<string, Result>

export function summaryOf(results: Results, id: string): Summary | undefined {
  const figures = results.get(id)?.rounds ?? []
  return figures.length === 0 ? undefined : summarize(figures)
}

/** How many times `other`'s time this one takes: the median over rounds, since what a busy machine slows it slows in one round for both. */
export function ratio(results: Results, id: string, other: string): number | undefined {
  const theirs = results.get(other)?.rounds ?? []
  const ratios = (results.get(id)?.rounds ?? []).flatMap((mine, round) => {
    const their = theirs[round]
    return their === undefined ? [] : [mine / their]
  })
  return ratios.length === 0 ? undefined : median(ratios)
}
