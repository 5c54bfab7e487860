/** A confidence, and whether the value was right. */
export type Judgement = { readonly confidence: number; readonly isRight: boolean }

export type Calibration = {
  readonly count: number
  readonly wrong: number
  /**
   * The area under the ROC curve: how often a right value has a higher confidence than a wrong one.
   * 0.5 is random, 1 is perfect; undefined if all are right or all are wrong.
   */
  readonly auc: number | undefined
  /** The share of right values in the half with higher confidence, and in the other half. */
  readonly sureHalf: number | undefined
  readonly unsureHalf: number | undefined
}

/** Measures whether the confidence separates right values from wrong ones. */
export function calibration(judged: readonly Judgement[]): Calibration {
  const sorted = judged.toSorted((left, right) => right.confidence - left.confidence)
  const half = Math.floor(sorted.length / 2)
  return {
    count: judged.length,
    wrong: judged.filter(({ isRight }) => !isRight).length,
    auc: auc(judged),
    sureHalf: shareRight(sorted.slice(0, half)),
    unsureHalf: shareRight(sorted.slice(half)),
  }
}

function auc(judged: readonly Judgement[]): number | undefined {
  const right = judged.filter(({ isRight }) => isRight)
  const wrong = judged.filter(({ isRight }) => !isRight)
  if (right.length === 0 || wrong.length === 0) return undefined
  // A tie is half a point, so that a constant confidence gives 0.5.
  const points = right.flatMap((one) =>
    wrong.map((other) => (Math.sign(one.confidence - other.confidence) + 1) / 2),
  )
  return points.reduce((sum, point) => sum + point, 0) / points.length
}

function shareRight(judged: readonly Judgement[]): number | undefined {
  if (judged.length === 0) return undefined
  return judged.filter(({ isRight }) => isRight).length / judged.length
}
