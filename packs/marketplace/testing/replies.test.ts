import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { DEVELOPMENT_SETS, listReplySets, readReplyCases } from './reply-case.ts'
import { readCase, scoreReadings } from './score-replies.ts'

const sets = listReplySets(DEVELOPMENT_SETS).map((file) => ({
  name: basename(file),
  read: readReplyCases(file).map((known) => ({ case: known, reading: readCase(known) })),
}))
/** Written to be hard, and learned from only; few rules were made for them. */
const HARD: ReadonlySet<string> = new Set(['training.json', 'own-9.json'])
const percent = (share: number) => `${Math.round(share * 1000) / 10} %`

// How well the reader does what it was made to do (fixtures/replies/README.md): a change that breaks
// what it understood is seen here. How it reads new text is measured by
// `npm run bench -- replies --cases PATH` with cases that the author of a rule has not looked at.
test.each(sets)('the development cases of $name are read correctly', ({ name, read }) => {
  const score = scoreReadings(read)
  process.stdout.write(
    `${name}: ${score.cases} replies, ${percent(score.right)} right, ${percent(score.wrongFlagged)} of the wrong ones and ${percent(score.rightFlagged)} of the right ones flagged\n`,
  )
  expect(score.right).toBeGreaterThanOrEqual(HARD.has(name) ? 0.8 : 0.88)
  expect(score.totalRight).toBe(1)
})

test('of all development cases at least nine in ten are right, and the wrong ones are flagged', () => {
  const score = scoreReadings(sets.flatMap(({ read }) => read))
  expect(score.cases).toBeGreaterThanOrEqual(4_000)
  expect(score.right).toBeGreaterThanOrEqual(0.95)
  expect(score.wrongFlagged).toBeGreaterThanOrEqual(0.85)
  expect(score.rightFlagged).toBeLessThanOrEqual(0.09)
})
