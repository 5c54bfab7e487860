import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemEntropy } from './entropy.ts'

const NOW = Date.parse('2026-01-15T08:00:00Z')

describe('ids', () => {
  test('are unique over a hundred thousand of one millisecond', () => {
    const chance = systemEntropy()
    const ids = new Set(Array.from({ length: 100_000 }, () => chance.newId('call', NOW)))
    expect(ids.size).toBe(100_000)
  })

  test('are unique over two processes in the same millisecond', () => {
    const [left, right] = [systemEntropy(), systemEntropy()]
    const ids = new Set(
      Array.from({ length: 1_000 }, () => [
        left.newId('call', NOW),
        right.newId('call', NOW),
      ]).flat(),
    )
    expect(ids.size).toBe(2_000)
  })

  test('sort by the time they were made at, whatever the order they were made in', () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 })
    const chance = systemEntropy()
    fc.assert(
      fc.property(time, time, (one, other) => {
        fc.pre(one !== other)
        const [first, second] = [chance.newId('call', one), chance.newId('call', other)]
        expect(first < second).toBe(one < other)
      }),
    )
  })

  test('carry their prefix and only letters and digits behind it', () => {
    expect(systemEntropy().newId('appr', NOW)).toMatch(/^appr_[0-9a-z]{26}$/)
  })

  test('have one length, so that they sort as text', () => {
    const chance = systemEntropy()
    const lengths = [0, 1, NOW, NOW + 0.25, 2 ** 48].map((now) => chance.newId('call', now).length)
    expect(new Set(lengths).size).toBe(1)
  })
})

describe('chance', () => {
  const draws = (() => {
    const chance = systemEntropy()
    return Array.from({ length: 10_000 }, () => chance.random())
  })()

  test('lies from 0 to below 1', () => {
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true)
  })

  test('is spread evenly', () => {
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length
    expect(mean).toBeGreaterThan(0.45)
    expect(mean).toBeLessThan(0.55)
    for (let tenth = 0; tenth < 10; tenth++)
      expect(draws.filter((draw) => Math.floor(draw * 10) === tenth).length).toBeGreaterThan(800)
  })

  test('does not repeat itself', () => {
    expect(new Set(draws).size).toBeGreaterThan(9_990)
  })
})
