import { describe, expect, test } from 'vitest'
import { findPrices, readAmount } from './find-price.ts'
import { sourceText } from './source-text.ts'

describe('an amount', () => {
  test.each([
    ['1,000', 1000],
    ['1.000', 1000],
    ['1,250.00', 1250],
    ['1.250,00', 1250],
    ["1'250.50", 1250.5],
    ['$25', 25],
    ['EUR 12,50', 12.5],
    ['18.5', 18.5],
    ['1,000,000', 1_000_000],
    ['0', 0],
  ])('"%s" is read as %d', (text, amount) => {
    expect(readAmount(text)).toBe(amount)
  })

  test.each(['', 'free', '-5'])('"%s" is none', (text) => {
    expect(readAmount(text)).toBeUndefined()
  })
})

test.each([
  ['Tickets: $25', 25],
  ['Tickets: $1,000 a table', 1000],
  ['Eintritt 1.250,00 €', 1250],
  ['Tickets 12,50 €', 12.5],
])('"%s" names the price %d', (text, amount) => {
  expect(findPrices(sourceText(text))[0]?.price.amount).toBe(amount)
})
