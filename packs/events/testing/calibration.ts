/** One judgement: how sure somebody was, and whether it was right. */
export type Judged = { readonly confidence: number; readonly isRight: boolean }

export type Calibration = {
  readonly count: number
  readonly wrong: number
  /**
   * How often a right one was told with more confidence than a wrong one: 0.5 is chance, 1 is
   * perfect; none when all are right or all wrong.
   */
  readonly auc: number | undefined
  /** The share of right ones in the half that was told with more confidence, and in the other. */
  readonly sureHalf: number | undefined
  readonly unsureHalf: number | undefined
}

/** Does the confidence tell right from wrong? */
export function calibration(judged: readonly Judged[]): Calibration {
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

function auc(judged: readonly Judged[]): number | undefined {
  const right = judged.filter(({ isRight }) => isRight)
  const wrong = judged.filter(({ isRight }) => !isRight)
  if (right.length === 0 || wrong.length === 0) return undefined
  // as sure of both is half a point: a confidence that is always the same earns 0.5
  const points = right.flatMap((one) =>
    wrong.map((other) => (Math.sign(one.confidence - other.confidence) + 1) / 2),
  )
  return points.reduce((sum, point) => sum + point, 0) / points.length
}

function shareRight(judged: readonly Judged[]): number | undefined {
  if (judged.length === 0) return undefined
  return judged.filter(({ isRight }) => isRight).length / judged.length
}
