import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localTimeIn } from '../local-time.ts'
import { dueOn } from './due.ts'
import { readLine } from './task-capture.ts'

const HERE = localTimeIn('Europe/Berlin', Date.parse('2026-01-15T08:00:00Z'))
const AT_FIVE = dueOn('2026-01-16', '17:00', 'Europe/Berlin')

test('a line with all hints is parsed, with the words of each', () => {
  expect(
    readLine('Call Bob tomorrow 5pm #errands !high @phone +"Garden house" ~15m', HERE),
  ).toEqual({
    title: 'Call Bob',
    due: AT_FIVE,
    tags: ['errands'],
    priority: 'high',
    context: 'phone',
    minutes: 15,
    project: { name: 'Garden house', text: '+"Garden house"' },
    recognised: [
      { kind: 'tag', text: '#errands', value: 'errands' },
      { kind: 'priority', text: '!high', value: 'high' },
      { kind: 'context', text: '@phone', value: 'phone' },
      { kind: 'project', text: '+"Garden house"', value: 'Garden house' },
      { kind: 'minutes', text: '~15m', value: '15' },
      { kind: 'due', text: 'tomorrow 5pm', value: '2026-01-16 17:00 Europe/Berlin' },
    ],
  })
})

test.each([
  ['send the report by tomorrow 5pm', 'send the report'],
  ['Bericht bis morgen um 17 Uhr schicken !hoch', 'Bericht schicken'],
  ['appeler Marie demain à 17h', 'appeler Marie'],
  ['llamar a Ana mañana a las 5', 'llamar a Ana'],
])('"%s" is due tomorrow at five and called "%s"', (text, title) => {
  expect(readLine(text, HERE)).toMatchObject({ title, due: AT_FIVE })
})

test.each([
  'Fix issue #12',
  'Write to bob@example.com',
  'Ring +49 30 1234',
  'Read 1984',
  'Wow! great',
  'Pay 30 euros',
])('"%s" contains no hints', (text) => {
  expect(readLine(text, HERE)).toEqual({ title: text, tags: [], recognised: [] })
})

test('a line of only hints and dates keeps a title', () => {
  expect(readLine('tomorrow', HERE).title).toBe('tomorrow')
  expect(readLine('#errands @phone', HERE).title).toBe('#errands @phone')
})

test('further lines are notes, and a long title is kept in them completely', () => {
  expect(readLine('Buy paint\nwhite, 5 l\nno gloss', HERE)).toMatchObject({
    title: 'Buy paint',
    notes: 'white, 5 l\nno gloss',
  })
  const long = 'word '.repeat(100).trim()
  const line = readLine(long, HERE)
  expect(line.title).toHaveLength(300)
  expect(line.notes).toBe(long)
})

test('a repetition is the rule by which the task comes again', () => {
  expect(readLine('every monday call mom', HERE)).toMatchObject({
    title: 'call mom',
    due: { day: '2026-01-19' },
    repeats: 'FREQ=WEEKLY;BYDAY=MO',
  })
})

test('a task has one context: the second becomes a tag', () => {
  expect(readLine('Sort papers @home @desk', HERE)).toMatchObject({
    context: 'home',
    tags: ['desk'],
  })
})

test('any line gives a title within bounds, and no hint that is not there', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '#a',
      '@b',
      '+C',
      '!high',
      '~5m',
      'tomorrow',
      'morgen',
      '!!!',
      '+"x y"',
      '#',
      '@',
      '\n',
    ),
  )
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' ')),
      (text) => {
        fc.pre(text.trim() !== '')
        const { title, recognised, tags } = readLine(text, HERE)
        expect(title.length).toBeGreaterThan(0)
        expect(title.length).toBeLessThanOrEqual(300)
        expect(tags.length).toBeLessThanOrEqual(20)
        for (const word of recognised.flatMap((one) => one.text.split(' ')))
          expect(text.normalize('NFC')).toContain(word)
      },
    ),
  )
})

test('a date that is given separately leaves the text alone', () => {
  const line = readLine('Prepare Monday’s talk', HERE, 'no dates')
  expect([line.title, line.due]).toEqual(['Prepare Monday’s talk', undefined])
})

test.each([
  ['Dentist 11/12/2026 10am', '10:00'],
  ['Dentist 11/12/2026 at 10am', '10:00'],
  ['Dentist on 11/12/2026 10:30', '10:30'],
])('%s keeps its time', (text, time) => {
  expect(readLine(text, HERE)).toMatchObject({ title: 'Dentist', due: { time } })
})
