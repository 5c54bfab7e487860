import type { Noise } from '../harness/noise.ts'
import { figure, machine, noiseLine } from '../harness/report.ts'
import type { Summary } from '../harness/statistics.ts'
import { markdownTable, type Table, textTable } from '../harness/table.ts'
import { type Contender, durable } from './contenders.ts'
import { judge } from './goals.ts'
import { CONNECTIONS, WARM } from './measure.ts'
import { ratio, stdioRatio, stdioSummary, summaryOf, wireShare } from './results.ts'
import { type Results, STDIO, type Stdio } from './rounds.ts'

export type Run = {
  readonly contenders: readonly Contender[]
  readonly results: Results
  readonly noise: Noise
  readonly rounds: number
  readonly warmUpMs: number
  readonly timedMs: number
  readonly seconds: number
  readonly date: Date
  readonly command: string
}

type Part = { readonly title: string; readonly table: Table }

export function textReport(run: Run): string {
  return [
    ...partsOf(run).flatMap(({ title, table }) => [`\n${title}\n`, textTable(table)]),
    `\n${howMeasured(run)}`,
    `\n${machine()}; ${noiseLine(run.noise)}; ${Math.round(run.seconds)} s in all`,
  ].join('\n')
}

export function markdownReport(run: Run): string {
  return [
    `${run.date.toISOString().slice(0, 10)}, ${machine()}, \`${run.command}\`. Noise: ${noiseLine(run.noise)}.`,
    ...partsOf(run).flatMap(({ title, table }) => [`## ${title}`, markdownTable(table)]),
    `${howMeasured(run)}\n`,
  ].join('\n\n')
}

function partsOf(run: Run): readonly Part[] {
  const all = [
    { title: 'One tool over HTTP', table: wireTable(run) },
    { title: 'A durable write', table: durableTable(run) },
    { title: 'One tool over stdio', table: stdioTable(run) },
  ]
  return [
    ...all.filter(({ table }) => table.rows.length > 0),
    { title: 'Goals', table: goalsTable(run) },
  ]
}

function wireTable({ contenders, results }: Run): Table {
  const rows = contenders
    .filter(({ id }) => id !== durable.id)
    .map(({ id, label, does, validates }) => {
      const at = (
        connections: (typeof CONNECTIONS)[number],
        of: 'rate' | 'p50Ms' | 'p99Ms' | 'cpuUs',
      ) => summaryOf(results, id, { of, at: connections })
      const times = ratio(results, { of: 'rate', at: 64 }, { of: id, than: 'fastify' })
      return [
        label,
        CONNECTIONS.map((connections) => middle(at(connections, 'rate'))).join(' / '),
        spread(at(64, 'rate')),
        times === undefined ? '' : `${figure(times)} ×`,
        `${middle(at(64, 'p50Ms'))} / ${middle(at(64, 'p99Ms'))}`,
        middle(at(64, 'cpuUs')),
        validates,
        does,
      ]
    })
  return {
    head: [
      'contender',
      'a second at 1 / 16 / 64',
      'least–most at 64',
      '× Fastify',
      'p50 / p99 ms at 64',
      'CPU µs',
      'validates',
      'what it does',
    ],
    rows,
    right: [1, 2, 3, 4, 5],
  }
}

function durableTable({ results }: Run): Table {
  const rounds = results.wire.get(durable.id) ?? []
  const share = wireShare(rounds)
  const rates = CONNECTIONS.map((at) =>
    middle(summaryOf(results, durable.id, { of: 'rate', at })),
  ).join(' / ')
  const inProcess = rounds.flatMap((round) =>
    round.inProcess === undefined ? [] : [round.inProcess.rate],
  )
  return {
    head: [
      'contender',
      'a second at 1 / 16 / 64',
      'in process, 64 callers',
      'over HTTP × in process',
      'p99 ms at 64',
      'CPU µs',
      'what it does',
    ],
    rows:
      share === undefined
        ? []
        : [
            [
              durable.label,
              rates,
              inProcess.map(figure).join(' '),
              `${figure(share)} ×`,
              middle(summaryOf(results, durable.id, { of: 'p99Ms', at: 64 })),
              middle(summaryOf(results, durable.id, { of: 'cpuUs', at: 64 })),
              durable.does,
            ],
          ],
    right: [1, 2, 3, 4, 5],
  }
}

const STDIO_LABELS: Readonly<Record<Stdio, string>> = {
  'stdio-sdk': 'MCP SDK 2.4, serveStdio, bare tool',
  'stdio-surehand': 'Surehand, serveMcpStdio, governed',
}

function stdioTable({ results }: Run): Table {
  const rows = STDIO.filter((id) => (results.stdio.get(id)?.length ?? 0) > 0).map((id) => {
    const p50 = stdioSummary(results, id, 'p50Us')
    const times = stdioRatio(results, id, 'stdio-sdk')
    return [
      STDIO_LABELS[id],
      middle(p50),
      spread(p50),
      middle(stdioSummary(results, id, 'p99Us')),
      middle(stdioSummary(results, id, 'cpuUs')),
      times === undefined ? '' : `${figure(times)} ×`,
    ]
  })
  return {
    head: ['contender', 'µs a round trip', 'least–most', 'p99 µs', 'CPU µs', '× SDK'],
    rows,
    right: [1, 2, 3, 4, 5],
  }
}

function goalsTable({ results }: Run): Table {
  return {
    head: ['', 'measured', 'goal'],
    rows: judge(results).map(({ promise, measured, verdict }) => [verdict, measured, promise]),
    right: [1],
  }
}

function howMeasured({ rounds, warmUpMs, timedMs }: Run): string {
  return `Median and range of ${rounds} interleaved rounds, fresh processes each: the server on one core, the load generator (raw sockets, kept open, one request under way on each) on the other; ${warmUpMs} ms and ${WARM.requests.toLocaleString('en')} requests of warm-up (at most ${WARM.mostMs / 1000} s), then ${timedMs} ms at 1, 16 and 64 connections. CPU is the server's own, all threads. A ratio is the median of the rounds' own ratios. Answers and refusals were checked over the wire before timing.`
}

function middle(summary: Summary | undefined): string {
  return summary === undefined ? 'failed' : figure(summary.median)
}

function spread(summary: Summary | undefined): string {
  return summary === undefined ? '' : `${figure(summary.least)}–${figure(summary.most)}`
}
