import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchMedicine, splitWords } from './match-medicine.ts'
import { MEDICINES } from './medicines.ts'
import { readDosage } from './read-dosage.ts'
import { readPrescription } from './read-prescription.ts'

const read = (text: string, confidence = 0.95) =>
  readPrescription(text.split('\n').map((line) => ({ text: line, confidence })))
const match = (text: string) => matchMedicine(splitWords(text))

test('a prescription is read into medicines with dose and quantity', () => {
  const { items, unsure, questions } = read(
    'King Faisal Hospital\nDr. N. K.\nDate: 12/11/2026\n1. Amoxicillin 500mg caps 1x3/day for 7 days #21\n2. Paracetamol 500 mg tabs\nSig: 2 tabs tds x 5 days',
  )
  expect(items).toEqual([
    {
      name: 'amoxicillin',
      written: 'Amoxicillin',
      kind: 'medicine',
      strength: '500 mg',
      form: 'capsule',
      dose: '1x3/day',
      duration: '7 days',
      quantity: '21',
      confidence: 0.95,
      ask: false,
    },
    {
      name: 'paracetamol',
      written: 'Paracetamol',
      kind: 'medicine',
      strength: '500 mg',
      form: 'tablet',
      dose: '2 tabs tds',
      duration: '5 days',
      confidence: 0.95,
      ask: false,
    },
  ])
  expect({ unsure, questions }).toEqual({ unsure: false, questions: [] })
})

test('a shopping list is read as things', () => {
  expect(read('Shopping list\n- 2 x bread\n- milk 3 packs').items).toMatchObject([
    { name: 'bread', kind: 'thing', quantity: '2', ask: false },
    { name: 'milk 3 packs', kind: 'thing', quantity: '3 packs', ask: false },
  ])
})

describe('what is unsure is asked back', () => {
  test.each([
    ['a name that is only similar', 'Amoxicilin 250mg', 0.95, 'amoxicillin'],
    ['another product of the same name', 'Panadol Extra 2 boxes', 0.95, 'paracetamol'],
    ['two medicines in one line', 'Ibuprofen Omeprazole 400mg', 0.95, 'ibuprofen'],
    ['a line that was read badly', 'Amoxicillin 500mg', 0.7, 'amoxicillin'],
    ['a medicine that is not in the list', 'Cefaclor 250mg caps', 0.95, 'Cefaclor 250mg caps'],
    ['a form behind an unknown name', '- Cornoxicam Bmg tabs bd', 0.95, 'Cornoxicam Bmg tabs bd'],
    ['a thing that was read badly', '- bread', 0.5, 'bread'],
  ])('%s', (_, text, confidence, name) => {
    const { items, unsure, questions } = read(text, confidence)
    expect(items).toMatchObject([{ name, ask: true }])
    expect(unsure).toBe(true)
    expect(questions).not.toEqual([])
  })

  test('a thing among medicines', () => {
    const { items } = read('- Amoxicillin 500mg\n- Ibuprofen 400mg\n- Floxicam')
    expect(items.map(({ ask }) => ask)).toEqual([false, false, true])
  })

  test('everything in a picture that looks handwritten', () => {
    const reading = readPrescription([
      { text: 'Amoxicillin 500mg', confidence: 0.95 },
      { text: 'hgoli le pralx tqds nnm brwd qpil', confidence: 0.4 },
    ])
    expect(reading).toMatchObject({ handwriting: true, unsure: true, items: [{ ask: true }] })
    expect(reading.items[0]?.confidence).toBeLessThan(0.75)
  })

  test('a picture in which nothing was found', () => {
    expect(read('hello there')).toMatchObject({ items: [], unsure: true })
  })
})

describe('names', () => {
  test('every name and spelling of the list is found as its medicine', () => {
    for (const { name, spellings } of MEDICINES)
      for (const spelling of spellings)
        expect([spelling, match(spelling)?.name]).toEqual([spelling, name])
  })

  test('no spelling belongs to two medicines', () => {
    const spellings = MEDICINES.flatMap((medicine) => medicine.spellings)
    expect(spellings.filter((one, at) => spellings.indexOf(one) !== at)).toEqual([])
  })

  test('letters that are confused in pictures do not matter', () => {
    expect(match('lbuprofen 4OOmg')).toMatchObject({ name: 'ibuprofen', quality: 0.88 })
  })

  // The promise: a wrong letter never turns one medicine into another with certainty.
  test('a changed name is never certainly another medicine', () => {
    const names = MEDICINES.flatMap(({ name, spellings }) =>
      spellings.filter((one) => one.length > 4).map((written) => ({ name, written })),
    )
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz015')
    const change = fc.record({
      at: fc.nat(30),
      kind: fc.constantFrom('replace', 'drop', 'insert'),
      letter,
    })
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (known, changes) => {
          const letters = [...known.written]
          for (const { at, kind, letter: added } of changes) {
            const place = at % letters.length
            if (kind === 'replace') letters[place] = added
            else if (kind === 'drop') letters.splice(place, 1)
            else letters.splice(place, 0, added)
          }
          const found = match(`${letters.join('')} 500mg`)
          if (found === undefined || found.name === known.name) return
          // Another name of the list, letter for letter, is what is written.
          const isExact = MEDICINES.some(
            ({ name, spellings }) =>
              name === found.name && spellings.includes(found.written.toLowerCase()),
          )
          if (!isExact) expect(found.quality).toBeLessThan(0.75)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

test.each([
  ['Coartem 20/120 mg 1 box', { strength: '20/120 mg', quantity: '1 box' }],
  [
    'Amoxicilline 250mg/5ml sirop 5 ml x 3/jour',
    { strength: '250 mg/5 ml', form: 'syrup', dose: '5 ml x 3/jour' },
  ],
  [
    'Augmentin 1g 1 cp matin et soir pendant 7 jours',
    { strength: '1 g', dose: '1 cp matin et soir', duration: '7 days' },
  ],
  [
    'Metformin 850mg tabs bd 60 tabs',
    { strength: '850 mg', form: 'tablet', dose: 'tabs bd', quantity: '60 tabs' },
  ],
  ['Prednisolone 5mg 1-0-1', { strength: '5 mg', dose: '1-0-1' }],
  [
    'Ceftriaxone 1g inj every 12 hours 5 days',
    { form: 'injection', dose: 'every 12 hours', duration: '5 days' },
  ],
  ['Salbutamol inhaler 2 puffs prn', { form: 'inhaler' }],
  ['Qté: 2 boîtes', { quantity: '2 boites' }],
])('%s', (text, expected) => {
  expect(readDosage(text)).toMatchObject(expected)
})
