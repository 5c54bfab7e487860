import { goalsSection } from '../harness/goals.ts'
import { count, formatMedian, formatPercent, formatRange, type Report } from '../harness/report.ts'
import type { Table } from '../harness/table.ts'
import type { Contender, Store } from './contenders.ts'
import { judgeGoals } from './goals.ts'
import {
  countsOf,
  type Results,
  summarizeAudit,
  summarizeWriter,
  surroundingsOf,
  writerRatio,
} from './results.ts'
import { TIMED_MS, WARM_UP } from './time-writer.ts'

export type Run = {
  readonly contenders: readonly Contender[]
  readonly results: Results
  readonly rounds: number
}

export function createReport(run: Run): Report {
  const rounds = `Median and range of ${count(run.rounds, 'interleaved round')}`
  const writes = [
    `${rounds}, each with a new process and a new database: a warm-up of ${WARM_UP.leastMs / 1000} s and ${WARM_UP.leastCalls} calls (at most ${WARM_UP.mostMs / 1000} s), then ${TIMED_MS / 1000} s with the given number of callers, each with one call in flight. Every call was found in the database afterwards, with its effect and its records. A ratio is the median of the ratios of each round. CPU is that of the calling process, all threads, without the server's; fdatasync is the disk's raw rate (4 KiB appended) just before and after.`,
  ]
  return {
    sections: [
      { title: 'Durable writes on SQLite', table: writesTable(run, 'sqlite'), notes: writes },
      { title: 'Durable writes on PostgreSQL', table: writesTable(run, 'postgres'), notes: writes },
      {
        title: 'Commits and round trips of a call',
        table: countsTable(run),
        notes: [
          "50 calls of one caller, one after another. SQLite's commits are counted at the driver, in every thread; PostgreSQL's durable commits by the server, as flushes of its log by client sessions; statements and round trips at the driver.",
        ],
      },
      {
        title: 'Audit',
        table: auditTable(run),
        notes: [
          `${rounds}. Records are sequenced in batches of 500, each with a signed head, durable and anchored. The export is verified in memory, by one thread, after the verifier has detected a changed record in it.`,
        ],
      },
      goalsSection(judgeGoals(run.results)),
    ],
    hasFailed: run.results.failures.size > 0,
  }
}

function writesTable({ contenders, results }: Run, store: Store): Table {
  const rows = contenders
    .filter((contender) => contender.kind === 'writes' && contender.store === store)
    .map(({ id, label, callers, does }) => {
      const bare = { of: id, than: `${store}-bare-${callers}` }
      const rate = summarizeWriter(results, id, 'rate')
      return [
        label,
        String(callers),
        formatMedian(rate),
        formatRange(rate),
        formatTimes(writerRatio(results, 'rate', bare)),
        formatMedian(summarizeWriter(results, id, 'p50Ms'), ''),
        formatMedian(summarizeWriter(results, id, 'p99Ms'), ''),
        formatTimes(writerRatio(results, 'p99Ms', bare)),
        summarizeWriter(results, id, 'cpuUs')?.median.toFixed(0) ?? '',
        ...surroundingCells(results, id),
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
    'CPU µs per call',
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
      const counts = countsOf(results, id)
      const cells = [
        counts?.durableCommits,
        counts?.lazyCommits,
        counts?.sent?.statements,
        counts?.sent?.roundTrips,
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
      const cells = (['sequenced', 'exported', 'verified'] as const).flatMap((name) => {
        const summary = summarizeAudit(results, id, name)
        return [formatMedian(summary), formatRange(summary)]
      })
      return [store, label, ...cells, ...surroundingCells(results, id)]
    })
  const head = [
    'store',
    '',
    'sequenced/s',
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

function surroundingCells(results: Results, id: string): readonly [string, string] {
  const found = surroundingsOf(results, id)
  return found === undefined
    ? ['', '']
    : [formatMedian(found.disk, ''), formatPercent(found.foreignCpu)]
}

function formatTimes(ratio: number | undefined): string {
  return ratio === undefined ? '' : `${ratio.toFixed(2)} ×`
}
