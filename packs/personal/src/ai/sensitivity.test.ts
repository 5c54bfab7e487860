import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareOptions, findTurns, type Scored, scoreAt } from './compare-options.ts'

const tenths = fc.integer({ min: 0, max: 100 }).map((value) => value / 10)
const STEP = 1e-6

const decision = fc.integer({ min: 2, max: 5 }).chain((criteria) =>
  fc.record({
    options: fc.array(fc.array(tenths, { minLength: criteria, maxLength: criteria }), {
      minLength: 2,
      maxLength: 5,
    }),
    weights: fc.array(fc.integer({ min: 1, max: 50 }), {
      minLength: criteria,
      maxLength: criteria,
    }),
  }),
)

function best(
  options: readonly Scored[],
  weights: readonly number[],
  criterion: number,
  weight: number,
): number {
  return Math.max(...options.map((option) => scoreAt(option, weights, criterion, weight)))
}

function prepareOptions({
  options,
  weights,
}: {
  readonly options: readonly (readonly number[])[]
  readonly weights: readonly number[]
}) {
  const sum = weights.reduce((total, one) => total + one, 0)
  const shares = weights.map((one) => one / sum)
  const scored = options.map((raw, index): Scored => ({ name: `o${index}`, raw }))
  const total = ({ raw }: Scored) =>
    raw.reduce((all, value, index) => all + value * (shares[index] ?? 0), 0)
  const winner = scored.reduce((parsedDates, one) =>
    total(one) > total(parsedDates) + 1e-12 ? one : parsedDates,
  )
  return { scored, shares, winner }
}

describe('the weights at which a decision changes', () => {
  test('just beyond the threshold the named option is the best, and just before it the winner still is', () => {
    fc.assert(
      fc.property(decision, (given) => {
        const { scored, shares, winner } = prepareOptions(given)
        for (const { criterion, direction, threshold, winner: name } of findTurns(
          scored,
          shares,
          winner,
        )) {
          const sign = direction === 'above' ? 1 : -1
          const other = scored.find((one) => one.name === name)
          if (other === undefined) throw new Error('it names an option that is none')
          const [before, beyond] = [threshold - sign * STEP, threshold + sign * STEP]
          expect(scoreAt(other, shares, criterion, beyond)).toBeGreaterThan(
            scoreAt(winner, shares, criterion, beyond),
          )
          expect(
            best(scored, shares, criterion, beyond) - scoreAt(other, shares, criterion, beyond),
          ).toBeLessThan(1e-4)
          const now = shares[criterion] ?? 0
          if (Math.abs(threshold - now) > 2 * STEP)
            expect(
              best(scored, shares, criterion, before) - scoreAt(winner, shares, criterion, before),
            ).toBeLessThan(1e-9)
        }
      }),
    )
  })

  test('when no option is named, the winner stays the best at every weight of the criterion', () => {
    fc.assert(
      fc.property(decision, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (given, weight) => {
        const { scored, shares, winner } = prepareOptions(given)
        const turns = findTurns(scored, shares, winner)
        for (const [criterion, now] of shares.entries()) {
          const direction = weight > now ? 'above' : 'below'
          if (turns.some((turn) => turn.criterion === criterion && turn.direction === direction))
            continue
          expect(
            best(scored, shares, criterion, weight) - scoreAt(winner, shares, criterion, weight),
          ).toBeLessThan(1e-6)
        }
      }),
    )
  })

  test('are described in a sentence: B wins if cost weighs above 0.4', () => {
    const part = (name: string, weight: number, raw: number) => ({
      id: name,
      name,
      category: 'criterion',
      weight,
      raw,
      confidence: 1,
      evidence: [],
    })
    const { best: winner, turns } = compareOptions([
      { name: 'A', parts: [part('cost', 0.2, 3), part('joy', 0.8, 8)] },
      { name: 'B', parts: [part('cost', 0.2, 9), part('joy', 0.8, 4)] },
    ])
    expect([winner.name, turns]).toEqual([
      'A',
      [
        { criterion: 'cost', direction: 'above', threshold: 0.4, winner: 'B' },
        { criterion: 'joy', direction: 'below', threshold: expect.closeTo(0.6), winner: 'B' },
      ],
    ])
  })
})
