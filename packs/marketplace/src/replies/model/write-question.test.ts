import { expect, test } from 'vitest'
import { isQuestionWhole, writeQuestion } from './write-question.ts'

test.each([
  ['10m @ 12k. 5m @ 7k', '10m at 12k. 5m at 7k'],
  ['2pcs@5000. Thanks', '2pcs at 5000. Thanks'],
  ['500, *800 pardon', '500, * 800 pardon'],
  ['*12,000 RWF* each', '* 12,000 RWF* each'],
  ['5*1200=6000', '5 * 1200=6000'],
  ['6500, pay *182*8*1*045321#', '6500, pay'],
  ['6500, pay *182*8*1*045321', '6500, pay'],
  ['12k, write to @kigali_shoes', '12k, write to'],
])('of "%s" the model gets the amounts and no code: "%s"', (reply, left) => {
  expect(writeQuestion({ request: undefined, reply })?.reply).toBe(left)
})

test.each([
  ['amoxicillin 500 mg', 'Yes 12k, call 0788 123 456', true],
  ['Castrol GTX 4L', 'Yes Castrol 32000', true],
  ['shoes for Claudine Uwase', 'Yes 12k', false],
  ['amoxicillin 500 mg', 'Yes. Insurance price 1200, cash 2000', false],
])('the question "%s", "%s" is whole: %s', (request, reply, isWhole) => {
  expect(isQuestionWhole({ request, reply })).toBe(isWhole)
})
