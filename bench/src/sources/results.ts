import type { RoundResults } from '../harness/rounds.ts'
import { medianRatio, type Summary, summarize } from '../harness/statistics.ts'
import type { Figures } from './measure.ts'

export type Results = RoundResults<Figures>

type Figure = Exclude<keyof Figures, 'check'>

export function summarizeFigure(results: Results, id: string, figure: Figure): Summary | undefined {
  return summarize(valuesOf(results, id, figure))
}

export function figureRatio(
  results: Results,
  figure: Figure,
  { of, than }: { readonly of: string; readonly than: string },
): number | undefined {
  return medianRatio(valuesOf(results, of, figure), valuesOf(results, than, figure))
}

function valuesOf({ figuresOf }: Results, id: string, figure: Figure): readonly number[] {
  return figuresOf(id).map((round) => round[figure])
}
