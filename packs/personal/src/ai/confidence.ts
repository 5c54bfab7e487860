import type { Confidence } from './explanation.ts'
import type { Factor } from './weigh.ts'

/** The counts that the confidence of a judgement is computed from. */
type Grounds = {
  /** How many of the wanted facts are known. */
  readonly known: number
  readonly wanted: number
  /** 0 to 1: how far the judgement is from a different outcome. */
  readonly certainty: number
  /** How many past judgements of this kind there were, and how many of them were right. */
  readonly tries: number
  readonly hits: number
}

export const AGREEMENT_FORMULA = '1 − (standard deviation of the raw scores, by weight) ÷ 5'

const SHARES = {
  data_quality: 0.35,
  model_certainty: 0.25,
  factor_agreement: 0.2,
  historical_accuracy: 0.2,
} as const
const HIGH = 0.8
const MEDIUM = 0.6

/**
 * Computes the confidence of a judgement. Without past judgements the historical accuracy is a
 * half.
 */
export function computeConfidence(
  { known, wanted, certainty, tries, hits }: Grounds,
  factors: readonly Factor[],
): Confidence {
  const breakdown = {
    data_quality: hundredths(wanted === 0 ? 0 : known / wanted),
    model_certainty: hundredths(certainty),
    factor_agreement: hundredths(computeAgreement(factors)),
    historical_accuracy: hundredths((hits + 1) / (tries + 2)),
  }
  const overall = hundredths(
    breakdown.data_quality * SHARES.data_quality +
      breakdown.model_certainty * SHARES.model_certainty +
      breakdown.factor_agreement * SHARES.factor_agreement +
      breakdown.historical_accuracy * SHARES.historical_accuracy,
  )
  return {
    overall_confidence: overall,
    confidence_level: confidenceLevel(overall),
    confidence_breakdown: breakdown,
  }
}

export function confidenceLevel(overall: number): Confidence['confidence_level'] {
  if (overall >= HIGH) return 'high'
  return overall >= MEDIUM ? 'medium' : 'low'
}

// Scores are between 0 and 10, so their standard deviation is at most 5.
function computeAgreement(factors: readonly Factor[]): number {
  const weight = factors.reduce((sum, factor) => sum + factor.weight, 0)
  if (weight === 0) return 0
  const mean = factors.reduce((sum, factor) => sum + factor.raw_score * factor.weight, 0) / weight
  const variance =
    factors.reduce((sum, factor) => sum + factor.weight * (factor.raw_score - mean) ** 2, 0) /
    weight
  return 1 - Math.sqrt(variance) / 5
}

function hundredths(value: number): number {
  return Math.round(Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0)) * 100) / 100
}
