import { z } from 'zod'
import { Evidence } from './evidence.ts'

/** A factor of the Explain Protocol. */
export const Factor = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  raw_score: z.number().min(0).max(10),
  weight: z.number().min(0).max(1),
  weighted_contribution: z.number().min(0).max(10).describe('raw_score × weight.'),
  confidence: z.number().min(0).max(1),
  evidence: z.array(Evidence),
})
export type Factor = z.infer<typeof Factor>

export const Factors = z.object({
  total_score: z.number().min(0).max(10).describe('The sum of all weighted_contribution.'),
  factors: z.array(Factor),
})
export type Factors = z.infer<typeof Factors>

/** One aspect of a judgement, before it is weighed against the others. */
export type Part = {
  readonly id: string
  readonly name: string
  readonly category: string
  /** 0 to 10. */
  readonly raw: number
  /** The relative weight; only the proportion matters. */
  readonly weight: number
  /** 0 to 1. */
  readonly confidence: number
  readonly evidence: readonly Evidence[]
}

/**
 * Weighs the parts that apply. Weights are normalised to a sum of 1; raw scores are rounded to
 * tenths and weights to hundredths, so that the contributions and their sum are exactly as printed.
 */
export function weigh(parts: readonly Part[]): Factors {
  const hundredths = shares(parts.map(({ weight }) => weight))
  let thousandths = 0
  const factors = parts.map(({ id, name, category, raw, confidence, evidence }, index): Factor => {
    const tenths = Math.round(clamp(raw, 10) * 10)
    const weight = hundredths[index] ?? 0
    thousandths += tenths * weight
    return {
      id,
      name,
      category,
      raw_score: tenths / 10,
      weight: weight / 100,
      weighted_contribution: (tenths * weight) / 1000,
      confidence: Math.round(clamp(confidence, 1) * 100) / 100,
      evidence: [...evidence],
    }
  })
  return { total_score: thousandths / 1000, factors }
}

// The largest remainders get the hundredths that are lost by rounding down, so that the weights sum
// to 1.
function shares(weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + Math.max(0, weight), 0)
  const even = weights.length === 0 ? 0 : 100 / weights.length
  const exact = weights.map((weight) => (sum > 0 ? (Math.max(0, weight) / sum) * 100 : even))
  const given = exact.map(Math.floor)
  const left = weights.length === 0 ? 0 : 100 - given.reduce((total, one) => total + one, 0)
  const byRemainder = [...exact.keys()].sort(
    (one, other) => remainder(exact, other) - remainder(exact, one) || one - other,
  )
  for (const index of byRemainder.slice(0, left)) given[index] = (given[index] ?? 0) + 1
  return given
}

function remainder(exact: readonly number[], index: number): number {
  const value = exact[index] ?? 0
  return value - Math.floor(value)
}

function clamp(value: number, most: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(0, value)) : 0
}
