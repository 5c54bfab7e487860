import { median, type Summary, summarize } from '../harness/statistics.ts'
import type { Conversation } from './count-conversation.ts'
import type { Measured, Results } from './rounds.ts'
import type { AuditFigures } from './time-audit.ts'
import type { WriterFigures } from './time-writer.ts'

export function writerSummary(
  results: Results,
  id: string,
  figure: keyof WriterFigures,
): Summary | undefined {
  return summaryOf(writerFigures(results, id, figure))
}

export function auditSummary(
  results: Results,
  id: string,
  figure: keyof AuditFigures,
): Summary | undefined {
  return summaryOf(
    (results.get(id) ?? []).flatMap(({ figures }) =>
      figures.kind === 'audit' ? [figures[figure]] : [],
    ),
  )
}

export function conversationOf(results: Results, id: string): Conversation | undefined {
  const figures = results.get(id)?.[0]?.figures
  return figures?.kind === 'counts' ? figures : undefined
}

/** How many times the other's figure: the median over rounds, since what a busy machine slows it slows in one round for both. */
export function ratio(
  results: Results,
  figure: keyof WriterFigures,
  pair: { readonly of: string; readonly than: string },
): number | undefined {
  const theirs = writerFigures(results, pair.than, figure)
  const ratios = writerFigures(results, pair.of, figure).flatMap((mine, round) => {
    const their = theirs[round]
    return their === undefined ? [] : [mine / their]
  })
  return ratios.length === 0 ? undefined : median(ratios)
}

/** The disk and the neighbours while this was measured. */
export function besides(
  results: Results,
  id: string,
): { readonly disk: Summary; readonly foreignCpu: number } | undefined {
  const measured: readonly Measured[] = results.get(id) ?? []
  if (measured.length === 0) return undefined
  return {
    disk: summarize(measured.flatMap(({ disk }) => disk)),
    foreignCpu: median(measured.map(({ foreignCpu }) => foreignCpu)),
  }
}

function writerFigures(
  results: Results,
  id: string,
  figure: keyof WriterFigures,
): readonly number[] {
  return (results.get(id) ?? []).flatMap(({ figures }) =>
    figures.kind === 'writes' ? [figures[figure]] : [],
  )
}

function summaryOf(figures: readonly number[]): Summary | undefined {
  return figures.length === 0 ? undefined : summarize(figures)
}
