import { fileURLToPath } from 'node:url'
import type { CallReport } from './call-child.ts'
import type { Contender, Workload } from './contender.ts'
import { goalsSection, judgeFigure, type Verdict } from './goals.ts'
import { chooseContenders, readOptions } from './options.ts'
import { count, formatMedian, formatRange, formatRatio, type Section } from './report.ts'
import { type RoundResults, runRounds } from './rounds.ts'
import { runChild } from './run-child.ts'
import { runSuite } from './run-suite.ts'
import { median, medianRatio, summarize } from './statistics.ts'
import type { Plan } from './time-calls.ts'

/** A suite that times calls in process. `suite.ts` in the suite's folder exports it as `suite`; its child processes import it again. */
export type CallSuite = {
  readonly name: string
  readonly sections: readonly CallSection[]
  /** May compare contenders of different sections: ids are unique in the suite. */
  readonly goals: readonly CallGoal[]
  readonly rounds: number
}

/** One table: contenders that do the same work. */
export type CallSection = {
  readonly title: string
  readonly contenders: readonly Contender[]
  /** The contender whose time is 1 in the ratio column. */
  readonly baseline: string
  readonly workload: Workload
  readonly plan: Plan
}

type Comparison = {
  readonly of: string
  readonly times: number
  readonly than: string
  readonly promise: string
}

export type CallGoal =
  | ({ readonly kind: 'at most' } & Comparison)
  | ({ readonly kind: 'faster' } & Comparison)
  | {
      readonly kind: 'within'
      readonly of: string
      readonly milliseconds: number
      readonly promise: string
    }

/** Microseconds per call, one figure per round. */
type Results = RoundResults<number>

const CHILD = fileURLToPath(new URL('call-child.ts', import.meta.url))

export async function runCallSuite(suite: CallSuite, suiteFile: string): Promise<void> {
  const options = readOptions({ rounds: suite.rounds })
  const contenders = chooseContenders(
    suite.sections.flatMap((section) => section.contenders),
    options.only,
  )
  console.log(
    `${suite.name}: ${count(contenders.length, 'contender')}, ${count(options.rounds, 'round')}`,
  )
  await runSuite(suite.name, options, async ({ startNoiseWatch }) => {
    startNoiseWatch()
    let childCpuMs = 0
    const results = await runRounds(contenders, {
      rounds: options.rounds,
      measure: async ({ id }) => {
        const { batches, cpuMs } = await runChild<CallReport>({
          file: CHILD,
          args: [suiteFile, id],
        })
        childCpuMs += cpuMs
        return median(batches)
      },
      describe: (microseconds) => `${microseconds.toFixed(2)} µs`,
    })
    const sections = suite.sections.map((section) => ({
      ...section,
      contenders: section.contenders.filter((contender) => contenders.includes(contender)),
    }))
    return {
      sections: [
        ...sections.map((section) => timesSection(section, results, options.rounds)),
        goalsSection(suite.goals.map((goal) => judgeGoal(goal, results))),
      ],
      hasFailed: results.failures.size > 0,
      childCpuMs,
    }
  })
}

function timesSection(section: CallSection, results: Results, rounds: number): Section {
  const { contenders, baseline, plan } = section
  const rows = contenders.map(({ id, label, validates, does }) => {
    const summary = summarize(results.figuresOf(id))
    const ratio = medianRatio(results.figuresOf(id), results.figuresOf(baseline))
    return {
      order: summary?.median ?? Number.POSITIVE_INFINITY,
      cells: [
        label,
        formatMedian(summary),
        formatRange(summary),
        formatRatio(ratio),
        validates,
        does,
      ],
    }
  })
  rows.sort((left, right) => left.order - right.order)
  const baselineLabel = contenders.find(({ id }) => id === baseline)?.label ?? baseline
  return {
    title: section.title,
    table: {
      head: [
        'contender',
        'µs per call',
        'least–most',
        `× ${baselineLabel}`,
        'validates',
        'what it does',
      ],
      rows: rows.map(({ cells }) => cells),
      right: [1, 2, 3],
    },
    notes: [
      `Median and range of ${count(rounds, 'interleaved round')}, each in a new process: a warm-up of ${plan.warmUpMs} ms and ${plan.warmUpCalls} calls (at most ${plan.warmUpAtMostMs} ms), then the median of ${plan.batches} batches of ${plan.batchMs} ms, one call after another. A ratio is the median of the ratios of each round. Answers and refusals were checked before timing.`,
    ],
  }
}

function judgeGoal(goal: CallGoal, { figuresOf }: Results): Verdict {
  switch (goal.kind) {
    case 'at most':
      return judgeFigure(
        goal.promise,
        medianRatio(figuresOf(goal.of), figuresOf(goal.than)),
        (times) => ({ isReached: times <= goal.times, measured: `${times.toFixed(2)} ×` }),
      )
    case 'faster':
      return judgeFigure(
        goal.promise,
        medianRatio(figuresOf(goal.than), figuresOf(goal.of)),
        (times) => ({ isReached: times >= goal.times, measured: `${times.toFixed(1)} ×` }),
      )
    case 'within':
      return judgeFigure(goal.promise, summarize(figuresOf(goal.of))?.median, (microseconds) => ({
        isReached: microseconds / 1000 <= goal.milliseconds,
        measured: `${(microseconds / 1000).toFixed(2)} ms`,
      }))
  }
}
