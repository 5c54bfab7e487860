import { describe, expect, test } from 'vitest'
import { readAnswered } from './answered.ts'
import { calibration } from './calibration.ts'
import type { Answer } from './generated-case.ts'
import { type Answered, score } from './score.ts'

const answer: Answer = {
  title: 'Lindenauer Straßenfest',
  day: '2027-05-12',
  time: '14:00',
  endDay: '2027-05-12',
  endTime: '17:00',
  isAllDay: false,
  place: { name: 'Alte Gießerei', address: 'Gartenweg 104, 13773 Köln' },
  price: { amount: 7.5, currency: 'EUR' },
  timeZone: 'Europe/Berlin',
}
const right: Answered = { ...answer }

describe('a score', () => {
  test('is right in every field for the expected answer', () => {
    expect(score(right, answer)).toEqual({
      title: true,
      date: true,
      time: true,
      place: true,
      end: true,
      price: true,
    })
  })

  test.each([
    ['LINDENAUER STRASSENFEST', true],
    ['Das Lindenauer Straßenfest', true],
    ['Lindenauer Strassenfes', true],
    ['Straßenfest', false],
    ['Lindenauer Straßenfest mit Livemusik, gutem Essen und netten Leuten', false],
    ['', false],
  ])('takes the title %j for %j', (title, isRight) => {
    expect(score({ ...right, title }, answer).title).toBe(isRight)
  })

  test.each([
    [{ name: 'in der Alten Gießerei' }, true],
    [{ name: 'Gartenweg 104', address: '13773 Köln, Deutschland' }, true],
    [{ name: 'Köln' }, false],
    [
      { name: `Alte Gießerei ${'und alles, was sonst noch auf dem Blatt steht, '.repeat(4)}` },
      false,
    ],
    [undefined, false],
  ])('takes the place %j for %j', (place, isRight) => {
    expect(score({ ...right, place }, answer).place).toBe(isRight)
  })

  test('a place that the source does not state is wrong', () => {
    const { place: _, ...nowhere } = answer
    expect([
      score(right, nowhere).place,
      score({ ...right, place: undefined }, nowhere).place,
    ]).toEqual([false, true])
  })

  test('a day off by one and a time off by a minute are wrong', () => {
    expect(score({ ...right, day: '2027-05-13', time: '14:01' }, answer)).toMatchObject({
      date: false,
      time: false,
    })
  })

  test('an invented time is wrong, and so is a missing one', () => {
    const { time: _, endTime: __, ...wholeDay } = { ...answer, isAllDay: true }
    expect(score(right, wholeDay).time).toBe(false)
    expect(score({ ...right, time: undefined, isAllDay: true }, answer).time).toBe(false)
  })

  test('equivalent rules are equal, and an invented rule is wrong', () => {
    const monthly = { ...answer, recurrence: 'FREQ=MONTHLY;BYDAY=1MO' }
    expect(
      score({ ...right, recurrence: 'RRULE:FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO' }, monthly).recurrence,
    ).toBe(true)
    expect(score({ ...right, recurrence: 'FREQ=MONTHLY;BYDAY=2MO' }, monthly).recurrence).toBe(
      false,
    )
    expect(score({ ...right, recurrence: 'FREQ=WEEKLY;BYDAY=WE' }, answer).recurrence).toBe(false)
  })
})

describe('an event in the terms of the answer', () => {
  const event = { title: 'Straßenfest', timezone: 'Europe/Berlin' }

  test('has the same times from local times, offsets and other zones', () => {
    const read = ['2027-05-12T14:00:00', '2027-05-12T14:00:00+02:00', '2027-05-12T12:00:00Z'].map(
      (startTime) => {
        const { day, time } = readAnswered({ ...event, startTime }, 'Europe/Berlin')
        return `${day} ${time}`
      },
    )
    expect(read).toEqual(Array.from({ length: 3 }, () => '2027-05-12 14:00'))
  })

  test('has the last day of all-day events as its end', () => {
    const read = readAnswered(
      { ...event, startTime: '2027-05-12', endTime: '2027-05-15' },
      'Europe/Berlin',
    )
    expect(read).toMatchObject({ day: '2027-05-12', endDay: '2027-05-14', isAllDay: true })
  })
})

describe('calibration', () => {
  const judged = (...pairs: readonly (readonly [number, boolean])[]) =>
    pairs.map(([confidence, isRight]) => ({ confidence, isRight }))

  test('is perfect if every right value has a higher confidence than every wrong one', () => {
    expect(
      calibration(judged([0.9, true], [0.8, true], [0.3, false], [0.2, true], [0.1, false])),
    ).toMatchObject({ wrong: 2, auc: 5 / 6 })
    expect(calibration(judged([0.9, true], [0.8, true], [0.3, false], [0.1, false]))).toEqual({
      count: 4,
      wrong: 2,
      auc: 1,
      sureHalf: 1,
      unsureHalf: 0,
    })
  })

  test('is random for a constant confidence, and worst for an inverted one', () => {
    expect(calibration(judged([0.5, true], [0.5, false], [0.5, true])).auc).toBe(0.5)
    expect(calibration(judged([0.1, true], [0.9, false])).auc).toBe(0)
  })

  test('is undefined if all are right', () => {
    expect(calibration(judged([0.5, true], [0.6, true])).auc).toBeUndefined()
  })
})
