import { expect, test } from 'vitest'
import { rank } from './rank.ts'
import { trimTitle } from './trim-title.ts'

test.each([
  ['your appointment with Dr. Chen', ['Appointment with Dr. Chen']],
  ['🎷 Jazz am Kanal 🎷', ['Jazz am Kanal']],
  ['Reminder: the staff meeting on', ['Staff meeting']],
  ['The Rusty Hinges', ['The Rusty Hinges']],
  ['AS Caluire – FC Bron', ['AS Caluire – FC Bron']],
  ['Le recordamos su cita en Traumatología', ['Cita en Traumatología']],
  ['nächste Probe', ['Probe', 'Nächste Probe']],
  ['Interview invitation - Logistics Officer', ['Interview - Logistics Officer']],
  ['Nada», de Carmen Laforet', ['Nada, de Carmen Laforet']],
])('%j is written in a calendar as %j', (words, titles) => {
  const found = trimTitle(words, { start: 10, end: 10 + words.length })
  expect(found.map(({ title }) => title)).toEqual(titles)
})

test('a trimmed title stands where its words stand in the text', () => {
  expect(trimTitle('your dentist appointment!', { start: 5, end: 30 })).toEqual([
    { title: 'Dentist appointment', start: 10, end: 29 },
  ])
})

test('the ranking adds the weights of features, and its probabilities add up to 1', () => {
  const ranked = rank(
    [
      { value: 'a clause', features: new Map([['clause', 1]]) },
      { value: 'a kind', features: new Map([['kind', 1]]) },
      { value: 'unknown', features: new Map([['without a weight', 1]]) },
    ],
    { kind: 2, clause: -1 },
  )
  expect(ranked.map(({ value, score }) => [value, score])).toEqual([
    ['a kind', 2],
    ['unknown', 0],
    ['a clause', -1],
  ])
  expect(ranked.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1)
})
