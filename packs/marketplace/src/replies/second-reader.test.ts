import { expect, test } from 'vitest'
import { readRequestTerms } from './request-terms.ts'
import { compareReadings, listPriceOptions, splitTokens } from './second-reader.ts'

test.each([
  ['yes available, 9500', { has_stock: true, price: 9500 }],
  ['ntayo dufite', { has_stock: false }],
  ['bonjour, vous cherchez quelle taille ?', { has_stock: null }],
  ['ihari ni ibihumbi bitanu', { has_stock: true, price: 5000 }],
])('the second reader agrees with the right reading of "%s"', (text, reading) => {
  const { stock, price } = compareReadings(text, reading, undefined)
  expect(Math.min(stock, price)).toBeGreaterThan(0.6)
})

test.each([
  ['yes available, 9500', { has_stock: false }],
  ['ntayo dufite', { has_stock: true }],
  ['oui dispo, 25 000, livraison 2000', { has_stock: true, price: 2000 }],
])('the second reader does not share a wrong reading of "%s"', (text, reading) => {
  const { stock, price } = compareReadings(text, reading, undefined)
  expect(Math.min(stock, price)).toBeLessThan(0.3)
})

test('a price that is no number of the reply is not seen', () => {
  const reading = { has_stock: true, price: 320_000 }
  expect(compareReadings('yeah 320 final', reading, undefined).isUnseen).toBe(true)
})

test('numbers have a class, those of the request and sizes another one', () => {
  const terms = readRequestTerms('amoxicillin 500 mg, 21 capsules')
  const tokens = splitTokens('amoxi 500 mg or 250 mg, 21 at 2k1', terms)
  expect(tokens.map(({ name }) => name).join(' ')).toBe(
    '<asked> <size asked> mg or <size other> mg , <asked number> at <k>',
  )
  expect(listPriceOptions(tokens, terms).map(({ value }) => value)).toEqual([21, 2100, null])
})
