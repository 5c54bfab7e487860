import { describe, expect, test } from 'vitest'
import type { ModelReading, ModelRequest } from './event-model-port.ts'
import { extractEvent } from './extract-event.ts'
import { mergeModelReading } from './merge-model-reading.ts'

const NOW = Date.parse('2026-11-18T09:00:00Z')
const TEXT = 'Concert on 12 December at 8pm in the Stadthalle'
const NOTHING: ModelReading = {
  title: null,
  description: null,
  startDay: null,
  startTime: null,
  endDay: null,
  endTime: null,
  timeZone: null,
  placeName: null,
  placeAddress: null,
  recurrence: null,
  exceptDays: null,
  unsure: [],
}
const READING: ModelReading = {
  ...NOTHING,
  title: 'Concert',
  startDay: '2026-12-12',
  startTime: '20:00',
  placeName: 'Stadthalle',
}

function merge(
  read: Partial<ModelReading>,
  text = TEXT,
  picture: Pick<ModelRequest, 'image'> = {},
) {
  const request: ModelRequest = {
    tenant: 'home',
    text,
    today: '2026-11-18',
    timeZone: 'Europe/Berlin',
    ...picture,
  }
  const rules = extractEvent({ text }, { now: NOW, timeZone: 'Europe/Berlin' })
  return mergeModelReading({ ...READING, ...read }, rules, request)
}

describe('a date or time', () => {
  test('that both read is sure', () => {
    const { confidence, notes } = merge({})
    expect([confidence.date, confidence.time, confidence.place]).toEqual([0.96, 0.96, 0.92])
    expect(notes).toBeUndefined()
  })

  test('that differs is the model’s, with a note and the other as an alternative', () => {
    const { event, confidence, alternatives, notes } = merge(
      { startDay: '2026-12-13' },
      `${TEXT}, moved to the 13th`,
    )
    expect(event.startTime).toBe('2026-12-13T20:00:00+01:00')
    expect(alternatives?.starts).toContain('2026-12-12T20:00:00+01:00')
    expect(notes?.join()).toContain('please check')
    expect(confidence.date).toBeGreaterThanOrEqual(0.6)
    expect(confidence.date).toBeLessThan(0.8)
  })

  test.each([
    [{ startDay: '2026-12-19' }, 'date'],
    [{ startTime: '21:45' }, 'time'],
  ] as const)('that the text does not contain is to be checked: %j', (read, field) => {
    expect(merge(read).confidence[field]).toBeLessThan(0.6)
  })

  test.each<[string, Partial<ModelReading>, Pick<ModelRequest, 'image'>]>([
    ['is in the picture, perhaps', { startDay: '2027-01-30' }, { image: new Uint8Array(1) }],
    ['is near enough for "next Friday"', { startDay: '2026-11-27' }, {}],
  ])('that the text does not contain but %s is neither sure nor flagged', (_why, read, picture) => {
    expect(merge(read, TEXT, picture).confidence.date).toBe(0.65)
  })

  test.each(['2026-02-31', '2041-12-12', '1999-12-12'])(
    'of %s is no reading: the rules stand',
    (startDay) => {
      const { event, confidence } = merge({ startDay })
      expect(event.startTime).toBe('2026-12-12T20:00:00+01:00')
      expect(confidence.date).toBeLessThan(0.8)
    },
  )

  test('that the model doubts is not sure, although the rules read the same', () => {
    expect(merge({ unsure: ['date', 'time'] }).confidence).toMatchObject({ date: 0.75, time: 0.75 })
  })

  test('that only the model found is taken', () => {
    const { event, confidence } = merge(
      { startDay: '2026-12-12', startTime: null },
      'Koncert 12/XII w Stadthalle',
    )
    expect([event.startTime, confidence.date]).toEqual(['2026-12-12', 0.75])
  })

  test('that the model does not find is none, with that of the rules as an alternative', () => {
    const { event, confidence, alternatives } = merge({ startDay: null, startTime: null })
    expect([event.startTime, confidence.date]).toEqual(['2026-11-18', 0])
    expect(alternatives?.starts).toEqual(['2026-12-12T20:00:00+01:00'])
  })
})

test('where neither finds a date, the note says that it is set to today', () => {
  const { confidence, notes } = merge({ startDay: null, startTime: null }, 'A concert, some day')
  expect(confidence.date).toBe(0)
  expect(notes?.[0]).toContain('It is set to today')
})

test('a time that the model leaves out is not sure, and noted', () => {
  const { event, confidence, notes } = merge({ startTime: null })
  expect([event.startTime, confidence.date, confidence.time]).toEqual(['2026-12-12', 0.96, 0.65])
  expect(notes?.join()).toContain('please check')
})

