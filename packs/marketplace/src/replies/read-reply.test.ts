import fc from 'fast-check'
import { expect, test } from 'vitest'
import { REPLY_ARRIVES } from '../../testing/reply-case.ts'
import { readReply, SURE } from './read-reply.ts'

const read = (text: string, request?: string) =>
  readReply(text, { ...REPLY_ARRIVES, ...(request !== undefined && { request }) })

test('a reply is read whole', () => {
  expect(read('ndayifite, 12k')).toEqual({
    has_stock: true,
    price: 12_000,
    currency: 'RWF',
    language: 'rw',
    kind: 'offer',
    confidence: 0.99,
    unsure: false,
  })
  // None now, and some tomorrow.
  expect(read('oui dispo demain 15h')).toEqual({
    has_stock: false,
    currency: 'RWF',
    availability: 'tomorrow 15:00',
    available_at: '2026-11-17T15:00:00+02:00',
    language: 'fr',
    kind: 'offer',
    confidence: 0.99,
    unsure: false,
  })
  expect(read('no but I know someone')).toMatchObject({
    has_stock: false,
    kind: 'refusal',
    notes: 'refers to someone else',
  })
})

test.each([
  ['2x5000', { price: 5000, total: 10_000 }],
  ['5000 x 3', { price: 5000, total: 15_000 }],
  ['5,000 each', { price: 5000, unit: 'each' }],
  ['12 000 frw la boîte', { price: 12_000, unit: 'box' }],
  ['850 per kg', { price: 850, unit: 'kg' }],
  ['1.200.000 frw', { price: 1_200_000 }],
  ['ibihumbi bibiri na magana atanu', { price: 2500 }],
  ['igihumbi na magana atanu', { price: 1500 }],
  ['imwe ni magana ane na mirongo itanu', { price: 450 }],
  ['igihumbi na magana abiri na makumyabiri', { price: 1220 }],
  ['ibihumbi makumyabiri na bitanu', { price: 25_000 }],
  ['douze mille cinq cents', { price: 12_500 }],
  ['twelve thousand five hundred', { price: 12_500 }],
  ['usd 15', { price: 15, currency: 'USD' }],
])('%s names its price', (text, expected) => {
  expect(read(text)).toMatchObject(expected)
})

test.each([
  'call 0788 123 456',
  'yes, +250 788 300 400',
  'yes 500mg',
  'yes 125 mg/5 ml',
  'yes at 15h30',
  'yes from 8:30 to 21:00',
  'yes, 3 boxes left',
  'yes, expires March 2027',
  'oui, boîte de 100',
])('%s names no price', (text) => {
  expect(read(text).price).toBeUndefined()
})

test('a phone number is never read as a price, however it is written', () => {
  const digits = fc.stringMatching(/^7[2389]\d{7}$/)
  const separator = fc.constantFrom('', ' ', '-', '.')
  fc.assert(
    fc.property(
      digits,
      separator,
      fc.constantFrom('0', '+250', '250', '+250 '),
      (own, by, prefix) => {
        const phone = prefix + [own.slice(0, 3), own.slice(3, 6), own.slice(6)].join(by)
        expect(read(`yes call ${phone}`).price).toBeUndefined()
        expect(read(`ndayifite 4500, ${phone}`).price).toBe(4500)
      },
    ),
  )
})

test('every price is read back, in the ways in which vendors write thousands', () => {
  const write = [
    (value: number) => String(value),
    (value: number) => value.toLocaleString('en-US'),
    (value: number) => value.toLocaleString('en-US').replaceAll(',', ' '),
    (value: number) => value.toLocaleString('en-US').replaceAll(',', '.'),
    (value: number) => `${value / 1000}k`,
    (value: number) => `${value} frw`,
    (value: number) => `Rwf ${value}`,
  ]
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9999 }), fc.constantFrom(...write), (hundreds, as) => {
      expect(read(`yes available ${as(hundreds * 100)}`).price).toBe(hundreds * 100)
    }),
  )
})

test('any text gives a reading whose flags agree with its confidence', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const { confidence, unsure, price } = read(text)
      expect(confidence).toBeGreaterThanOrEqual(0)
      expect(confidence).toBeLessThanOrEqual(1)
      expect(unsure).toBe(confidence < SURE)
      if (price !== undefined) expect(Number.isFinite(price) && price > 0).toBe(true)
    }),
  )
})

