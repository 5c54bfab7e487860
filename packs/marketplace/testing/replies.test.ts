import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEVELOPMENT_REPLIES } from './replies-development.ts'
import { MORE_DEVELOPMENT_REPLIES } from './replies-development-more.ts'
import { HELD_OUT_REPLIES } from './replies-held-out.ts'
import { readReplyCases } from './reply-case.ts'
import { type ReplyScore, scoreReplies } from './score-replies.ts'

const SECOND_HELD_OUT = readReplyCases('replies-held-out-second.txt')
const THIRD_HELD_OUT = readReplyCases('replies-held-out-third.txt')

function print(name: string, { wrong, ...score }: ReplyScore): void {
  const text = Object.entries(score).map(([key, value]) =>
    key === 'cases' ? `${value} replies` : `${key} ${Math.round(value * 1000) / 10} %`,
  )
  process.stdout.write(`${name}: ${text.join(', ')}; ${wrong.length} wrong\n`)
}

test('the replies that the reader was developed with are read correctly', () => {
  const score = scoreReplies(DEVELOPMENT_REPLIES)
  print('development', score)
  expect(DEVELOPMENT_REPLIES.length).toBeGreaterThanOrEqual(100)
  expect(score.wrong.map(({ case: known, reading }) => ({ known, reading }))).toEqual([])
  expect(score.rightFlagged).toBeLessThanOrEqual(0.1)
})

// Chosen because they are hard: many of them must be flagged.
test('more replies that the reader was developed with are read correctly', () => {
  const score = scoreReplies(MORE_DEVELOPMENT_REPLIES)
  print('development, hard ones', score)
  expect(score.right).toBeGreaterThanOrEqual(0.99)
  expect(score.wrongFlagged).toBe(1)
})

test('a third set that the reader was developed with is read correctly', () => {
  const score = scoreReplies(readReplyCases('replies-development-third.txt'))
  print('development, third set', score)
  expect(score.right).toBeGreaterThanOrEqual(0.98)
  expect(score.wrongFlagged).toBe(1)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.1)
})

test('a fourth set that the reader was developed with is read correctly', () => {
  const score = scoreReplies(readReplyCases('replies-development-fourth.txt'))
  print('development, fourth set', score)
  expect(score.right).toBeGreaterThanOrEqual(0.97)
  expect(score.wrongFlagged).toBe(1)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.07)
})

// The goals for the held-out sets are 90 % right, 80 % of the wrong ones flagged and at most 10 % of
// the right ones. Nobody has looked at which of these replies are read wrongly.
//
// The first reader got 94 % right, flagged 33 % of the wrong ones and 7.4 % of the right ones.
test('the held-out replies are read as well as measured', () => {
  const score = scoreReplies(HELD_OUT_REPLIES)
  print('held out', score)
  expect(score.right).toBeGreaterThanOrEqual(0.95)
  expect(score.wrongFlagged).toBe(1)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.06)
})

// Written later, by an author who had not read the reader's rules, and committed before it was first
// measured: 94.7 % right, 4 of the 8 wrong ones and 4.9 % of the right ones flagged.
test('a second held-out set is read as well as measured', () => {
  const score = scoreReplies(SECOND_HELD_OUT)
  print('held out, second set', score)
  expect(score.right).toBeGreaterThanOrEqual(0.96)
  // The goal is 80 %, and is missed: of 6 wrong readings 4 are not noticed.
  expect(score.wrongFlagged).toBeGreaterThanOrEqual(0.33)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.05)
})

// Written in the same way, longer and more colloquial: when it was first measured, 88.8 % right, 14 of
// the 18 wrong ones and 15.5 % of the right ones flagged. Its author made the fourth development set
// after that, and saw only sums of this one.
test('a third held-out set is read as well as measured', () => {
  const score = scoreReplies(THIRD_HELD_OUT)
  print('held out, third set', score)
  expect(score.right).toBeGreaterThanOrEqual(0.92)
  // Both goals are missed: of 12 wrong readings 5 are not noticed, and 17 of 148 right ones are flagged.
  expect(score.wrongFlagged).toBeGreaterThanOrEqual(0.58)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.12)
})

// The figure means something only while nobody fits the set to the reader.
test('the held-out replies are the ones that were written before the reader', () => {
  expect(createHash('sha256').update(JSON.stringify(HELD_OUT_REPLIES)).digest('hex')).toBe(
    'b6aa8b31b8ae661c44749eaa02734c2a4a1f12e9ac7b1caf77d0ce3c14f8fa39',
  )
  const hashFile = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(import.meta.dirname, name)))
      .digest('hex')
  expect(hashFile('replies-held-out-second.txt')).toBe(
    '9a17ed1c7d8def2df89e5dd991a6def90c4d12f4ba9bbcecde36c9bc6f9a89ce',
  )
  expect(hashFile('replies-held-out-third.txt')).toBe(
    '3a1422af3474b83d0e9ced78f7b5a346f0b0c68129e21a951f2a2e83cec6839e',
  )
})
