import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { DEVELOPMENT_REPLIES } from './replies-development.ts'
import { MORE_DEVELOPMENT_REPLIES } from './replies-development-more.ts'
import { HELD_OUT_REPLIES } from './replies-held-out.ts'
import { type ReplyScore, scoreReplies } from './score-replies.ts'

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

// The figure means something only while nobody fits the set to the reader.
test('the held-out replies are the ones that were written before the reader', () => {
  expect(createHash('sha256').update(JSON.stringify(HELD_OUT_REPLIES)).digest('hex')).toBe(
    'b6aa8b31b8ae661c44749eaa02734c2a4a1f12e9ac7b1caf77d0ce3c14f8fa39',
  )
})