test.each(['no '.repeat(4000), '1 000 '.repeat(4000), `${'a'.repeat(20_000)}?`, "n'".repeat(9000)])(
  'a hostile text of 8,000 characters and more costs well under a second',
  (text) => {
    const before = process.threadCpuUsage()
    read(text)
    const { user, system } = process.threadCpuUsage(before)
    expect(user + system).toBeLessThan(1_000_000)
  },
)

const NEED = 'amoxicillin 500 mg, 21 capsules'
test.each([
  ['amoxi 500 yes. 2k1 all', NEED, { has_stock: true, price: 2100 }],
  ['yego turayifite but ni 250mg gusa, 500 yashize', NEED, { has_stock: false }],
  ['only 14 caps left, 1400', NEED, { has_stock: true, price: 1400 }],
  ['oui nous avons Coartem 80/480 mais pas le 20/120', 'Coartem 20/120', { has_stock: false }],
  ['12 at 9500, 10 at 6800', 'iron bars 12 mm, 15 pieces', { has_stock: true, price: 9500 }],
  ['padlock 3500 each or 3 for 10k', 'padlocks, 3 pieces', { price: 3500, total: 10_000 }],
  ['nondo za 12mm zimeisha, nina za 10mm tu', 'iron bars 12 mm', { has_stock: false }],
  ['SRO zirahari, zinc ntayo', 'SRO and zinc 20 mg', { has_stock: true }],
  ['it will come tomorrow, 3000', NEED, { has_stock: false, price: 3000 }],
  ['yego, ibihumbi 14 frw', 'chaine ya moto TVS', { has_stock: true, price: 14_000 }],
  ['yes we do. 7000 per copy', 'binding a thesis, 3 copies', { has_stock: true, price: 7000 }],
  ['15k ea, 14k for u', 'bedsheets queen', { has_stock: true, price: 14_000 }],
  ['yeah 320 final', 'used iPhone 12 128GB', { has_stock: true, price: 320_000 }],
  ['can make in 3 weeks, 650k', 'sofa set 7 seats', { has_stock: false, price: 650_000 }],
  ['g30 is 8,200, g28 9,900. for 40 it is 328,000', 'sheets, 40 pieces', { price: 8200 }],
  ['location 150 mille, caution 100 mille', 'robe en location', { price: 150_000 }],
  ['small pin 15k big pin 12k, which one?', 'laptop charger', { has_stock: true }],
  ['il ne reste que 2 boites, 2800 chacune', 'Doliprane 1000', { has_stock: true, price: 2800 }],
  ["25 000, mais il faut payer l'avance ya 10 000", 'gateau', { has_stock: true, price: 25_000 }],
  ["I can't say we don't have it. 24,000", 'Lantus pen', { has_stock: true, price: 24_000 }],
])('%s, asked for %s', (text, request, expected) => {
  expect(read(text, request)).toMatchObject(expected)
})

test.each([
  // a substitute
  ['we got 50mm and 70mm not 60. 50mm at 2500', 'padlocks 60 mm'],
  ['CIMERWA yashize, dufite Twiga ya 11800', 'sima ya CIMERWA'],
  // several things or kinds
  ['inyanya 900/kg, karoti 800/kg. byose birahari', 'inyanya 5 kg na karoti 2 kg'],
  ['small 5000, big 8000', 'bucket'],
  // a rent, and a fee
  ['we only rent it, 10k per day', 'hammer drill'],
  ['yes we repair. checking fee is 5000', 'washing machine repair'],
])('%s names no price of what was asked for', (text, request) => {
  expect(read(text, request).price).toBeUndefined()
})

test.each([
  // Two statements contradict each other.
  'no problem, we have it but it is finished',
  // What is denied is named, and may be another thing.
  'no idea about that one',
  // A number is left that no rule accounts for.
  'ihari 8000/10000',
  'yes, it is 45',
  // Beside thousands, a number may be short for them.
  "le kit japonais 280 mille, turc 190, main d'oeuvre 60 en plus",
  // The rules take it for a refusal; the second reader, which knows other words, does not.
  'nari mfite 20 ariko mugenzi wawe yatwaye 12, zisigaye ni izawe. 900',
  // One thing is denied, another is offered on a condition.
  'we have only the big one if you want, no small, 5000',
])('a person reads "%s"', (text) => {
  expect(read(text).unsure).toBe(true)
})
