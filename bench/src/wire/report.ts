import { goalsSection } from '../harness/goals.ts'
import {
  count,
  formatFigure,
  formatMedian,
  formatRange,
  formatRatio,
  type Report,
  type Section,
} from '../harness/report.ts'
import { durable, type HttpContender, type StdioContender } from './contenders.ts'
import { judgeGoals } from './goals.ts'
import { CONNECTIONS, WARM_UP } from './measure-http.ts'
import {
  httpRatio,
  inProcessRates,
  type Results,
  stdioRatio,
  summarizeHttp,
  summarizeStdio,
  wireShare,
} from './results.ts'

export type Run = {
  readonly contenders: readonly (HttpContender | StdioContender)[]
  readonly results: Results
  readonly rounds: number
  readonly warmUpMs: number
  readonly timedMs: number
}

export function createReport(run: Run): Report {
  return {
    sections: [
      httpSection(run),
      durableSection(run),
      stdioSection(run),
      goalsSection(judgeGoals(run.results)),
    ],
    notes: [describeMethod(run)],
    hasFailed: run.results.failures.size > 0,
  }
}

function httpSection({ contenders, results }: Run): Section {
  const rows = contenders.flatMap((contender) => {
    if (contender.kind !== 'http' || contender.id === durable.id) return []
    const { id, label, does, validates, cores } = contender
    const peer = cores === 'both' ? 'fastify-both' : 'fastify'
    const at64 = (of: 'rate' | 'p50Ms' | 'p99Ms' | 'cpuUs') =>
      summarizeHttp(results, id, { of, at: 64 })
    return [
      [
        label,
        formatRates(results, id),
        formatRange(at64('rate')),
        formatRatio(httpRatio(results, { of: 'rate', at: 64 }, { of: id, than: peer })),
        `${formatMedian(at64('p50Ms'))} / ${formatMedian(at64('p99Ms'))}`,
        formatMedian(at64('cpuUs')),
        validates,
        does,
      ],
    ]
  })
  return {
    title: 'One tool over HTTP',
    table: {
      head: [
        'contender',
        'per second at 1 / 16 / 64',
        'least–most at 64',
        '× Fastify',
        'p50 / p99 ms at 64',
        'CPU µs',
        'validates',
        'what it does',
      ],
      rows,
      right: [1, 2, 3, 4, 5],
    },
  }
}

function durableSection({ results }: Run): Section {
  const { id, label, does } = durable
  const share = wireShare(results, id)
  const row = [
    label,
    formatRates(results, id),
    inProcessRates(results, id).map(formatFigure).join(' '),
    formatRatio(share),
    formatMedian(summarizeHttp(results, id, { of: 'p99Ms', at: 64 })),
    formatMedian(summarizeHttp(results, id, { of: 'cpuUs', at: 64 })),
    does,
  ]
  return {
    title: 'A durable write',
    table: {
      head: [
        'contender',
        'per second at 1 / 16 / 64',
        'in process, 64 callers',
        'over HTTP × in process',
        'p99 ms at 64',
        'CPU µs',
        'what it does',
      ],
      rows: share === undefined ? [] : [row],
      right: [1, 2, 3, 4, 5],
    },
  }
}

function stdioSection({ contenders, results }: Run): Section {
  const rows = contenders.flatMap(({ kind, id, label }) => {
    if (kind !== 'stdio' || results.failures.has(id)) return []
    const p50 = summarizeStdio(results, id, 'p50Us')
    return [
      [
        label,
        formatMedian(p50),
        formatRange(p50),
        formatMedian(summarizeStdio(results, id, 'p99Us')),
        formatMedian(summarizeStdio(results, id, 'cpuUs')),
        formatRatio(stdioRatio(results, { of: id, than: 'stdio-sdk' })),
      ],
    ]
  })
  return {
    title: 'One tool over stdio',
    table: {
      head: ['contender', 'µs per round trip', 'least–most', 'p99 µs', 'CPU µs', '× SDK'],
      rows,
      right: [1, 2, 3, 4, 5],
    },
  }
}

function formatRates(results: Results, id: string): string {
  return CONNECTIONS.map((at) => formatMedian(summarizeHttp(results, id, { of: 'rate', at }))).join(
    ' / ',
  )
}

function describeMethod({ rounds, warmUpMs, timedMs }: Run): string {
  return `Median and range of ${count(rounds, 'interleaved round')}, each with new processes: the server on one core, the load generator (raw sockets, kept open, one request in flight on each) on the other, or where it says so both on both; a warm-up of ${warmUpMs} ms and ${WARM_UP.requests.toLocaleString('en')} requests (at most ${WARM_UP.mostMs / 1000} s), then ${timedMs} ms at 1, 16 and 64 connections. CPU is that of the server, all threads. A ratio is the median of the ratios of each round. Answers and refusals were checked over the wire before timing.`
}
