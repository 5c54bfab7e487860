import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Iso8601Duration, isBefore, Rfc3339DateTime } from './time.ts'

const digits = (value: number, length = 2) => String(value).padStart(length, '0')
const fraction = fc
  .option(fc.stringMatching(/^\d{1,30}$/), { nil: undefined })
  .map((text) => (text === undefined ? '' : `.${text}`))
const offset = fc.oneof(
  fc.constantFrom('Z', 'z', '-00:00', '+23:59'),
  fc
    .tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59))
    .map(([sign, hours, minutes]) => `${sign}${digits(hours)}:${digits(minutes)}`),
)
const time = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map((parts) => parts.map((part) => digits(part)).join(':'))
const day = fc
  .date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10))
const dateTime = fc
  .tuple(day, fc.constantFrom('T', 't'), time, fraction, offset)
  .map((parts) => parts.join(''))

describe('Rfc3339DateTime', () => {
  const accepts = (text: string) => Rfc3339DateTime.safeParse(text).success

  test('every day, time, fraction and offset in range is accepted as it is', () => {
    fc.assert(
      fc.property(dateTime, (text) => {
        expect(Rfc3339DateTime.parse(text)).toBe(text)
      }),
    )
  })

  test('a day is accepted exactly when the calendar has it', () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(13), fc.nat(32), (year, month, dayOfMonth) => {
        const date = new Date(0)
        date.setUTCFullYear(year, month - 1, dayOfMonth)
        const isReal =
          date.getUTCFullYear() === year &&
          date.getUTCMonth() === month - 1 &&
          date.getUTCDate() === dayOfMonth
        expect(accepts(`${digits(year, 4)}-${digits(month)}-${digits(dayOfMonth)}T00:00:00Z`)).toBe(
          isReal,
        )
      }),
      { numRuns: 2000 },
    )
  })

  test('29 February is accepted in exactly the leap years', () => {
    for (let year = 0; year <= 9999; year += 1) {
      const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
      expect(accepts(`${digits(year, 4)}-02-29T00:00:00Z`)).toBe(isLeap)
    }
  })

  test('hours, minutes, seconds and offsets out of range are refused', () => {
    const outOfRange = fc.oneof(
      fc.integer({ min: 24, max: 99 }).map((hours) => `${hours}:00:00Z`),
      fc.integer({ min: 60, max: 99 }).map((minutes) => `00:${minutes}:00Z`),
      fc.integer({ min: 61, max: 99 }).map((seconds) => `23:59:${seconds}Z`),
      fc.integer({ min: 24, max: 99 }).map((hours) => `00:00:00+${hours}:00`),
      fc.integer({ min: 60, max: 99 }).map((minutes) => `00:00:00-00:${minutes}`),
    )
    fc.assert(
      fc.property(day, outOfRange, (date, clock) => {
        expect(accepts(`${date}T${clock}`)).toBe(false)
      }),
    )
  })

  test('no character can be lost, but a fractional digit', () => {
    fc.assert(
      fc.property(day, time, offset, fc.nat(30), (date, clock, zone, at) => {
        const text = `${date}T${clock}${zone}`
        fc.pre(at < text.length)
        expect(accepts(text.slice(0, at) + text.slice(at + 1))).toBe(false)
      }),
    )
  })

  test.each([
    '2016-12-31T23:59:60Z',
    '1990-12-31T15:59:60-08:00',
    '2017-01-01T05:29:60.5+05:30',
    '2015-06-30T23:59:60z',
  ])('%s is a leap second and accepted', (text) => {
    expect(accepts(text)).toBe(true)
  })

  test.each([
    '2016-12-31T23:59:60+01:00',
    '2016-12-30T23:59:60Z',
    '2016-12-31T22:59:60Z',
    '2016-12-31T23:58:60Z',
    '2017-01-01T00:00:60Z',
    '1990-12-31T23:59:60-08:00',
  ])('%s is no leap second and refused', (text) => {
    expect(Rfc3339DateTime.safeParse(text).error?.issues).toMatchObject([
      { message: expect.stringContaining('leap second') },
    ])
  })

  test.each([
    '',
    '2025-08-24',
    '2025-08-24T10:00Z',
    '2025-08-24T10:00:00',
    '2025-08-24 10:00:00Z',
    '2025-08-24T10:00:00.Z',
    '2025-08-24T10:00:00,5Z',
    '2025-08-24T24:00:00Z',
    '2025-08-24T10:00:00+0300',
    '2025-08-24T10:00:00+03',
    '+02025-08-24T10:00:00Z',
    '20250824T100000Z',
    ' 2025-08-24T10:00:00Z',
    '2025-08-24T10:00:00Z\n',
    '2025-08-24T10:00:00−03:00',
  ])('%j is refused', (text) => {
    expect(accepts(text)).toBe(false)
  })
})

