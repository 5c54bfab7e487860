import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { extractEvent } from '../src/extract/extract-event.ts'
import {
  type ExaminedFolderCase,
  examineFolderCase,
  readCaseFolder,
  SCORED_FIELDS,
} from './case-folder.ts'
import { isContainedPlace, isEqualName, isSameName, isSamePlace } from './same-name.ts'

describe.each([
  ['development', { date: 0.97, time: 0.97, title: 0.83, place: 0.92 }],
  // By another author, for training.
  ['development-own-3', { date: 0.89, time: 0.86, title: 0.76, place: 0.8 }],
  ['development-own-4', { date: 0.92, time: 0.9, title: 0.77, place: 0.85 }],
  // Written by four outsiders; the pictures as OCR read them.
  ['development-outside', { date: 0.91, time: 0.91, title: 0.76, place: 0.83 }],
  ['development-outside-2', { date: 0.89, time: 0.89, title: 0.8, place: 0.82 }],
  ['development-outside-3', { date: 0.92, time: 0.92, title: 0.8, place: 0.82 }],
  ['development-outside-5', { date: 0.9, time: 0.9, title: 0.78, place: 0.82 }],
] as const)('the cases of %s, which rules and weights were fitted on', (name, least) => {
  const folder = join(import.meta.dirname, 'fixtures', name)
  const examined: ExaminedFolderCase[] = []

  beforeAll(async () => {
    const ocr = { read: () => Promise.reject(new Error('These cases have no pictures.')) }
    // Every third, to save time; `npm run bench -- events --cases` reads all of them.
    for (const one of readCaseFolder(folder).filter((_, index) => index % 3 === 0))
      examined.push(await examineFolderCase(one, { folder, ocr, extract: extractEvent }))
  }, 300_000)

  test.each(SCORED_FIELDS)('%ss are right in a sufficient share', (field) => {
    const wrong = examined.filter(({ right }) => !right[field])
    const shown = wrong.map(({ one, answered }) => [one.id, one.expect, answered])
    expect(1 - wrong.length / examined.length, JSON.stringify(shown)).toBeGreaterThanOrEqual(
      least[field],
    )
  })

  test('of the fields with a confidence of at least 0.8, at least 95 % are right', () => {
    const sure = SCORED_FIELDS.flatMap((field) =>
      examined
        .filter(({ confidence }) => confidence[field] >= 0.8)
        .map(({ right }) => right[field]),
    )
    expect(sure.length).toBeGreaterThan(examined.length)
    expect(sure.filter(Boolean).length / sure.length).toBeGreaterThanOrEqual(0.95)
  })
})

describe('names', () => {
  test.each([
    ['Jazz Night', 'jazz night!', true],
    ['JAZZ NIGHT with Anna', 'Jazz Night', true],
    ['Café de la Paix', 'Cafe Paix', true],
    ['Winterzaubcr', 'Winterzauber', true],
    ['Jazz', 'Jazz Night', false],
    ['Dinner with Anna', 'Dinner with Paul', false],
    ['Doors 7 pm Jazz Night tickets 12 euros', 'Jazz Night', false],
    ['Untitled Event', 'Jazz Night', false],
  ])('%j for %j: %j', (answered, expected, isRight) => {
    expect(isSameName(answered, expected)).toBe(isRight)
  })

  test.each([
    [{ name: 'Blue Note', address: '12 King Street' }, 'Blue Note', true],
    [{ name: 'Blue Note' }, 'Blue Note, 12 King Street, London', true],
    [{ name: 'Kwik Fit', address: 'Reading' }, 'Kwik Fit Reading', true],
    [{ name: 'Anna', address: '12 King Street' }, '12 King Street', true],
    [{ name: 'Box office', address: 'London' }, 'Blue Note', false],
    [{ name: 'Rosewood Manor', address: 'Napa' }, 'Napa Valley Hotel', false],
    [undefined, '', true],
    [undefined, 'Blue Note', false],
    [{ name: 'Blue Note' }, '', false],
  ])('%j for %j: %j', (place, expected, isRight) => {
    expect(isSamePlace(place, expected)).toBe(isRight)
  })
})

describe('cases that list every accepted wording', () => {
  test.each([
    ['Jazz Night', 'jazz night!', true],
    ['The Jazz Night', 'Jazz Night', true],
    ['Jazz Night with Anna', 'Jazz Night', false],
  ])('the title %j for %j: %j', (answered, expected, isRight) => {
    expect(isEqualName(answered, expected)).toBe(isRight)
  })

  test.each([
    [{ name: 'Blue Note', address: '12 King Street' }, 'Blue Note, 12 King Street', true],
    [{ name: 'Blue Note' }, 'Blue Note, 12 King Street, London', true],
    [{ name: 'Room 4', address: 'Town Hall' }, 'Town Hall', true],
    [{ name: 'Blue' }, 'Bluebell Hall', false],
    [{ name: 'Red Note' }, 'Blue Note', false],
  ])('the place %j for %j: %j', (place, expected, isRight) => {
    expect(isContainedPlace(place, expected)).toBe(isRight)
  })
})