test('where the model finds no event, nothing is above 0.3, and a note says so', () => {
  const { confidence, notes, event } = merge({ ...NOTHING })
  expect(Math.max(confidence.title, confidence.date, confidence.time)).toBeLessThanOrEqual(0.3)
  expect(notes?.[0]).toBe('The model found no event in it.')
  expect(event.title).not.toBe('')
})

describe('an end', () => {
  test('before the start is on the next day', () => {
    expect(merge({ endTime: '02:00' }).event.endTime).toBe('2026-12-13T02:00:00+01:00')
  })

  test('that only the rules found stays with the same start', () => {
    const text = 'Concert on 12 December, 8pm-11pm, in the Stadthalle'
    expect(merge({}, text).event.endTime).toBe('2026-12-12T23:00:00+01:00')
    expect(merge({ startTime: '19:00' }, text).event.endTime).toBe('2026-12-12T20:00:00+01:00')
  })

  test('years later is ignored', () => {
    expect(merge({ endDay: '2029-12-12' }).event.endTime).toBe('2026-12-12T21:00:00+01:00')
  })
})

describe('a title or place', () => {
  test('is the model’s; that of the rules is an alternative', () => {
    const text = 'Rosa & Friends\nA concert on 12 December at 8pm\nStadthalle, doors at Kino Lux'
    const { event, alternatives } = merge({ title: 'Rosa', placeName: 'Kino Lux' }, text)
    expect([event.title, event.location?.name]).toEqual(['Rosa', 'Kino Lux'])
    expect([alternatives?.titles, alternatives?.places].flat()).not.toContain('Rosa')
  })

  test.each([
    [{ title: 'Lecture about bees' }, 'title'],
    [{ placeName: 'Royal Albert Hall' }, 'place'],
  ] as const)('whose words the text does not contain is to be checked: %j', (read, field) => {
    expect(merge(read).confidence[field]).toBeLessThan(0.6)
  })

  test('has one line of limited length, without control characters', () => {
    const { event } = merge({ title: ` A\u0000\n\tB${'x'.repeat(900)}`, placeName: ' \n ' })
    expect(event.title.startsWith('A Bx')).toBe(true)
    expect(event.title.length).toBeLessThanOrEqual(500)
    expect(event.location).toBeUndefined()
  })

  test('that only the picture shows is less doubtful than one that nothing shows', () => {
    const image = { image: new Uint8Array(1) }
    const { confidence } = merge({ title: 'Lecture about bees' }, TEXT, image)
    expect(confidence.title).toBe(0.6)
  })

  test('is in the text in another form and with other small words', () => {
    const text = 'Séances de yoga le 12 décembre à 20h, salle Verte'
    expect(merge({ title: 'Une séance de yoga', placeName: null }, text).confidence.title).toBe(0.7)
  })

  test('of the rules keeps its address where the model names the same place', () => {
    const text = 'Concert on 12 December at 8pm at Town Hall, 5 King Street, Leeds'
    expect(merge({ placeName: 'Town Hall' }, text).event.location?.address).toContain('King Street')
  })
})

describe('a series', () => {
  test('has the rules of the model and its exceptions', () => {
    const { event } = merge({
      recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=SA'],
      exceptDays: ['2026-12-26', '2026-13-01'],
    })
    expect(event.recurrence).toEqual([
      'RRULE:FREQ=WEEKLY;BYDAY=SA',
      'EXDATE;TZID=Europe/Berlin:20261226T200000',
    ])
  })

  test('of the rules is none where the model reads several days instead', () => {
    const text = 'Fair, daily from 9 to 11 March 2027, 9.30am, Town Hall'
    const read = { startDay: '2027-03-09', startTime: '09:30' }
    expect(merge(read, text).event.recurrence).toBeDefined()
    const several = merge({ ...read, endDay: '2027-03-11' }, text)
    expect(several.event.recurrence).toBeUndefined()
    expect(several.confidence.recurrence).toBeUndefined()
  })

  test.each([
    'DROP TABLE',
    'RRULE:FREQ=SECONDLY',
    'RRULE:FREQ=WEEKLY;BYDAY=XX',
    'RRULE:FREQ=DAILY\nATTENDEE:mailto:eve@example.com',
    `RRULE:FREQ=DAILY;BYMONTHDAY=1${',1'.repeat(400)}`,
  ])('with the rule %j is none', (line) => {
    expect(merge({ recurrence: [line] }).event.recurrence).toBeUndefined()
  })
})

test('a zone is named if it is another than the person’s and exists', () => {
  expect(merge({ timeZone: 'Europe/Berlin' }).zone).toBeUndefined()
  expect(merge({ timeZone: 'Mars/Base' }).event.timezone).toBe('Europe/Berlin')
  const { zone, event } = merge({ timeZone: 'America/New_York' })
  expect([zone, event.startTime]).toEqual(['named', '2026-12-12T20:00:00-05:00'])
})
