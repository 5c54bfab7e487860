import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LEVELS } from '../task/task.ts'
import { type PlanItem, planBlocks } from './plan-blocks.ts'

const MINUTE_MS = 60_000
const NINE = Date.parse('2026-01-15T09:00:00Z')
const level = fc.constantFrom(...LEVELS)
const score = fc.integer({ min: 0, max: 10 })

const wish = fc
  .record(
    {
      kind: fc.constantFrom('task' as const, 'habit' as const),
      title: fc.string({ maxLength: 5 }),
      minutes: fc.integer({ min: 1, max: 300 }),
      isDue: fc.boolean(),
      deadline: fc.integer({ min: -60, max: 700 }).map((minutes) => NINE + minutes * MINUTE_MS),
      at: fc.integer({ min: -60, max: 700 }).map((minutes) => NINE + minutes * MINUTE_MS),
      worth: fc.record({ high: score, medium: score, low: score }),
    },
    { requiredKeys: ['kind', 'title', 'minutes', 'isDue', 'worth'] },
  )
  .map((one): Omit<PlanItem, 'id'> => one)
const wishes = fc
  .array(wish, { maxLength: 40 })
  .map((all) => all.map((one, index): PlanItem => ({ ...one, id: String(index) })))
// From any minute to any later one, including an empty day.
const day = fc
  .record({
    from: fc.integer({ min: 0, max: 600 }),
    length: fc.integer({ min: -30, max: 600 }),
    levels: fc.array(level, { minLength: 24, maxLength: 24 }),
  })
  .map(({ from, length, levels }) => ({
    start: NINE + from * MINUTE_MS,
    end: NINE + (from + length) * MINUTE_MS,
    energyAt: (at: number) => levels[new Date(at).getUTCHours()] ?? 'medium',
  }))

test('blocks never overlap, never leave the working hours, and are as long as their items', () => {
  fc.assert(
    fc.property(wishes, day, (all, hours) => {
      const { blocks } = planBlocks(all, hours)
      for (const [index, block] of blocks.entries()) {
        expect(block.start).toBeGreaterThanOrEqual(hours.start)
        expect(block.end).toBeLessThanOrEqual(hours.end)
        expect(block.start).toBeGreaterThanOrEqual(blocks[index - 1]?.end ?? block.start)
        if (block.kind !== 'break')
          expect(block.end - block.start).toBe(block.wish.minutes * MINUTE_MS)
      }
    }),
    { numRuns: 500 },
  )
})

test('every due item is either placed once or listed with a reason', () => {
  fc.assert(
    fc.property(wishes, day, (all, hours) => {
      const { blocks, unplaced } = planBlocks(all, hours)
      const placed = blocks.flatMap((block) => (block.kind === 'break' ? [] : [block.wish.id]))
      const listed = unplaced.map(({ wish: { id } }) => id)
      expect(new Set([...placed, ...listed]).size).toBe(placed.length + listed.length)
      expect(
        all.filter(({ id, isDue }) => isDue && !placed.includes(id) && !listed.includes(id)),
      ).toEqual([])
      for (const { why } of unplaced) expect(why).not.toBe('')
    }),
    { numRuns: 500 },
  )
})

const plain = (id: string, more: Partial<PlanItem> = {}): PlanItem => ({
  id,
  kind: 'task',
  title: id,
  minutes: 60,
  isDue: false,
  worth: { high: 5, medium: 5, low: 5 },
  ...more,
})
const workday = { start: NINE, end: NINE + 480 * MINUTE_MS, energyAt: () => 'high' as const }
const order = (all: readonly PlanItem[]) =>
  planBlocks(all, workday).blocks.map((block) => (block.kind === 'break' ? '-' : block.wish.id))

test('due items come before others, and the nearest deadline first', () => {
  expect(
    order([
      plain('later', { worth: { high: 9, medium: 9, low: 9 } }),
      plain('due', { isDue: true }),
      plain('noon', { isDue: true, deadline: NINE + 180 * MINUTE_MS }),
    ]),
  ).toEqual(['noon', '-', 'due', '-', 'later'])
})

test('an item that can no longer be in time does not displace one that can', () => {
  expect(
    order([
      plain('lost', { isDue: true, deadline: NINE + 10 * MINUTE_MS }),
      plain('tight', { isDue: true, deadline: NINE + 60 * MINUTE_MS }),
    ])[0],
  ).toBe('tight')
})

test('an item with a fixed time keeps it, and the rest is placed around it', () => {
  const at = NINE + 30 * MINUTE_MS
  const { blocks } = planBlocks(
    [plain('walk', { at, minutes: 15 }), plain('short', { minutes: 30 })],
    workday,
  )
  expect(
    blocks.map(({ start, end }) => [(start - NINE) / MINUTE_MS, (end - NINE) / MINUTE_MS]),
  ).toEqual([
    [0, 30],
    [30, 45],
  ])
})
