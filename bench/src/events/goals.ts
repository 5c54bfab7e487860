import { calibration } from '../../../packs/events/testing/calibration.ts'
import { type Examined, isAllRight, shareRight } from '../../../packs/events/testing/examine.ts'
import { CLEAN, CLEAN_HELD_OUT, type Group } from './groups.ts'

export type Judged = {
  readonly promise: string
  readonly measured: string
  /** The same for held-out cases, which have no part in the verdict. */
  readonly heldOut: string
  readonly verdict: 'pass' | 'miss' | 'not measured'
}

type Field = 'date' | 'time' | 'title' | 'place'

const LEAST: readonly (readonly [Field, number])[] = [
  ['date', 0.9],
  ['time', 0.9],
  ['title', 0.85],
  ['place', 0.85],
]
/** How often a case that is right is told with more confidence than one that is not. */
const LEAST_AUC = 0.7

export function judge(examined: readonly Examined[]): readonly Judged[] {
  const fields = LEAST.map(([field, least]) => {
    const measured = shareRight(examined.filter(CLEAN.holds), field)
    return {
      promise: `${field}s right on clean input ≥ ${least * 100} %`,
      measured: percent(measured),
      heldOut: percent(shareRight(examined.filter(CLEAN_HELD_OUT.holds), field)),
      verdict: verdictOf(measured, least),
    }
  })
  const told = aucOf(examined, CLEAN)
  return [
    ...fields,
    {
      promise: `the confidence tells wrong cases from right ones on clean input: AUC ≥ ${LEAST_AUC}`,
      measured: told?.toFixed(2) ?? '–',
      heldOut: aucOf(examined, CLEAN_HELD_OUT)?.toFixed(2) ?? '–',
      verdict: verdictOf(told, LEAST_AUC),
    },
  ]
}

export function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${(share * 100).toFixed(0)} %`
}

function aucOf(examined: readonly Examined[], { holds }: Group): number | undefined {
  return calibration(
    examined
      .filter(holds)
      .map((one) => ({ confidence: one.reading.confidence.overall, isRight: isAllRight(one) })),
  ).auc
}

function verdictOf(measured: number | undefined, least: number): Judged['verdict'] {
  if (measured === undefined) return 'not measured'
  return measured >= least ? 'pass' : 'miss'
}
