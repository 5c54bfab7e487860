import { expect, test } from 'vitest'
import { readCorpus } from './fixtures/corpus.ts'
import { checkWire } from './fixtures/wire-check.ts'

test('of 60 published documents every operation is a tool or is left out for a known reason', () => {
  const corpus = readCorpus(60)
  expect(corpus.documents).toBe(60)
  expect(corpus.operations).toBeGreaterThan(1_000)
  expect([...corpus.refused]).toEqual([])
  expect(corpus.tools + corpus.omitted).toBeGreaterThanOrEqual(corpus.operations)
  expect([...corpus.leftOut.keys()]).toEqual([])
  expect([...corpus.uncallable]).toEqual([])
})

test('random operations are sent as swagger-client sends them', async () => {
  const checked = await checkWire(40, 'gate')
  expect(checked.compared).toBe(40)
  expect(checked.unexplained).toEqual([])
  expect(checked.same).toBeGreaterThanOrEqual(35)
})
