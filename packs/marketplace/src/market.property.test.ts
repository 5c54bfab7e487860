import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ConversationMarket,
  conversations,
  openConversationMarket,
} from '../testing/conversations.ts'
import { maskPhones, withoutNumbers } from './phones.ts'

let market: ConversationMarket
beforeAll(async () => {
  market = await openConversationMarket()
})
afterAll(() => market.close())

// `npm run conversations` runs 10,000 of them.
test('whatever happens on four nodes: no message twice, no call without a grant, no vendor after STOP, no client phone to a vendor, a search engine or a model, no budget overrun', async () => {
  await fc.assert(
    fc.asyncProperty(conversations, async (happenings) => market.run(happenings)),
    { numRuns: 40 },
  )
  expect(market.countModelCalls()).toBeGreaterThan(0)
})

const separator = fc.constantFrom('', ' ', '-', '.', ' - ', '/', '\u00a0', ') ')
const prefix = fc.constantFrom('+250', '250', '0', '', '00250', '(+250) ')
const around = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((text) => text.replaceAll(/\p{Nd}/gu, 'x'))

test('in 10,000 texts however a number is written, none of it reaches a vendor', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^7[0-9]{8}$/),
      prefix,
      fc.array(separator, { minLength: 9, maxLength: 9 }),
      around,
      around,
      (national, code, separators, before, after) => {
        const written = [...national]
          .map((digit, index) => `${digit}${separators[index] ?? ''}`)
          .join('')
        const text = `${before} ${code}${written.trimEnd()} ${after}`
        const cleaned = maskPhones(withoutNumbers(text, [`250${national}`]))
        expect(cleaned.replaceAll(/\D/g, '')).not.toContain(national)
      },
    ),
    { numRuns: 10_000 },
  )
})
