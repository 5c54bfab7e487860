import { expect, test } from 'vitest'
import { combineReadings, type DoubtedReading } from './combine-readings.ts'
import { readAgain, type SecondReading } from './second-reader.ts'

const rules = (read: Partial<DoubtedReading>): DoubtedReading => ({
  has_stock: null,
  confidence: 0.9,
  doubts: [],
  fees: new Set(),
  ...read,
})
const secondSays = (stock: number, price: ReadonlyMap<number | null, number>): SecondReading => ({
  stock: new Map([
    [true, stock],
    [false, 1 - stock],
    [null, 0],
  ]),
  price,
})

test('what both read is read, with a high confidence', () => {
  const second = readAgain('yes available, 9500', undefined)
  const combined = combineReadings(rules({ has_stock: true, price: 9500 }), second)
  expect(combined).toMatchObject({ has_stock: true, price: 9500 })
  expect(combined.probability).toBeGreaterThan(0.9)
})

test('undecided rules are outweighed by a second reader that is sure', () => {
  const second = secondSays(
    0.999,
    new Map([
      [9500, 0.999],
      [null, 0.001],
    ]),
  )
  const read = combineReadings(rules({ has_stock: false, confidence: 0.5 }), second)
  expect(read).toMatchObject({ has_stock: true, price: 9500 })
})

test('sure rules outweigh an undecided second reader', () => {
  const second = secondSays(
    0.45,
    new Map([
      [9500, 0.5],
      [null, 0.5],
    ]),
  )
  const read = combineReadings(rules({ has_stock: true, price: 9500 }), second)
  expect(read).toMatchObject({ has_stock: true, price: 9500 })
})

test('where they disagree, and where the rules have doubts, the confidence is lower', () => {
  const text = 'yes available, 9500'
  const second = readAgain(text, undefined)
  const agreed = combineReadings(rules({ has_stock: true, price: 9500 }), second)
  const disputed = combineReadings(rules({ has_stock: false }), second)
  expect(disputed.probability).toBeLessThan(agreed.probability)
  const doubts = ['past', 'long', 'short for thousands']
  const doubted = combineReadings(rules({ has_stock: true, price: 9500, doubts }), second)
  expect(doubted.probability).toBeLessThan(agreed.probability)
})

test('a unit price with a total that fits stands, and so does the price of what comes later', () => {
  const second = secondSays(
    0.999,
    new Map([
      [250, 0.01],
      [5000, 0.98],
      [null, 0.01],
    ]),
  )
  const read = rules({ has_stock: true, price: 250, total: 5000 })
  expect(combineReadings(read, second).price).toBe(250)
  const later = combineReadings(
    rules({ has_stock: false, price: 3000 }),
    secondSays(0.01, new Map([[null, 1]])),
  )
  expect(later).toMatchObject({ has_stock: false, price: 3000 })
})

test('a fee is no price, and a price in another currency stands', () => {
  const second = secondSays(
    0.999,
    new Map([
      [5000, 0.98],
      [15, 0.01],
      [15_000, 0.98],
      [null, 0.01],
    ]),
  )
  const fees = new Set([5000, 15_000])
  expect(combineReadings(rules({ has_stock: true, fees }), second).price).not.toBe(5000)
  const foreign = rules({ has_stock: true, price: 15, currency: 'USD' })
  expect(combineReadings(foreign, second).price).toBe(15)
})
