import type { Section } from './report.ts'

/** A goal of the project, and whether this run reached it. */
export type Verdict = {
  readonly promise: string
  readonly measured: string
  /** A second figure beside the one that decides, in a column of its own. */
  readonly beside?: string
  readonly verdict: 'pass' | 'miss' | 'not measured'
}

/** Compares a figure with a goal; `weigh` says whether the goal is reached and how the figure is printed. */
export function judgeFigure<Figure>(
  promise: string,
  found: Figure | undefined,
  weigh: (found: Figure) => { readonly isReached: boolean; readonly measured: string },
): Verdict {
  if (found === undefined) return { promise, measured: '–', verdict: 'not measured' }
  const { isReached, measured } = weigh(found)
  return { promise, measured, verdict: isReached ? 'pass' : 'miss' }
}

/** `besideTitle` is the title of the column with the second figures. */
export function goalsSection(verdicts: readonly Verdict[], besideTitle?: string): Section {
  const hasBeside = besideTitle !== undefined
  return {
    title: 'Goals',
    table: {
      head: ['', 'measured', ...(hasBeside ? [besideTitle] : []), 'goal'],
      rows: verdicts.map(({ verdict, measured, beside = '', promise }) => [
        verdict,
        measured,
        ...(hasBeside ? [beside] : []),
        promise,
      ]),
      right: hasBeside ? [1, 2] : [1],
    },
  }
}
