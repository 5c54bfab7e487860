import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readAnswers, writeRequests } from './model-answers.ts'
import { DEVELOPMENT_SETS, type ReplyCase, readReplyCases } from './reply-case.ts'
import { readCaseWith, scoreReplies } from './score-replies.ts'

const folder = mkdtempSync(join(tmpdir(), 'surehand-answers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CASE: ReplyCase = {
  id: 'r1',
  text: 'Yes we have it, 12k, call 0788 555 001',
  request: 'amoxicillin 500 mg',
  stock: [true],
  price: [98_765],
  language: 'en',
}

test('a request for a model has the anonymous case and nothing of its known answer', () => {
  const file = join(folder, 'requests.jsonl')
  writeRequests(file, [CASE])
  const [line = '', ...rest] = readFileSync(file, 'utf8').trim().split('\n')
  const { id, input, ...body } = JSON.parse(line) as Record<string, unknown>
  expect(rest).toEqual([])
  expect([id, JSON.parse(String(input))]).toEqual([
    'r1',
    { request: 'amoxicillin 500 mg', reply: 'Yes we have it, 12k' },
  ])
  expect(Object.keys(body)).toEqual(['model', 'instructions', 'text'])
  expect(line).not.toMatch(/98.?765|555/)
})

test('recorded answers are used by id, as JSON or as text; what cannot be read counts as none', () => {
  const file = join(folder, 'answers.jsonl')
  const answer = {
    ...{ meaning: 'Sold out.', has_stock: false, price: null, price_is: 'none', currency: 'none' },
    ...{ availability: null, other: null, agreement: 10 },
  }
  const lines = [
    { id: 'r1', answer },
    { id: 'r2', answer: JSON.stringify(answer) },
    { id: 'r3', answer: 'no idea' },
  ]
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const read = readCaseWith(readAnswers(file))
  const stock = ['r1', 'r2', 'r3', 'r4'].map((id) => read({ ...CASE, id }).has_stock)
  expect(stock).toEqual([false, false, true, true])
})

// Development cases (decision 69): a change of the combination that misses a goal is seen here.
const ANSWERED = join(DEVELOPMENT_SETS, '../model-question')

test.each([
  ['outside-5', DEVELOPMENT_SETS],
  ['outside-6', ANSWERED],
])('with the recorded answers of a language model the goals are reached: %s', (set, source) => {
  const read = readCaseWith(readAnswers(join(ANSWERED, `${set}-answers.jsonl`)))
  const score = scoreReplies(readReplyCases(join(source, `${set}.json`)), read)
  expect(score.cases).toBe(200)
  expect(score.right).toBeGreaterThanOrEqual(0.98)
  expect(score.wrongFlagged).toBeGreaterThanOrEqual(0.8)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.1)
})
