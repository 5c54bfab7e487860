import { median, type Summary, summarize } from '../harness/statistics.ts'
import type { Connections, Figures, Measured } from './measure.ts'
import type { Results, Stdio } from './rounds.ts'
import type { StdioTold } from './stdio-client.ts'

export type Figure = { readonly of: keyof Figures; readonly at: Connections }

export function summaryOf(results: Results, id: string, { of, at }: Figure): Summary | undefined {
  const rounds = results.wire.get(id) ?? []
  return rounds.length === 0 ? undefined : summarize(rounds.map(({ by }) => by[at][of]))
}

/** The median of the rounds' own ratios: what a busy minute slows, it slows for both. */
export function ratio(
  results: Results,
  { of, at }: Figure,
  pair: { readonly of: string; readonly than: string },
): number | undefined {
  const mine = results.wire.get(pair.of) ?? []
  const theirs = results.wire.get(pair.than) ?? []
  return medianRatio(mine, theirs, ({ by }) => by[at][of])
}

export function stdioRatio(results: Results, of: Stdio, than: Stdio): number | undefined {
  return medianRatio(
    results.stdio.get(of) ?? [],
    results.stdio.get(than) ?? [],
    ({ p50Us }) => p50Us,
  )
}

export function stdioSummary(
  results: Results,
  id: Stdio,
  figure: keyof StdioTold,
): Summary | undefined {
  const rounds = results.stdio.get(id) ?? []
  return rounds.length === 0 ? undefined : summarize(rounds.map((round) => round[figure]))
}

/** Of what the store does in process, the share that arrives over the wire. */
export function wireShare(rounds: readonly Measured[]): number | undefined {
  return medianRatio(
    rounds,
    rounds,
    ({ by }) => by[64].rate,
    ({ inProcess }) => inProcess?.rate ?? Number.NaN,
  )
}

function medianRatio<T>(
  mine: readonly T[],
  theirs: readonly T[],
  figure: (one: T) => number,
  theirFigure: (one: T) => number = figure,
): number | undefined {
  const ratios = mine.flatMap((one, round) => {
    const other = theirs[round]
    return other === undefined ? [] : [figure(one) / theirFigure(other)]
  })
  return ratios.length === 0 ? undefined : median(ratios)
}
