import { expect, test } from 'vitest'
import { type ModelAnswer, readModelAnswer } from './model-answer.ts'

const ANSWER: ModelAnswer = {
  has_stock: true,
  price: null,
  price_is: 'none',
  currency: 'RWF',
  availability: null,
  other: null,
  agreement: 10,
}
const writeAnswer = (answer: object) => JSON.stringify({ meaning: 'It costs 12,000.', ...answer })

test.each([
  ['', 'no JSON'],
  [writeAnswer({ has_stock: true }), 'fields are missing'],
  [JSON.stringify(ANSWER), 'the meaning is missing'],
  [writeAnswer({ ...ANSWER, has_stock: 'yes' }), 'a wrong type'],
  [writeAnswer({ ...ANSWER, note: 'call me' }), 'a field too many'],
  [writeAnswer({ ...ANSWER, price: -5 }), 'a negative price'],
  [writeAnswer({ ...ANSWER, agreement: 11 }), 'eleven clerks of ten'],
  [writeAnswer({ ...ANSWER, other: { has_stock: true } }), 'half a second reading'],
  ['[]', 'a list'],
])('%s is no answer: %s', (text) => {
  expect(readModelAnswer(text)).toBeUndefined()
})

test('the words in which a model says what a reply means are not kept, and free has no price', () => {
  const answer = { ...ANSWER, other: { has_stock: true, price: null } }
  const other = { has_stock: true, price: 0 }
  expect(readModelAnswer(writeAnswer({ ...answer, price: 0, other }))).toEqual(answer)
})

test.each(['call 0788555001', 'https://x.example/', 'a'.repeat(41)])(
  'the availability "%s" is left out, the rest counts',
  (availability) => {
    const answer = { ...ANSWER, price: 12_000 }
    expect(readModelAnswer(writeAnswer({ ...answer, availability }))).toEqual(answer)
  },
)
