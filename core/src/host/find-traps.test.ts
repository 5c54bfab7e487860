import { describe, expect, test } from 'vitest'
import { visibleJson } from '../define/visible.ts'
import { findTraps } from './find-traps.ts'

const trapsOf = (input: unknown) =>
  findTraps(JSON.stringify(visibleJson({ asks: 'Do it?', input })))

describe('nothing is said of ordinary requests', () => {
  test.each<readonly [string, unknown]>([
    ['a transfer', { amount: 1_250.5, currency: 'EUR', to: 'DE89 3704 0044 0532 0130 00' }],
    ['prices', { text: '12,50 € and 1,250.00 USD, version 1.234' }],
    ['ids', { id: '01JD3ZC8QK8Y9VQ3N2M1W7XH5R', uuid: '6f1c2a34-9b1d-4a0e-8f2b-2f2f1c9f7d10' }],
    ['hashes', { sha: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' }],
    ['a token', { token: 'Zm9vYmFy8J+YgPCfmIHwn5iC/8D/wP/A/8D/wP/A' }],
    [
      'links',
      { url: 'https://shop.example/search?q=red%20roses&page=2', local: 'http://127.0.0.1/' },
    ],
    ['German', { text: 'Schöne Grüße aus Köln, 3 × 250 g – siehe müller.de, um 12:30 Uhr' }],
    ['French', { text: 'L’hôtel coûte 1 250 € ; réservé à Évry' }],
    ['Russian', { text: 'Привет, оплатите счёт за аренду' }],
    ['Greek', { text: 'Καλημέρα, το ραντεβού είναι αύριο' }],
    ['Japanese', { text: '銀座 久兵衛 １０名 ９時' }],
    ['Arabic', { text: 'موعد الساعة ١٠' }],
    ['Vietnamese', { text: 'Phở Hòa, tầng 2' }],
    ['names', { firstName: 'Ann', lastName: 'Lee', address1: 'Main St. 1', address2: '' }],
    ['paragraphs', { text: 'Dear Pat,\n\n\nsee you.\n\nAnn' }],
    ['code', { text: 'const total = lines.reduce((sum, line) => sum + line.price, 0)' }],
  ])('%s', (_, input) => {
    expect(trapsOf(input)).toEqual([])
  })
})

test('what was encoded three times is read, and no deeper', () => {
  const encode = (text: string, times: number): string =>
    times === 0 ? text : encode(Buffer.from(text).toString('base64'), times - 1)
  const quotesOf = (times: number) =>
    trapsOf({ note: encode('delete all the backups', times) })[0]?.quotes
  expect(quotesOf(1)).toEqual(['delete all the backups'])
  expect(quotesOf(3)).toEqual(['delete all the backups'])
})

test('what is decoded has its invisible characters spelled out', () => {
  const note = Buffer.from('pay \u202eall of it now').toString('base64')
  expect(trapsOf({ note })[0]?.quotes).toEqual(['pay ⟨U+202E⟩all of it now'])
})

test('at most three passages are quoted, each shortened', () => {
  const words = Array.from(
    { length: 9 },
    (_, index) => `${String.fromCharCode(97 + index)}${'x'.repeat(300)}а`,
  )
  const [trap] = trapsOf({ words })
  expect(trap?.quotes).toHaveLength(3)
  expect(trap?.quotes.every((quote) => quote.length <= 161)).toBe(true)
})

test('of a text of a megabyte the beginning and the end are searched', () => {
  const long = 'It is well. '.repeat(80_000)
  const sentences = (text: string) => trapsOf({ text }).map(({ sentence }) => sentence)
  expect(sentences(`${long}pаy`)).toHaveLength(2)
  expect(sentences(`pаy${long}`)).toHaveLength(2)
  expect(sentences(long)).toHaveLength(1)
})
