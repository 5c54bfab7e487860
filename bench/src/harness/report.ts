import { cpus } from 'node:os'
import { judge } from './goals.ts'
import type { Noise } from './noise.ts'
import { type Results, ratio, summaryOf } from './results.ts'
import type { Section, Suite } from './suite-shape.ts'
import { markdownTable, type Table, textTable } from './table.ts'

export type Run = {
  readonly results: Results
  readonly noise: Noise
  readonly rounds: number
  readonly seconds: number
  readonly date: Date
  readonly command: string
}

export function textReport(suite: Suite, run: Run): string {
  return [
    ...suite.sections.flatMap((section) => [
      `\n${section.title}\n`,
      textTable(timesTable(section, run.results)),
      `\n${howMeasured(section, run)}`,
    ]),
    '\ngoals\n',
    textTable(goalsTable(suite, run.results)),
    `\n${machine()}; ${noiseLine(run.noise)}; ${Math.round(run.seconds)} s in all`,
  ].join('\n')
}

export function markdownReport(suite: Suite, run: Run): string {
  return [
    `${run.date.toISOString().slice(0, 10)}, ${machine()}, \`${run.command}\`. Noise: ${noiseLine(run.noise)}.`,
    ...suite.sections.flatMap((section) => [
      `## ${section.title}`,
      markdownTable(timesTable(section, run.results)),
      howMeasured(section, run),
    ]),
    '## Goals',
    `${markdownTable(goalsTable(suite, run.results))}\n`,
  ].join('\n\n')
}

function timesTable(section: Section, results: Results): Table {
  const baseline = section.contenders.find(({ id }) => id === section.baseline)
  const rows = section.contenders.map((contender) => {
    const summary = summaryOf(results, contender.id)
    const times = ratio(results, contender.id, section.baseline)
    return {
      order: summary?.median ?? Number.POSITIVE_INFINITY,
      cells: [
        contender.label,
        summary === undefined ? 'failed' : figure(summary.median),
        summary === undefined ? '' : `${figure(summary.least)}–${figure(summary.most)}`,
        times === undefined ? '' : `${figure(times)} ×`,
        contender.validates,
        contender.does,
      ],
    }
  })
  rows.sort((left, right) => left.order - right.order)
  return {
    head: [
      'contender',
      'µs a call',
      'least–most',
      `× ${baseline?.label ?? section.baseline}`,
      'validates',
      'what it does',
    ],
    rows: rows.map(({ cells }) => cells),
    right: [1, 2, 3],
  }
}

function goalsTable(suite: Suite, results: Results): Table {
  const rows = suite.goals.map((goal) => {
    const { promise, measured, verdict } = judge(goal, results)
    return [verdict, measured, promise]
  })
  return { head: ['', 'measured', 'goal'], rows, right: [1] }
}

function howMeasured({ plan }: Section, { rounds }: Run): string {
  const { warmUpMs, warmUpCalls, warmUpAtMostMs, batchMs, batches } = plan
  return `Median and range of ${rounds} interleaved rounds, a fresh process each: warm-up of ${warmUpMs} ms and ${warmUpCalls} calls (at most ${warmUpAtMostMs} ms), then the median of ${batches} batches of ${batchMs} ms, one call after another. A ratio is the median of the rounds' own ratios. Answers and refusals were checked before timing.`
}

export function machine(): string {
  const list = cpus()
  return `${list.length} × ${list[0]?.model.trim() || process.arch}, Node ${process.versions.node}`
}

export function noiseLine({ foreignCpu, load, fdatasync }: Noise): string {
  const [before, after] = fdatasync
  return `foreign CPU ${(foreignCpu * 100).toFixed(0)} %, load ${load.map((average) => average.toFixed(2)).join(' ')}, fdatasync ${Math.round(before)}/s before and ${Math.round(after)}/s after`
}

export function figure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en')
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
