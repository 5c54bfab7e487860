import { type Results, ratio, summaryOf } from './results.ts'

/** A promise of PERFORMANCE.md that this suite can weigh. */
export type Goal =
  | {
      readonly kind: 'at most'
      readonly of: string
      readonly times: number
      readonly than: string
      readonly promise: string
    }
  | {
      readonly kind: 'faster'
      readonly of: string
      readonly times: number
      readonly than: string
      readonly promise: string
    }
  | {
      readonly kind: 'within'
      readonly of: string
      readonly milliseconds: number
      readonly promise: string
    }

export type Verdict = {
  readonly promise: string
  readonly measured: string
  readonly verdict: 'pass' | 'miss' | 'not measured'
}

export function judge(goal: Goal, results: Results): Verdict {
  switch (goal.kind) {
    case 'at most': {
      const found = ratio(results, goal.of, goal.than)
      return verdict(goal.promise, found, (times) => ({
        isKept: times <= goal.times,
        measured: `${times.toFixed(2)} ×`,
      }))
    }
    case 'faster': {
      const found = ratio(results, goal.than, goal.of)
      return verdict(goal.promise, found, (times) => ({
        isKept: times >= goal.times,
        measured: `${times.toFixed(1)} ×`,
      }))
    }
    case 'within': {
      const found = summaryOf(results, goal.of)?.median
      return verdict(goal.promise, found, (microseconds) => ({
        isKept: microseconds / 1000 <= goal.milliseconds,
        measured: `${(microseconds / 1000).toFixed(2)} ms`,
      }))
    }
  }
}

function verdict(
  promise: string,
  found: number | undefined,
  weigh: (found: number) => { isKept: boolean; measured: string },
): Verdict {
  if (found === undefined) return { promise, measured: '–', verdict: 'not measured' }
  const { isKept, measured } = weigh(found)
  return { promise, measured, verdict: isKept ? 'pass' : 'miss' }
}
