import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeConfidence, confidenceLevel } from './confidence.ts'
import { weigh } from './weigh.ts'

const factorsOf = (...raws: readonly number[]) =>
  weigh(
    raws.map((raw, index) => ({
      id: `f${index}`,
      name: '',
      category: '',
      raw,
      weight: 1,
      confidence: 1,
      evidence: [],
    })),
  ).factors

const SURE = { known: 4, wanted: 4, certainty: 1, tries: 98, hits: 98 }

describe('confidence', () => {
  test('is the weighted sum of its four parts', () => {
    expect(
      computeConfidence(
        { known: 3, wanted: 4, certainty: 0.5, tries: 8, hits: 6 },
        factorsOf(5, 5),
      ),
    ).toEqual({
      overall_confidence: 0.73,
      confidence_level: 'medium',
      confidence_breakdown: {
        data_quality: 0.75,
        model_certainty: 0.5,
        factor_agreement: 1,
        historical_accuracy: 0.7,
      },
    })
  })

  test('is high from 0.8 and medium from 0.6', () => {
    expect([0.8, 0.79, 0.6, 0.59].map(confidenceLevel)).toEqual(['high', 'medium', 'medium', 'low'])
  })

  test('without past judgements has a historical accuracy of a half', () => {
    expect(
      computeConfidence({ ...SURE, tries: 0, hits: 0 }, factorsOf(5)).confidence_breakdown
        .historical_accuracy,
    ).toBe(0.5)
  })

  test('falls when factors contradict each other', () => {
    const agreement = (...raws: readonly number[]) =>
      computeConfidence(SURE, factorsOf(...raws)).confidence_breakdown.factor_agreement
    expect([agreement(7, 7), agreement(5, 9), agreement(0, 10)]).toEqual([1, 0.6, 0])
  })

  test('grows with the number of known facts, whatever the other parts are', () => {
    fc.assert(
      fc.property(
        fc.nat(10),
        fc.nat(50),
        fc.nat(50),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (known, hits, more, certainty) => {
          const grounds = { wanted: 11, certainty, tries: hits + more, hits }
          const [less, greater] = [
            computeConfidence({ ...grounds, known }, factorsOf(3, 8)),
            computeConfidence({ ...grounds, known: known + 1 }, factorsOf(3, 8)),
          ]
          expect(greater.overall_confidence).toBeGreaterThan(less.overall_confidence)
          expect(confidenceLevel(less.overall_confidence)).toBe(less.confidence_level)
        },
      ),
    )
  })
})
