import { median, type Summary, summarize } from '../harness/statistics.ts'
import type { Results } from './rounds.ts'
import type { Figures } from './run-child.ts'

export type Pair = { readonly of: string; readonly than: string }

export function roundsOf(results: Results, id: string): readonly Figures[] {
  const result = results.get(id)
  return result?.status === 'measured' ? result.rounds : []
}

export function summaryOf(
  results: Results,
  id: string,
  figure: keyof Figures,
): Summary | undefined {
  const rounds = roundsOf(results, id)
  return rounds.length === 0 ? undefined : summarize(rounds.map((round) => round[figure]))
}

/** The median of the rounds' own ratios: what a busy minute slows, it slows for both. */
export function ratio(
  results: Results,
  figure: keyof Figures,
  { of, than }: Pair,
): number | undefined {
  const theirs = roundsOf(results, than)
  const ratios = roundsOf(results, of).flatMap((mine, round) => {
    const other = theirs[round]
    return other === undefined ? [] : [mine[figure] / other[figure]]
  })
  return ratios.length === 0 ? undefined : median(ratios)
}
