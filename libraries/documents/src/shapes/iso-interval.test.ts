import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IsoInterval } from './time.ts'

const accepts = (text: string) => IsoInterval.safeParse(text).success

const instant = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9998-01-01T00:00:00Z'),
  noInvalidDate: true,
})
const length = fc.constantFrom('PT1S', 'PT2H', 'P1D', 'P3W', 'P1Y2M10DT2H30M', 'PT0.5S')

test('start/end is accepted exactly when the end is after the start', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: -5000, max: 5000 }), (start, byMs) => {
      const end = new Date(start.getTime() + byMs)
      expect(accepts(`${start.toISOString()}/${end.toISOString()}`)).toBe(byMs > 0)
    }),
  )
})

test('offsets are weighed when start and end are compared', () => {
  expect(accepts('2025-08-24T10:00:00+03:00/2025-08-24T08:00:00Z')).toBe(true)
  expect(accepts('2025-08-24T10:00:00Z/2025-08-24T12:00:00+03:00')).toBe(false)
})

test('dates are compared as dates', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: -40, max: 40 }), (start, byDays) => {
      const end = new Date(start.getTime() + byDays * 86_400_000)
      expect(accepts(`${start.toISOString().slice(0, 10)}/${end.toISOString().slice(0, 10)}`)).toBe(
        byDays > 0,
      )
    }),
  )
})

test('a date or a date-time goes with a duration on either side, as it is', () => {
  fc.assert(
    fc.property(instant, length, fc.constantFrom(10, 24), (start, duration, end) => {
      const text = start.toISOString().slice(0, end)
      expect(IsoInterval.parse(`${text}/${duration}`)).toBe(`${text}/${duration}`)
      expect(IsoInterval.parse(`${duration}/${text}`)).toBe(`${duration}/${text}`)
    }),
  )
})

test('half an interval, or three halves, is refused', () => {
  fc.assert(
    fc.property(instant, length, (start, duration) => {
      const text = start.toISOString()
      for (const wrong of [
        text,
        duration,
        `${text}/`,
        `/${text}`,
        `${duration}/${duration}`,
        `${duration}/${text}/${duration}`,
      ]) {
        expect(accepts(wrong)).toBe(false)
      }
    }),
  )
})

test.each([
  '2025-08-24T10:00:00Z/12:00:00',
  '2025-08-24T10:00:00Z/2025-08-25',
  '2025-08-24/2025-08-25T10:00:00Z',
  '2025-02-29/2025-03-02',
  '2025-02-29T10:00:00Z/PT2H',
  '2025-08-24/2025-08-32',
  '2025-08-24T10:00:00Z/PT',
  '2025-08-24T10:00:00Z/PT0S',
  'P0D/2025-08-24',
  '2025-08-24T10:00:00Z--2025-08-24T12:00:00Z',
  'R5/2025-08-24T10:00:00Z/PT2H',
  '2025-08-24T10:00:00/2025-08-24T12:00:00',
  '2025-08-24T10:00:00Z / PT2H',
  '../2025-08-24',
])('%s is refused', (text) => {
  expect(accepts(text)).toBe(false)
})
