import { expect, test } from 'vitest'
import { readReply } from '../read-reply.ts'
import { readWithModel } from './combine-with-model.ts'
import type { ModelAnswer } from './model-answer.ts'

const OPTIONS = {
  now: Date.parse('2026-11-16T10:00:00+02:00'),
  timeZone: 'Africa/Kigali',
  request: 'amoxicillin 500 mg',
}
const SURE = 'Yes we have it, 12k'
const UNSURE = 'yes but 8000 hmm 3000 i think'
const TWO_AMOUNTS = 'Yes we have it, 12k, delivery 2000'
const says = (answer: Partial<ModelAnswer>): ModelAnswer => ({
  has_stock: true,
  price: null,
  price_is: 'none',
  currency: 'RWF',
  availability: null,
  other: null,
  agreement: 10,
  ...answer,
})
const NOT_THERE = { has_stock: false, price: null }

test('the replies of this file are what their names say', () => {
  for (const text of [SURE, TWO_AMOUNTS])
    expect(readReply(text, OPTIONS)).toMatchObject({ price: 12_000, unsure: false })
  expect(readReply(UNSURE, OPTIONS)).toMatchObject({ unsure: true })
})

test.each([
  [
    'agree, and the model is certain: it is not flagged',
    SURE,
    says({ price: 12_000 }),
    ['both', undefined, 12_000, false],
  ],
  [
    'agree, and a second reading is possible: it is not flagged',
    SURE,
    says({ price: 12_000, other: NOT_THERE, agreement: 7 }),
    ['both', undefined, 12_000, false],
  ],
  [
    'agree, and it is open which reading is right: a person looks',
    SURE,
    says({ price: 12_000, other: NOT_THERE, agreement: 6 }),
    ['both', 'second reading', 12_000, true],
  ],
  [
    'agree, and it is open without a second reading: a person looks',
    SURE,
    says({ price: 12_000, agreement: 6 }),
    ['both', 'second reading', 12_000, true],
  ],
  [
    'differ, and the model is certain: it is taken',
    TWO_AMOUNTS,
    says({ price: 2000, agreement: 9 }),
    ['model', 'differs', 2000, false],
  ],
  [
    'differ, and a second reading is possible: the model is taken, and a person looks',
    TWO_AMOUNTS,
    says({ price: 2000, agreement: 8 }),
    ['model', 'differs', 2000, true],
  ],
  [
    'differ where the offline reading was unsure: a model that is certain is taken',
    UNSURE,
    says({ price: 8000, price_is: 'unit' }),
    ['model', 'differs', 8000, false],
  ],
  [
    'differ in an amount that was removed before the model was asked: a person looks',
    'Yes. Insurance price 1200, cash 2000',
    says({ price: 2000 }),
    ['model', 'differs', 2000, true],
  ],
  [
    'have a price that is not in the reply: it is not used, and a person looks',
    SURE,
    says({ price: 11_000 }),
    ['offline', 'price not in the reply', 12_000, true],
  ],
  [
    'differ in the currency: a person looks',
    SURE,
    says({ price: 12_000, currency: 'USD' }),
    ['model', 'differs', 12_000, true],
  ],
])('readings that %s', (_, text, answer, [readers, objection, price, unsure]) => {
  const reading = readWithModel(text, OPTIONS, answer)
  expect([reading.readers, reading.objection, reading.price, reading.unsure]).toEqual([
    ...[readers, objection, price, unsure],
  ])
})

test('a difference goes to a person where a name was removed from what was asked for', () => {
  const read = (request: string) =>
    readWithModel(TWO_AMOUNTS, { ...OPTIONS, request }, says({ price: 2000 }))
  expect(read('boots for the garden')).toMatchObject({ readers: 'model', unsure: false })
  expect(read('boots for Claudine Uwase')).toMatchObject({ readers: 'model', unsure: true })
})

test.each([
  ['20 avocados', 200, 3500, false],
  ['20 avocados', 200, 4000, false],
  ['20 avocados', 200, 3000, true],
  ['20 avocados', 200, 4400, true],
  ['avocados', 200, 3500, true],
])('of %s, one for %d and all for %d are two readings: %s', (request, price, sum, unsure) => {
  const text = `Zirahari imwe ni ${price} zose ni ${sum}`
  const answer = says({ price: sum, other: { has_stock: true, price }, agreement: 6 })
  expect(readWithModel(text, { ...OPTIONS, request }, answer)).toMatchObject({
    price,
    total: sum,
    unsure,
  })
})

test.each([
  ['comes later', 220_000, 'in 2 weeks', 220_000],
  ['is that of something else', null, null, undefined],
])(
  "the price of a refusal that both read is the model's: it %s",
  (_, price, availability, read) => {
    const text =
      "I don't have it here but I can get it from Dubai in 2 weeks. 220,000, you pay half"
    const answer = says({ has_stock: false, price, availability })
    expect(readReply(text, OPTIONS).has_stock).toBe(false)
    const reading = readWithModel(text, OPTIONS, answer)
    expect([reading.readers, reading.price, reading.unsure]).toEqual(['both', read, false])
  },
)

test('what both read is above the threshold, whatever the offline confidence was', () => {
  const { confidence, has_stock, price, ...offline } = readReply(UNSURE, OPTIONS)
  expect(confidence).toBeLessThan(0.77)
  const agreeing = says({ has_stock, price: price ?? null })
  expect(readWithModel(UNSURE, OPTIONS, agreeing)).toEqual({
    ...offline,
    has_stock,
    ...(price === undefined ? {} : { price }),
    ...{ confidence: 0.95, unsure: false, readers: 'both' },
  })
})

test('a number that the rules take for a size may be the price that the model reads', () => {
  const answer = says({ price: 180_000 })
  const text = 'Coaster 29 seats: 180,000 go and return. If you sleep there add 60,000'
  expect(readWithModel(text, { ...OPTIONS, request: 'a bus to Huye' }, answer)).toMatchObject({
    readers: 'model',
    price: 180_000,
  })
})

test('a refusal that the model reads has no price and no unit of the offer', () => {
  const answer = says({ has_stock: false, price: 12_000 })
  const reading = readWithModel(SURE, OPTIONS, answer)
  expect(reading).toMatchObject({ has_stock: false, kind: 'refusal', readers: 'model' })
  expect(reading).not.toHaveProperty('price')
})
