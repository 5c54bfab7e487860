import { calibration } from '../../../packs/events/testing/calibration.ts'
import { type ExaminedCase, isAllRight, shareRight } from '../../../packs/events/testing/examine.ts'
import { judgeFigure, type Verdict } from '../harness/goals.ts'
import { formatPercent } from '../harness/report.ts'
import { CLEAN, CLEAN_HELD_OUT, type Group } from './groups.ts'

type Field = 'date' | 'time' | 'title' | 'place'

const LEAST: readonly (readonly [Field, number])[] = [
  ['date', 0.9],
  ['time', 0.9],
  ['title', 0.85],
  ['place', 0.85],
]
/** How often a correct case has a higher confidence than an incorrect one. */
const LEAST_AUC = 0.7

/** The second figure of each goal is that of held-out cases, which do not decide. */
export function judgeGoals(examined: readonly ExaminedCase[]): readonly Verdict[] {
  const fields = LEAST.map(([field, least]) => ({
    ...judgeFigure(
      `${field}s right on clean input ≥ ${least * 100} %`,
      shareRight(examined.filter(CLEAN.holds), field),
      (share) => ({ isReached: share >= least, measured: formatPercent(share) }),
    ),
    beside: formatPercent(shareRight(examined.filter(CLEAN_HELD_OUT.holds), field)),
  }))
  const confidence = {
    ...judgeFigure(
      `the confidence separates wrong cases from right ones on clean input: AUC ≥ ${LEAST_AUC}`,
      measureAuc(examined, CLEAN),
      (auc) => ({ isReached: auc >= LEAST_AUC, measured: auc.toFixed(2) }),
    ),
    beside: measureAuc(examined, CLEAN_HELD_OUT)?.toFixed(2) ?? '–',
  }
  return [...fields, confidence]
}

function measureAuc(examined: readonly ExaminedCase[], { holds }: Group): number | undefined {
  return calibration(
    examined
      .filter(holds)
      .map((one) => ({ confidence: one.reading.confidence.overall, isRight: isAllRight(one) })),
  ).auc
}
