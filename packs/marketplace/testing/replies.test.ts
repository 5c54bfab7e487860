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

// The first reader got 94 % right, flagged 33 % of the wrong ones and 7.4 % of the right ones. Changes
// made for the hard development replies, without a look at which of these were wrong, gave the figures
// below. The goals are 90 %, 80 % and 10 %.
test('the held-out replies are read as well as measured', () => {
  const score = scoreReplies(HELD_OUT_REPLIES)
  print('held out', score)
  expect(score.right).toBeGreaterThanOrEqual(0.96)
  expect(score.wrongFlagged).toBeGreaterThanOrEqual(0.75)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.09)
})

// Written later, by an author who had not read the reader's rules, and committed before it was first
// measured: 94.7 % right, 4 of the 8 wrong ones and 4.9 % of the right ones flagged. The third
// development set was made after that, without a look at which of these were wrong.
test('a second held-out set is read as well as measured', () => {
  const score = scoreReplies(SECOND_HELD_OUT)
  print('held out, second set', score)
  expect(score.right).toBeGreaterThanOrEqual(0.95)
  // The goal is 80 %, and is missed: of 7 wrong readings 4 are not noticed.
  expect(score.wrongFlagged).toBeGreaterThanOrEqual(0.42)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.05)
})

// The figure means something only while nobody fits the set to the reader.
test('the held-out replies are the ones that were written before the reader', () => {
  expect(createHash('sha256').update(JSON.stringify(HELD_OUT_REPLIES)).digest('hex')).toBe(
    'b6aa8b31b8ae661c44749eaa02734c2a4a1f12e9ac7b1caf77d0ce3c14f8fa39',
  )
  const second = readFileSync(join(import.meta.dirname, 'replies-held-out-second.txt'))
  expect(createHash('sha256').update(second).digest('hex')).toBe(
    '9a17ed1c7d8def2df89e5dd991a6def90c4d12f4ba9bbcecde36c9bc6f9a89ce',
  )
})
