import { judgeFigure, type Verdict } from '../harness/goals.ts'
import { figureRatio, type Results, summarizeFigure } from './results.ts'

/** The work alone; with imports and reading; or from the start of the process. */
type Part = 'make' | 'beyond' | 'whole'

const TIMES = 2
const CACHED_MS = 30
const COLD_MS = 300

/** The goals for documents. The wall clock decides; CPU time, which a busy machine does not stretch, stands beside it. */
export function judgeGoals(results: Results): readonly Verdict[] {
  return [
    judgeRatio(results, 'make', { document: 'github', promise: 'GitHub, text to tools' }),
    judgeRatio(results, 'beyond', {
      document: 'github',
      promise: 'GitHub, with imports and reading',
    }),
    judgeRatio(results, 'make', { document: 'stripe', promise: 'Stripe, text to tools' }),
    judgeRatio(results, 'beyond', {
      document: 'stripe',
      promise: 'Stripe, with imports and reading',
    }),
    judgeMs(results, 'github-cached', {
      promise: "GitHub from the cache, beyond Node's start",
      part: 'beyond',
      mostMs: CACHED_MS,
    }),
    judgeMs(results, 'stripe-cached', {
      promise: "Stripe from the cache, beyond Node's start",
      part: 'beyond',
      mostMs: CACHED_MS,
    }),
    judgeMs(results, 'cut-surehand', {
      promise: '200 operations cold, text to tools',
      part: 'make',
      mostMs: COLD_MS,
    }),
    judgeMs(results, 'cut-surehand', {
      promise: '200 operations cold, the whole process',
      part: 'whole',
      mostMs: COLD_MS,
    }),
    judgeMs(results, 'cut-sources', {
      promise: '200 operations cold, the whole process from sources',
      part: 'whole',
      mostMs: COLD_MS,
    }),
  ]
}

type RatioGoal = { readonly document: string; readonly promise: string }

function judgeRatio(results: Results, part: Part, { document, promise }: RatioGoal): Verdict {
  const pair = { of: `${document}-surehand`, than: `${document}-json` }
  const format = (ratio: number): string => `${ratio.toFixed(2)} ×`
  return judgeTwoClocks(
    `${promise} ≤ ${TIMES} × JSON.parse`,
    {
      wall: figureRatio(results, `${part}Ms`, pair),
      cpu: figureRatio(results, `${part}CpuMs`, pair),
    },
    { most: TIMES, format },
  )
}

type TimeGoal = { readonly promise: string; readonly part: Part; readonly mostMs: number }

function judgeMs(results: Results, id: string, { promise, part, mostMs }: TimeGoal): Verdict {
  const format = (ms: number): string => `${ms.toFixed(0)} ms`
  return judgeTwoClocks(
    `${promise} ≤ ${mostMs} ms`,
    {
      wall: summarizeFigure(results, id, `${part}Ms`)?.median,
      cpu: summarizeFigure(results, id, `${part}CpuMs`)?.median,
    },
    { most: mostMs, format },
  )
}

function judgeTwoClocks(
  promise: string,
  { wall, cpu }: { readonly wall: number | undefined; readonly cpu: number | undefined },
  { most, format }: { readonly most: number; readonly format: (value: number) => string },
): Verdict {
  const verdict = judgeFigure(promise, wall, (value) => ({
    isReached: value <= most,
    measured: format(value),
  }))
  return { ...verdict, beside: cpu === undefined ? '–' : format(cpu) }
}
