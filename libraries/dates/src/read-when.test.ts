import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayOf } from './civil.ts'
import { ENGLISH, FRENCH, GERMAN, SPANISH } from './fixtures/sentences.ts'
import { readWhen } from './read-when.ts'
import type { When } from './when.ts'

const now = Date.parse('2026-11-18T09:00:00Z')
const options = { now, timeZone: 'Europe/Berlin' }

function short({ day, time, endDay, endTime, recurrence = [] }: When): string {
  const end = endTime === undefined ? endDay : endDay === day ? endTime : `${endDay} ${endTime}`
  const rules = recurrence.map((rule) => ` * ${rule.replace('RRULE:', '')}`).join('')
  return `${day}${time === undefined ? '' : ` ${time}`}${end === undefined ? '' : ` > ${end}`}${rules}`
}

const own = (text: string) => readWhen(text, options).find(({ aside }) => aside === undefined)

describe.each([
  ['English', ENGLISH],
  ['German', GERMAN],
  ['French', FRENCH],
  ['Spanish', SPANISH],
])('%s', (_language, sentences) => {
  test.each(sentences)('%s', (text, expected) => {
    const findRegion = own(text)
    expect(findRegion === undefined ? 'nothing' : short(findRegion)).toBe(expected)
  })
})

describe('beside the dates', () => {
  test('the beginning of sales, a last day to sign up and opening hours are told apart', () => {
    const text =
      'Opening hours: Mon-Fri 9am-5pm\nTickets on sale 20 November, 10am\nRSVP by 1 December\nConcert: 12 December, 8pm'
    expect(readWhen(text, options).map(({ day, time, aside }) => [day, time, aside])).toEqual([
      ['2026-11-20', '10:00', 'sale'],
      ['2026-12-01', undefined, 'deadline'],
      ['2026-12-12', '20:00', undefined],
    ])
  })

  test('doors are told, and are not the start', () => {
    expect(own('Freitag 27.11., Einlass 19 Uhr, Beginn 20 Uhr')).toMatchObject({
      time: '20:00',
      doors: '19:00',
    })
  })

  test.each([
    ['every Thursday at 6pm except Dec 24 and Dec 31', ['2026-12-24', '2026-12-31']],
    ['jeden Donnerstag außer am 24. und 31. Dezember', ['2026-12-24', '2026-12-31']],
    ['every Thursday except 24 Dec to 7 Jan', ['2026-12-24', '2026-12-31', '2027-01-07']],
    ['tous les jeudis sauf le 24 décembre', ['2026-12-24']],
    ['todos los jueves excepto el 24 de diciembre', ['2026-12-24']],
    ['every Thursday', undefined],
  ])('the days on which a series is not: %s', (text, exceptions) => {
    expect(own(text)?.exceptions).toEqual(exceptions)
  })

  test('its spans are the words that say it, without those between', () => {
    const text = 'On Saturday we have the Spring Fair, come at 8pm'
    const spans = own(text)?.spans.map(({ start, end }) => text.slice(start, end))
    expect(spans).toEqual(['Saturday', 'at 8pm'])
  })
})

describe('a zone', () => {
  test.each([
    ['Webinar Dec 3, 15:00 UTC', 'UTC', undefined],
    ['Dec 3 at 3pm EST', 'America/New_York', undefined],
    ['Dec 3, 3pm Pacific Time', 'America/Los_Angeles', undefined],
    ['3 December at 6pm London time', 'Europe/London', undefined],
    ['le 3 décembre à 18h, heure de Paris', 'Europe/Paris', undefined],
    ['am 3. Dezember um 18 Uhr MEZ', 'Europe/Berlin', undefined],
    ['2026-12-03T18:00:00+09:00', 'Etc/GMT-9', '+09:00'],
    ['2026-12-03T18:00:00+01:00', 'Europe/Berlin', '+01:00'],
    ['Dec 3 at 6pm (Asia/Tokyo)', 'Asia/Tokyo', undefined],
    ['Dec 3 at 6pm', 'Europe/Berlin', undefined],
  ])('%s', (text, timeZone, offset) => {
    expect(own(text)).toMatchObject({ timeZone, ...(offset === undefined ? {} : { offset }) })
  })
})

