import { expect, test } from 'vitest'
import { FEATURES, type Feature } from '../src/rank-features.ts'
import { fitWeights, type Lesson, rankOfRight } from './fit-weights.ts'

function lesson(right: Partial<Record<Feature, number>>, wrong: Partial<Record<Feature, number>>) {
  const toValues = (known: Partial<Record<Feature, number>>) =>
    Float64Array.from(FEATURES, (feature) => known[feature] ?? 0)
  return {
    set: 'own',
    request: '',
    ids: ['wrong', 'right'],
    features: [toValues(wrong), toValues(right)],
    right: [false, true],
    weight: 1,
  } satisfies Lesson
}

test('what right tools have in common outweighs the order by hand', () => {
  const lessons = Array.from({ length: 20 }, () =>
    lesson({ 'words and action': -0.5, 'phrase both': 0.9 }, { 'phrase both': 0.1 }),
  )
  const byHand = Float64Array.from(FEATURES, (feature) => Number(feature === 'words and action'))
  const [one] = lessons
  expect(one && rankOfRight(one, byHand)).toBe(1)
  const weights = fitWeights(lessons)
  expect(one && rankOfRight(one, weights)).toBe(0)
  expect(weights[FEATURES.indexOf('phrase both')]).toBeGreaterThan(0.5)
  expect(weights[FEATURES.indexOf('deprecated')]).toBe(0)
})

test('a fit is the same in every run, and a request without a right tool changes nothing', () => {
  const lessons = [lesson({ covered: 1 }, { 'unasked words': 1 })]
  const hopeless = { ...lesson({ depth: 1 }, { deprecated: 1 }), right: [false, false] }
  expect(fitWeights([...lessons, hopeless])).toEqual(fitWeights(lessons))
  expect(rankOfRight(hopeless, fitWeights(lessons))).toBe(Number.POSITIVE_INFINITY)
})
