import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePrivateTexts } from '../../testing/private-texts.ts'
import { scoreAnonymised } from '../../testing/score-anonymised.ts'
import { anonymise } from './anonymise.ts'

describe('a need survives whole', () => {
  test.each([
    'amoxicillin 500mg near Kimironko',
    'need iPhone 11 64GB 210 000 frw near Kigali Heights',
    'Samsung Galaxy A12 screen replacement in Gikondo',
    'Augmentin 1 g, 14 comprimés, près de Nyamirambo',
    'umuti wa Coartem hafi ya Kimisagara',
    'dawa ya Coartem karibu na Kariakoo',
    'I need size 42 shoes, 2 pairs, black, Nike Air Max',
    'tyres 175/70 R13, budget 1 200 000 frw',
    'Price for Castrol GTX 20W-50 4L',
    'Calculatrice Casio fx-991',
  ])('%s', (text) => {
    expect(anonymise(text)).toEqual({ text, removed: { contacts: 0, names: 0 } })
  })
})

test.each([
  [
    'I am Claudine, 0788123456, need amoxicillin 500mg near Kimironko',
    'need amoxicillin 500mg near Kimironko',
  ],
  [
    "je m'appelle Chantal Uwimana, mon email est chantal.u@gmail.com, je cherche Augmentin 1g près de Nyamirambo",
    'je cherche Augmentin 1g près de Nyamirambo',
  ],
  [
    'Nitwa Mukamana Diane, nimero yanjye ni 0722 33 44 55, ndashaka pneu 175/70 R13 hafi ya Nyabugogo',
    'ndashaka pneu 175/70 R13 hafi ya Nyabugogo',
  ],
  [
    'Jina langu ni Juma Hassan, simu yangu 0712 345 678, natafuta dawa ya Coartem karibu na Kariakoo',
    'natafuta dawa ya Coartem karibu na Kariakoo',
  ],
  ['need cement, ID 1 1990 8 0012345 6 78', 'need cement'],
  ['cement, call *0788123456* or pay *182*8*1*045321#', 'cement, call * * or pay'],
  ['call me zero seven eight eight one two three four five six, need cement', 'need cement'],
])('%s', (text, left) => {
  expect(anonymise(text).text).toBe(left)
})

const generated = makePrivateTexts(2_000, 'anonymise')

test.each(['en', 'fr', 'rw', 'sw'])(
  'what is personal in generated texts is removed, and the need stays: %s',
  (language) => {
    const texts = generated.filter((text) => text.language === language)
    const score = scoreAnonymised(texts)
    const percent = (share: number) => `${Math.round(share * 1000) / 10} %`
    process.stdout.write(
      `anonymised ${texts.length} texts (${language}): phones ${percent(score.phones)}, e-mails ${percent(score.mails)}, ids ${percent(score.ids)}, names ${percent(score.names)}, needs whole ${percent(score.needs)}\n`,
    )
    expect(score).toMatchObject({ phones: 1, mails: 1, ids: 1 })
    expect(score.names).toBeGreaterThanOrEqual(0.98)
    expect(score.needs).toBeGreaterThanOrEqual(0.99)
  },
)

test('no phone number, e-mail address or id is left of any text around it', () => {
  const words = fc.array(
    fc.constantFrom('need', 'pneu', 'hafi', 'ya', 'Remera', '500mg', '20', 'frw', ',', '.', 'to'),
    {
      maxLength: 8,
    },
  )
  const phone = fc
    .tuple(
      fc.stringMatching(/^7[1235689]\d{7}$/),
      fc.constantFrom('', ' ', '-', '.'),
      fc.constantFrom('0', '+250', '+250 ', '250', '00254'),
    )
    .map(([own, by, prefix]) => prefix + [own.slice(0, 3), own.slice(3, 6), own.slice(6)].join(by))
  const mail = fc.stringMatching(/^[a-z]{2,9}[._]?[a-z0-9]{1,6}@[a-z]{3,8}\.(?:com|rw|co\.ke)$/)
  const id = fc.oneof(fc.uuid(), fc.stringMatching(/^1(?:19|20)\d{2}[78]\d{10}$/))
  fc.assert(
    fc.property(words, fc.oneof(phone, mail, id), words, (before, secret, after) => {
      const left = anonymise([...before, secret, ...after].join(' ')).text
      expect(left).not.toContain(secret)
      const digits = secret.replace(/\D/g, '')
      if (digits.length >= 9) expect(left.replace(/\D/g, '')).not.toContain(digits.slice(-9))
    }),
    { numRuns: 500 },
  )
})

test('an anonymised text stays as it is', () => {
  for (const { text } of makePrivateTexts(300, 'again')) {
    const once = anonymise(text).text
    expect(anonymise(once).text).toBe(once)
  }
})

test.each(['7 '.repeat(2000), 'Aa '.repeat(1500), 'a@'.repeat(1500), 'id '.repeat(1500)])(
  'a hostile text is anonymised in well under a second',
  (text) => {
    const before = process.threadCpuUsage()
    anonymise(text)
    const { user, system } = process.threadCpuUsage(before)
    expect(user + system).toBeLessThan(1_000_000)
  },
)