describe('what is guessed', () => {
  test('costs confidence: a time without AM or PM, a weekday that does not fit, a month that could be a day', () => {
    const sure = [
      own('Concert on 12 December 2026 at 8pm')?.timeConfidence,
      own('Saturday 12 December')?.confidence,
      own('13/12/2026')?.confidence,
    ]
    const unsure = [
      own('Concert on 12 December 2026 at 8')?.timeConfidence,
      own('Monday 12 December')?.confidence,
      own('3/12/2026')?.confidence,
    ]
    for (const [index, value] of sure.entries())
      expect(value).toBeGreaterThan((unsure[index] ?? 1) + 0.2)
  })

  test('a weekday picks the year in which it fits', () => {
    expect(own('Wednesday 12 May')?.day).toBe('2027-05-12')
    expect(own('Friday 12 May')?.day).toBe('2028-05-12')
  })

  test('with a look back, past dates are read', () => {
    const past = { ...options, prefer: 'past' as const }
    expect(readWhen('on Monday', past)[0]?.day).toBe('2026-11-16')
    expect(readWhen('on 5 December', past)[0]?.day).toBe('2025-12-05')
  })

  test('Americans write the month first', () => {
    const listFindings = (region: string) =>
      readWhen('on 4/5/2027 at 7pm', { ...options, languages: ['en'], region })[0]?.day
    expect([listFindings('US'), listFindings('GB')]).toEqual(['2027-04-05', '2027-05-04'])
  })
})

test.each([
  'The band plays 24/7, tickets $20',
  'iPhone 15, price 12.50 EUR',
  'We may see 3 of you',
  'Call +49 30 1234567',
  'Table for 8 people, 2 rooms',
  'Das kostet 12,50 €',
  '',
])('no date is seen in "%s"', (text) => {
  expect(readWhen(text, options)).toEqual([])
})

describe('a date never shifts by a day', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const moment = fc
    .date({
      min: new Date('2024-01-01T00:00:00Z'),
      max: new Date('2030-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.getTime())
  const day = fc
    .date({
      min: new Date('2024-01-01T00:00:00Z'),
      max: new Date('2032-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString().slice(0, 10))
  const formatDate = (locale: string, one: string) =>
    new Intl.DateTimeFormat(locale, {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    }).format(new Date(`${one}T12:00:00Z`))

  test.each(['en-GB', 'en-US', 'de-DE', 'fr-FR', 'es-ES'])(
    'written as in %s, wherever and whenever it is read',
    (locale) => {
      fc.assert(
        fc.property(day, zone, moment, (one, timeZone, now) => {
          const text = formatDate(locale, one)
          expect(
            readWhen(text, { now, timeZone }).map((when) => [
              when.day,
              when.isAllDay,
              when.timeZone,
            ]),
          ).toEqual([[one, true, timeZone]])
        }),
      )
    },
  )

  test('today is the day it is there', () => {
    fc.assert(
      fc.property(zone, moment, (timeZone, now) => {
        const found = ['today', 'heute', "aujourd'hui", 'hoy'].map(
          (word) => readWhen(word, { now, timeZone })[0]?.day,
        )
        expect(new Set(found)).toEqual(new Set([dayOf(now, timeZone)]))
      }),
    )
  })
})

test('a long text is read in a moment, whatever stands in it', () => {
  for (const piece of [
    '12 ',
    'mon - ',
    '1.1.',
    '9-9-',
    'every ',
    'a b c ',
    'der die ',
    'le 1 au ',
  ]) {
    const text = piece.repeat(Math.ceil(20_000 / piece.length))
    expect(readWhen(text, options)).toBeDefined()
  }
})

// no time is asserted: given all of these at once, the second reader runs for minutes, past the
// runner's limit
test.each(['\n', ' '])('a text of nothing but %j holds no date', (blank) => {
  expect(readWhen(`x${blank.repeat(60_000)}x`, options)).toEqual([])
})
