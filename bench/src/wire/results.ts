import type { RoundResults } from '../harness/rounds.ts'
import { medianRatio, type Summary, summarize } from '../harness/statistics.ts'
import type { Connections, HttpFigures, LoadResult } from './measure-http.ts'
import type { StdioFigures } from './stdio-client.ts'

export type Results = RoundResults<HttpFigures | StdioFigures>

export type Figure = { readonly of: keyof LoadResult; readonly at: Connections }
export type Pair = { readonly of: string; readonly than: string }

export function summarizeHttp(results: Results, id: string, figure: Figure): Summary | undefined {
  return summarize(httpValues(results, id, figure))
}

export function httpRatio(results: Results, figure: Figure, pair: Pair): number | undefined {
  return medianRatio(httpValues(results, pair.of, figure), httpValues(results, pair.than, figure))
}

export function summarizeStdio(
  results: Results,
  id: string,
  figure: StdioFigure,
): Summary | undefined {
  return summarize(stdioValues(results, id, figure))
}

export function stdioRatio(results: Results, { of, than }: Pair): number | undefined {
  return medianRatio(stdioValues(results, of, 'p50Us'), stdioValues(results, than, 'p50Us'))
}

/** The rates of the same work without the wire. */
export function inProcessRates(results: Results, id: string): readonly number[] {
  return httpRounds(results, id).flatMap(({ inProcess }) =>
    inProcess === undefined ? [] : [inProcess.rate],
  )
}

/** The share of the in-process rate that is reached over the wire. */
export function wireShare(results: Results, id: string): number | undefined {
  return medianRatio(httpValues(results, id, { of: 'rate', at: 64 }), inProcessRates(results, id))
}

type StdioFigure = Exclude<keyof StdioFigures, 'kind'>

function httpRounds({ figuresOf }: Results, id: string): readonly HttpFigures[] {
  return figuresOf(id).flatMap((figures) => (figures.kind === 'http' ? [figures] : []))
}

function httpValues(results: Results, id: string, { of, at }: Figure): readonly number[] {
  return httpRounds(results, id).map(({ by }) => by[at][of])
}

function stdioValues({ figuresOf }: Results, id: string, figure: StdioFigure): readonly number[] {
  return figuresOf(id).flatMap((figures) => (figures.kind === 'stdio' ? [figures[figure]] : []))
}
