import type { Noise } from '../harness/noise.ts'
import { figure, machine, noiseLine } from '../harness/report.ts'
import type { Summary } from '../harness/statistics.ts'
import { markdownTable, type Table, textTable } from '../harness/table.ts'
import type { Contender, Store } from './contenders.ts'
import { judge } from './goals.ts'
import { auditSummary, besides, conversationOf, ratio, writerSummary } from './results.ts'
import type { Results } from './rounds.ts'
import { TIMED_MS, WARM_UP } from './time-writer.ts'

export type Run = {
  readonly contenders: readonly Contender[]
  readonly results: Results
  readonly noise: Noise
  readonly rounds: number
  readonly seconds: number
  readonly date: Date
  readonly command: string
}

type Section = { readonly title: string; readonly table: Table; readonly how: string }

export function textReport(run: Run): string {
  return [
    ...sectionsOf(run).flatMap(({ title, table, how }) => [
      `\n${title}\n`,
      textTable(table),
      `\n${how}`,
    ]),
    '\ngoals\n',
    textTable(goalsTable(run)),
    `\n${machine()}; ${noiseLine(run.noise)}; ${Math.round(run.seconds)} s in all`,
  ].join('\n')
}

export function markdownReport(run: Run): string {
  return [
    `${run.date.toISOString().slice(0, 10)}, ${machine()}, \`${run.command}\`. Noise: ${noiseLine(run.noise)}.`,
    ...sectionsOf(run).flatMap(({ title, table, how }) => [
      `## ${title}`,
      markdownTable(table),
      how,
    ]),
    '## Goals',
    `${markdownTable(goalsTable(run))}\n`,
  ].join('\n\n')
}

function sectionsOf(run: Run): readonly Section[] {
  const { contenders, rounds } = run
  const timed = `Median and range of ${rounds} interleaved rounds, a fresh process and a fresh database each: warm-up of ${WARM_UP.leastMs / 1000} s and ${WARM_UP.leastCalls} calls (at most ${WARM_UP.mostMs / 1000} s), then ${TIMED_MS / 1000} s with so many callers, each with one call under way. Every call was found in the database afterwards, with its effect and its records. Ratios are the median of the rounds' own. CPU is the calling process's, all threads, without the server's; fdatasync is the disk's raw rate (4 KiB appended) just before and after.`
  return [
    { title: 'Durable writes on SQLite', table: writesTable(run, 'sqlite'), how: timed },
    { title: 'Durable writes on PostgreSQL', table: writesTable(run, 'postgres'), how: timed },
    {
      title: 'What a call costs',
      table: countsTable(run),
      how: "50 calls of one caller, one after another. SQLite's commits are counted at the driver, in every thread; PostgreSQL's durable commits by the server, as flushes of its log by client sessions; statements and round trips at the driver.",
    },
    {
      title: 'Audit',
      table: auditTable(run),
      how: `Median and range of ${rounds} interleaved rounds. Places are given in batches of 500, each with a signed head, durable and anchored. The export is verified in memory, by one thread, after a changed record was seen in it.`,
    },
  ].filter(({ table }) => table.rows.length > 0 && contenders.length > 0)
}

function writesTable({ contenders, results }: Run, store: Store): Table {
  const rows = contenders
    .filter((contender) => contender.kind === 'writes' && contender.store === store)
    .map(({ id, label, callers, does }) => {
      const bare = { of: id, than: `${store}-bare-${callers}` }
      const [rate, p50, p99] = (['rate', 'p50Ms', 'p99Ms'] as const).map((name) =>
        writerSummary(results, id, name),
      )
      return [
        label,
        String(callers),
        rate === undefined ? 'failed' : figure(rate.median),
        range(rate),
        times(ratio(results, 'rate', bare)),
        p50 === undefined ? '' : figure(p50.median),
        p99 === undefined ? '' : figure(p99.median),
        times(ratio(results, 'p99Ms', bare)),
        writerSummary(results, id, 'cpuUs')?.median.toFixed(0) ?? '',
        ...machineCells(results, id),
        does,
      ]
    })
  const head = [
    'contender',
    'callers',
    'calls/s',
    'least–most',
    '× bare',
    'p50 ms',
    'p99 ms',
    'p99 × bare',
    'CPU µs a call',
  ]
  return {
    head: [...head, 'fdatasync/s', 'foreign CPU', 'what it does'],
    rows,
    right: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  }
}

function countsTable({ contenders, results }: Run): Table {
  const rows = contenders
    .filter(({ kind }) => kind === 'counts')
    .map(({ id, store, label }) => {
      const counted = conversationOf(results, id)
      const cells = [
        counted?.durableCommits,
        counted?.lazyCommits,
        counted?.sent?.statements,
        counted?.sent?.roundTrips,
      ]
      return [
        store,
        label,
        ...cells.map((cell) => (cell === undefined ? '–' : String(Number(cell.toFixed(2))))),
      ]
    })
  return {
    head: ['store', 'a call', 'durable commits', 'other commits', 'statements sent', 'round trips'],
    rows,
    right: [2, 3, 4, 5],
  }
}

function auditTable({ contenders, results }: Run): Table {
  const rows = contenders
    .filter(({ kind }) => kind === 'audit')
    .map(({ id, store, label }) => {
      const summaries = (['sequenced', 'exported', 'verified'] as const).map((name) =>
        auditSummary(results, id, name),
      )
      const cells = summaries.flatMap((summary) => [
        summary === undefined ? 'failed' : figure(summary.median),
        range(summary),
      ])
      return [store, label, ...cells, ...machineCells(results, id)]
    })
  const head = [
    'store',
    '',
    'places/s',
    'least–most',
    'exported/s',
    'least–most',
    'verified/s',
    'least–most',
    'fdatasync/s',
    'foreign CPU',
  ]
  return { head, rows, right: [2, 3, 4, 5, 6, 7, 8, 9] }
}

function goalsTable({ results }: Run): Table {
  return {
    head: ['', 'measured', 'goal'],
    rows: judge(results).map(({ verdict, measured, promise }) => [verdict, measured, promise]),
    right: [1],
  }
}

function machineCells(results: Results, id: string): readonly [string, string] {
  const found = besides(results, id)
  return found === undefined
    ? ['', '']
    : [figure(found.disk.median), `${(found.foreignCpu * 100).toFixed(0)} %`]
}

function range(summary: Summary | undefined): string {
  return summary === undefined ? '' : `${figure(summary.least)}–${figure(summary.most)}`
}

function times(value: number | undefined): string {
  return value === undefined ? '' : `${value.toFixed(2)} ×`
}
