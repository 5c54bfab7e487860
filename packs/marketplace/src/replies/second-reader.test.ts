import { expect, test } from 'vitest'
import { listOptions } from './reply-options.ts'
import { readRequestTerms } from './request-terms.ts'
import { agree, readAgain, settleReading } from './second-reader.ts'

type Read = { readonly has_stock: boolean | null; readonly price?: number }

const agreeWith = (text: string, { has_stock, price }: Read) =>
  agree({ has_stock, price, overruled: undefined }, readAgain(text, undefined))

test.each<[string, Read]>([
  ['yes available, 9500', { has_stock: true, price: 9500 }],
  ['ntayo dufite', { has_stock: false }],
  ['bonjour, vous cherchez quelle taille ?', { has_stock: null }],
  ['ihari ni ibihumbi bitanu', { has_stock: true, price: 5000 }],
])('the second reader agrees with the right reading of "%s"', (text, reading) => {
  expect(agreeWith(text, reading).probability).toBeGreaterThan(0.6)
})

test.each<[string, Read]>([
  ['yes available, 9500', { has_stock: false }],
  ['ntayo dufite', { has_stock: true }],
  ['oui dispo, 25 000, livraison 2000', { has_stock: true, price: 2000 }],
])('the second reader does not share a wrong reading of "%s"', (text, reading) => {
  expect(agreeWith(text, reading).probability).toBeLessThan(0.3)
})

test('what the second reader takes for all but impossible is replaced, the rest stays', () => {
  const second = readAgain('yes available, 9500', undefined)
  expect(settleReading({ has_stock: false }, second)).toEqual({
    has_stock: true,
    price: 9500,
    overruled: 'stock',
  })
  expect(settleReading({ has_stock: true, price: 9500 }, second)).toEqual({
    has_stock: true,
    price: 9500,
    overruled: undefined,
  })
})

test('a price that is no number of the reply is not seen', () => {
  expect(agreeWith('yeah come for it', { has_stock: true, price: 320_000 }).isUnseen).toBe(true)
})

test('numbers have a class, those of the request and sizes another one; a short one may be thousands', () => {
  const terms = readRequestTerms('amoxicillin 500 mg, 21 capsules')
  const { stock, price } = listOptions('amoxi 500 mg or 250 mg, 21 at 2k1, or 35', terms)
  expect(stock[0]?.features).toEqual(
    expect.arrayContaining(['+<asked> <size asked>', '+<size other> mg', '+<asked number> at <k>']),
  )
  expect(price.map(({ value }) => value)).toEqual([21, 2100, 35, 35_000, null])
})
