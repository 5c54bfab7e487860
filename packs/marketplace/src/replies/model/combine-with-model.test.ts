import { expect, test } from 'vitest'
import { readReply } from '../read-reply.ts'
import { readWithModel } from './combine-with-model.ts'
import { type ModelAnswer, readModelAnswer } from './model-answer.ts'

const OPTIONS = {
  now: Date.parse('2026-11-16T10:00:00+02:00'),
  timeZone: 'Africa/Kigali',
  request: 'amoxicillin 500 mg',
}
const SURE = 'Yes we have it, 12k'
const UNSURE = 'yes but 8000 hmm 3000 i think'
const says = (answer: Partial<ModelAnswer>): ModelAnswer => ({
  has_stock: true,
  price: null,
  price_is: 'none',
  currency: 'RWF',
  availability: null,
  is_sure: true,
  ...answer,
})

test('the replies of this file are what their names say', () => {
  expect(readReply(SURE, OPTIONS)).toMatchObject({ has_stock: true, price: 12_000, unsure: false })
  expect(readReply(UNSURE, OPTIONS)).toMatchObject({ unsure: true })
})

test.each([
  ['agree, and the model is sure', SURE, says({ price: 12_000 }), ['both', 12_000, false]],
  [
    'agree, and the model is not sure: the offline reading decides',
    SURE,
    says({ price: 12_000, is_sure: false }),
    ['both', 12_000, false],
  ],
  [
    'differ, and both are sure: the model is taken, and a person looks',
    'Yes we have it, 12k, delivery 2000',
    says({ price: 2000 }),
    ['model', 2000, true],
  ],
  [
    'differ, and only the offline reading is sure: it stays, and a person looks',
    'Yes we have it, 12k, delivery 2000',
    says({ price: 2000, is_sure: false }),
    ['offline', 12_000, true],
  ],
  [
    'differ, and only the model is sure: it is taken',
    UNSURE,
    says({ price: 8000, price_is: 'unit' }),
    ['model', 8000, false],
  ],
  [
    'differ, and none is sure: the model is taken, and a person looks',
    UNSURE,
    says({ price: 8000, is_sure: false }),
    ['model', 8000, true],
  ],
  [
    'the model names a price that is not in the reply: it is not used, and a person looks',
    SURE,
    says({ price: 11_000 }),
    ['offline', 12_000, true],
  ],
  [
    'the model takes the dollar for the franc: a person looks',
    'Yes we have it, 12k',
    says({ price: 12_000, currency: 'USD' }),
    ['model', 12_000, true],
  ],
])('readings that %s', (_, text, answer, [readers, price, unsure]) => {
  expect(readWithModel(text, OPTIONS, answer)).toMatchObject({ readers, price, unsure })
})

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
  expect(reading).toMatchObject({ has_stock: false, kind: 'refusal', unsure: true })
  expect(reading).not.toHaveProperty('price')
})

test.each([
  ['', 'no JSON'],
  ['{"has_stock": true}', 'fields are missing'],
  [JSON.stringify({ ...says({}), has_stock: 'yes' }), 'a wrong type'],
  [JSON.stringify({ ...says({}), note: 'call me' }), 'a field too many'],
  [JSON.stringify(says({ price: -5 })), 'a negative price'],
  ['[]', 'a list'],
])('%s is no answer: %s', (text) => {
  expect(readModelAnswer(text)).toBeUndefined()
})

test.each(['call 0788555001', 'https://x.example/', 'a'.repeat(41)])(
  'the availability "%s" is left out, the rest counts',
  (availability) => {
    const answer = says({ price: 12_000 })
    expect(readModelAnswer(JSON.stringify({ ...answer, availability }))).toEqual(answer)
  },
)