describe('isBefore', () => {
  test('agrees with Date on instants of whole milliseconds', () => {
    const instant = fc.date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9998-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    const near = fc.integer({ min: -2000, max: 2000 })
    fc.assert(
      fc.property(instant, near, (first, byMs) => {
        const second = new Date(first.getTime() + byMs)
        expect(isBefore(first.toISOString(), second.toISOString())).toBe(byMs > 0)
      }),
    )
  })

  test.each([
    ['2025-08-24T10:00:00Z', '2025-08-24T10:00:00.000Z', false],
    ['2025-08-24T10:00:00Z', '2025-08-24T10:00:00.0000001Z', true],
    ['2025-08-24T10:00:00.5Z', '2025-08-24T10:00:00.49999999999999999999Z', false],
    ['2025-08-24T12:59:00+03:00', '2025-08-24t10:00:00z', true],
    ['2025-08-24T13:00:00+03:00', '2025-08-24T10:00:00Z', false],
    ['2016-12-31T23:59:59.9Z', '2016-12-31T23:59:60Z', true],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z', true],
  ])('%s before %s: %s', (first, second, expected) => {
    expect(isBefore(first, second)).toBe(expected)
  })
})

describe('Iso8601Duration', () => {
  const accepts = (text: string) => Iso8601Duration.safeParse(text).success
  const count = fc.option(fc.nat(99_999), { nil: undefined })
  const parts = fc
    .record({ Y: count, M: count, D: count, h: count, m: count, s: count })
    .filter((record) => Object.values(record).some((part) => part !== undefined))
  const writeDuration = (record: Record<string, number | undefined>, letters: string[]) =>
    letters
      .map((letter) =>
        record[letter] === undefined ? '' : `${record[letter]}${letter.toUpperCase()}`,
      )
      .join('')
  const duration = parts.map((record) => {
    const clock = writeDuration(record, ['h', 'm', 's'])
    return `P${writeDuration(record, ['Y', 'M', 'D'])}${clock && `T${clock}`}`
  })

  test('any choice of components in their order is accepted', () => {
    fc.assert(
      fc.property(duration, (text) => {
        expect(Iso8601Duration.parse(text)).toBe(text)
      }),
    )
  })

  test('a fraction is accepted in the last component and in no other', () => {
    fc.assert(
      fc.property(duration, fc.constantFrom('.', ','), fc.nat(9), (text, mark, digit) => {
        const places = [...text.matchAll(/[YMDHS]/g)].map((match) => match.index)
        for (const at of places) {
          expect(accepts(`${text.slice(0, at)}${mark}${digit}${text.slice(at)}`)).toBe(
            at === text.length - 1,
          )
        }
      }),
    )
  })

  test('a component twice, or weeks beside others, is refused', () => {
    fc.assert(
      fc.property(duration, (text) => {
        expect(accepts(`${text}1W`)).toBe(false)
        expect(accepts(`P1W${text.slice(1)}`)).toBe(false)
        expect(accepts(text + text.slice(1))).toBe(false)
      }),
    )
  })

  test.each(['P0D', 'PT0S', 'P1M', 'PT1M', 'P3W', 'P0.5W', 'P1,5Y', 'PT36H', 'P1Y1D'])(
    '%s is accepted',
    (text) => {
      expect(accepts(text)).toBe(true)
    },
  )

  test.each([
    '',
    'P',
    'PT',
    'P1',
    'P1DT',
    '1D',
    'p1d',
    '-P1D',
    '+P1D',
    'P-1D',
    'P1H',
    'PT1D',
    'P1D2Y',
    'PT1S1M',
    'P1.D',
    'P.5D',
    'P1W2D',
    'P 1D',
    'P1D ',
    'PT1e3S',
    'P0003-06-04T12:30:05',
    `P${'9'.repeat(16)}D`,
  ])('%j is refused', (text) => {
    expect(accepts(text)).toBe(false)
  })
})
