import type { RoundResults } from '../harness/rounds.ts'
import { median, medianRatio, type Summary, summarize } from '../harness/statistics.ts'
import type { CallCounts } from './count-call.ts'
import type { Measured } from './measure.ts'
import type { AuditFigures } from './time-audit.ts'
import type { WriterFigures } from './time-writer.ts'

export type Results = RoundResults<Measured>

export function summarizeWriter(
  results: Results,
  id: string,
  figure: keyof WriterFigures,
): Summary | undefined {
  return summarize(writerValues(results, id, figure))
}

export function summarizeAudit(
  { figuresOf }: Results,
  id: string,
  figure: keyof AuditFigures,
): Summary | undefined {
  return summarize(
    figuresOf(id).flatMap(({ figures }) => (figures.kind === 'audit' ? [figures[figure]] : [])),
  )
}

export function countsOf({ figuresOf }: Results, id: string): CallCounts | undefined {
  const figures = figuresOf(id)[0]?.figures
  return figures?.kind === 'counts' ? figures : undefined
}

export function writerRatio(
  results: Results,
  figure: keyof WriterFigures,
  { of, than }: { readonly of: string; readonly than: string },
): number | undefined {
  return medianRatio(writerValues(results, of, figure), writerValues(results, than, figure))
}

/** The disk's rate and the share of CPU that other processes used while this contender was measured. */
export function surroundingsOf(
  { figuresOf }: Results,
  id: string,
): { readonly disk: Summary | undefined; readonly foreignCpu: number } | undefined {
  const measured = figuresOf(id)
  if (measured.length === 0) return undefined
  return {
    disk: summarize(measured.flatMap(({ disk }) => disk)),
    foreignCpu: median(measured.map(({ foreignCpu }) => foreignCpu)),
  }
}

function writerValues(
  { figuresOf }: Results,
  id: string,
  figure: keyof WriterFigures,
): readonly number[] {
  return figuresOf(id).flatMap(({ figures }) =>
    figures.kind === 'writes' ? [figures[figure]] : [],
  )
}
