import { describe, expect, test } from 'vitest'
import { answeredOf } from './answered.ts'
import { calibration } from './calibration.ts'
import type { Answer } from './made-case.ts'
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
  test('is all right for the answer itself', () => {
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

  test('a place where none was said is invented', () => {
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

  test('a time where none was said is wrong, and so is none where one was', () => {
    const { time: _, endTime: __, ...wholeDay } = { ...answer, isAllDay: true }
    expect(score(right, wholeDay).time).toBe(false)
    expect(score({ ...right, time: undefined, isAllDay: true }, answer).time).toBe(false)
  })

  test('rules that mean the same are the same, and a rule where none was said is wrong', () => {
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

describe('an event as it is read', () => {
  const event = { title: 'Straßenfest', timezone: 'Europe/Berlin' }

  test('local times, offsets and other zones come to the same', () => {
    const read = ['2027-05-12T14:00:00', '2027-05-12T14:00:00+02:00', '2027-05-12T12:00:00Z'].map(
      (startTime) => {
        const { day, time } = answeredOf({ ...event, startTime }, 'Europe/Berlin')
        return `${day} ${time}`
      },
    )
    expect(read).toEqual(Array.from({ length: 3 }, () => '2027-05-12 14:00'))
  })

  test('whole days end on the day before their end', () => {
    const read = answeredOf(
      { ...event, startTime: '2027-05-12', endTime: '2027-05-15' },
      'Europe/Berlin',
    )
    expect(read).toMatchObject({ day: '2027-05-12', endDay: '2027-05-14', isAllDay: true })
  })
})

describe('calibration', () => {
  const judged = (...pairs: readonly (readonly [number, boolean])[]) =>
    pairs.map(([confidence, isRight]) => ({ confidence, isRight }))

  test('is perfect where every right one is surer than every wrong one', () => {
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

  test('is chance where the confidence is always the same, and worst where it lies', () => {
    expect(calibration(judged([0.5, true], [0.5, false], [0.5, true])).auc).toBe(0.5)
    expect(calibration(judged([0.1, true], [0.9, false])).auc).toBe(0)
  })

  test('says nothing where all are right', () => {
    expect(calibration(judged([0.5, true], [0.6, true])).auc).toBeUndefined()
  })
})
