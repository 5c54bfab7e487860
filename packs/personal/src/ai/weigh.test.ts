import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Part, weigh } from './weigh.ts'

const part = fc.record({
  id: fc.string({ minLength: 1 }),
  name: fc.string(),
  category: fc.string(),
  raw: fc.double({ min: -5, max: 15, noNaN: true }),
  weight: fc.oneof(fc.constant(0), fc.double({ min: 0.0001, max: 1000, noNaN: true })),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  evidence: fc.constant([]),
}) satisfies fc.Arbitrary<Part>

const thousandths = (value: number) => Math.round(value * 1000)

describe('weighed factors', () => {
  test('add up to the total, to the last printed digit', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const { total_score, factors } = weigh(parts)
        const sum = factors.reduce(
          (total, factor) => total + thousandths(factor.weighted_contribution),
          0,
        )
        expect(sum).toBe(thousandths(total_score))
        expect(total_score).toBeGreaterThanOrEqual(0)
        expect(total_score).toBeLessThanOrEqual(10)
      }),
    )
  })

  test('each contribute their raw score times their weight', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        for (const { raw_score, weight, weighted_contribution } of weigh(parts).factors) {
          expect(weighted_contribution).toBe(
            (Math.round(raw_score * 10) * Math.round(weight * 100)) / 1000,
          )
          expect(raw_score >= 0 && raw_score <= 10).toBe(true)
        }
      }),
    )
  })

  test('have weights that sum to 1, in the proportion they were given', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
        const weights = weigh(parts).factors.map(({ weight }) => weight)
        expect(weights.reduce((sum, weight) => sum + Math.round(weight * 100), 0)).toBe(100)
        const sum = parts.reduce((total, { weight }) => total + weight, 0)
        if (sum > 0)
          for (const [index, { weight }] of parts.entries())
            expect(Math.abs((weights[index] ?? 0) - weight / sum)).toBeLessThan(0.01)
      }),
    )
  })

  test('of no parts are empty', () => {
    expect(weigh([])).toEqual({ total_score: 0, factors: [] })
  })
})
