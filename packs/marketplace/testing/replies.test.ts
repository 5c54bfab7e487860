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
const FOURTH_HELD_OUT = readReplyCases('replies-held-out-fourth.txt')

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

test('a fifth set that the reader was developed with is read correctly', () => {
  const score = scoreReplies(readReplyCases('replies-development-fifth.txt'))
  print('development, fifth set', score)
  expect(score.right).toBeGreaterThanOrEqual(0.93)
  expect(score.wrongFlagged).toBe(1)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.13)
})

// Held out until 16 November 2026, and used to develop the reader since. When each was first measured:
// 94 % right with 33 % of the wrong ones and 7.4 % of the right ones flagged; 94.7 %, 4 of 8 and 4.9 %;
// 88.8 %, 14 of 18 and 15.5 %.
test('three sets that were once held out are read correctly', () => {
  const score = scoreReplies([...HELD_OUT_REPLIES, ...SECOND_HELD_OUT, ...THIRD_HELD_OUT])
  print('once held out', score)
  expect(score.right).toBeGreaterThanOrEqual(0.97)
  expect(score.wrongFlagged).toBeGreaterThanOrEqual(0.83)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.051)
})

// HELD OUT: written without a look at the reader, and committed before it was first measured. Nobody
// has looked at which of these replies are read wrongly. The goals are 90 % right, 80 % of the wrong
// ones flagged and at most 10 % of the right ones; all three are missed, the last one narrowly.
test('the held-out set is read as well as measured', () => {
  const score = scoreReplies(FOURTH_HELD_OUT)
  print('held out, fourth set', score)
  expect(score.right).toBeGreaterThanOrEqual(0.876)
  expect(score.wrongFlagged).toBeGreaterThanOrEqual(0.72)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.102)
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
  expect(hashFile('replies-held-out-fourth.txt')).toBe(
    'de0ae377b95b463ff192f118efcaa9d24c321e176a20a406563c507ced4dd3b9',
  )
})
