import { expect, test } from 'vitest'
import { listOptions } from './reply-options.ts'
import { readRequestTerms } from './request-terms.ts'
import { readAgain } from './second-reader.ts'

test.each<[string, boolean | null, number | null]>([
  ['yes available, 9500', true, 9500],
  ['ntayo dufite', false, null],
  ['bonjour, vous cherchez quelle taille ?', null, null],
  ['ihari ni ibihumbi bitanu', true, 5000],
])('the second reader agrees with the right reading of "%s"', (text, stock, price) => {
  const second = readAgain(text, undefined)
  expect(second.stock.get(stock)).toBeGreaterThan(0.6)
  expect(second.price.get(price)).toBeGreaterThan(0.6)
})

test('the second reader does not share a wrong reading', () => {
  expect(readAgain('yes available, 9500', undefined).stock.get(false)).toBeLessThan(0.3)
  expect(readAgain('ntayo dufite', undefined).stock.get(true)).toBeLessThan(0.3)
  const second = readAgain('oui dispo, 25 000, livraison 2000', undefined)
  expect(second.price.get(2000)).toBeLessThan(0.3)
})

test('numbers have a class, those of the request and sizes another one; a short one may be thousands', () => {
  const terms = readRequestTerms('amoxicillin 500 mg, 21 capsules')
  const { stock, price } = listOptions('amoxi 500 mg or 250 mg, 21 at 2k1, or 35', terms)
  expect(stock[0]?.features).toEqual(
    expect.arrayContaining(['+<asked> <size asked>', '+<size other> mg', '+<asked number> at <k>']),
  )
  expect(price.map(({ value }) => value)).toEqual([21, 2100, 35, 35_000, null])
})

test('a number whose clause names more of the request than those of the others is marked', () => {
  const terms = readRequestTerms('Water tank Roto 1000 litres?')
  const { price } = listOptions('roto 118,000. afritank 105,000', terms)
  const matchOf = (value: number) =>
    price.find((one) => one.value === value)?.features.find((one) => one.startsWith('#match'))
  expect(matchOf(118_000)).toBe('#match best')
  expect(matchOf(105_000)).toBe('#match less')
})
