import { expect, test } from 'vitest'
import { drawBar, drawStreakCalendar, drawTicks } from './charts.ts'
import { isNumberList, parseChoices } from './choices.ts'

test.each([
  ['1,3,5', [1, 3, 5]],
  ['2-4', [2, 3, 4]],
  ['5 1-2, 2', [1, 2, 5]],
  ['7', [7]],
])('"%s" means %o', (said, numbers) => {
  expect(parseChoices(said, 7)).toEqual(numbers)
})

test.each(['0', '8', '3-9', '4-2', 'x', '1,x', '-1', '1--2', '99999999999999999999'])(
  '"%s" is not on a list of seven items and is refused as a whole',
  (said) => {
    expect(() => parseChoices(said, 7)).toThrow('is not on the list, which goes from 1 to 7')
  },
)

test.each([
  ['1,3', true],
  ['2-4', true],
  ['meditation', false],
  ['10 push-ups', false],
  ['', false],
])('is "%s" a choice of numbers? %s', (said, answer) => {
  expect(isNumberList(said)).toBe(answer)
})

test('a bar is as long as its share, and never longer than its width', () => {
  expect([0, 0.5, 1, 7, -1].map((share) => drawBar(share, 4))).toEqual([
    '░░░░',
    '██░░',
    '████',
    '████',
    '░░░░',
  ])
})

test('amounts are drawn side by side, the largest tallest', () => {
  expect(drawTicks([0, 1, 4, 8])).toBe('·▁▄█')
  expect(drawTicks([])).toBe('')
})

test('a calendar has one row per weekday and names its months', () => {
  const day = (state: string) => ({ state })
  const week = (week_start: string, ...states: readonly string[]) => ({
    week_start,
    days: states.map(day),
  })
  const lines = drawStreakCalendar([
    week('2026-01-26', 'done', 'missed', 'done', 'done', 'done', 'rest', 'open'),
    week('2026-02-02', 'done', 'done', 'ahead', 'ahead', 'ahead', 'ahead', 'ahead'),
  ])
  expect(lines).toEqual([
    '   Jan',
    'Mo ■ ■',
    'Tu · ■',
    'We ■  ',
    'Th ■  ',
    'Fr ■  ',
    'Sa    ',
    'Su □  ',
  ])
})
