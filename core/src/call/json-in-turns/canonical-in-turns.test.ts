import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, sha256 } from '../canonical.ts'
import { canonicalInTurns } from './canonical-in-turns.ts'

const noPause = () => undefined

test('in turns, the canonical text and its hash are those of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary' }), async (value) => {
      const { text, hash } = await canonicalInTurns(value, noPause)
      expect(text).toBe(canonicalJson(value))
      expect(hash).toBe(sha256(text))
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['pairs of surrogates', `a${'😀'.repeat(200_000)}`],
  ['escapes', '"\\\n'.repeat(100_000)],
  ['lists', Array.from({ length: 50_000 }, () => [[], {}, [1]])],
  ['absent members', { b: undefined, a: 'x'.repeat(300_000), c: undefined, d: [1, {}] }],
  ['whole numbers as keys', { 10: 'é'.repeat(200_000), 9: { b: -0, a: 1e21 } }],
])('a large value with %s is written and hashed in many parts', async (_, value) => {
  let pauses = 0
  const { text, hash, bytes } = await canonicalInTurns({ value }, () => void pauses++)
  expect(text === canonicalJson({ value })).toBe(true)
  expect([hash, bytes]).toEqual([sha256(text), Buffer.byteLength(text)])
  expect(pauses).toBeGreaterThan(1)
})

test('half a character and too deep a value are refused in turns too', async () => {
  const half = `${'x'.repeat(131_071)}\ud800${'x'.repeat(10)}`
  await expect(canonicalInTurns([half], noPause)).rejects.toThrow('lone surrogate')
  let deep: unknown = 1
  for (let depth = 0; depth < 65; depth++) deep = [deep]
  await expect(canonicalInTurns(deep, noPause)).rejects.toThrow('nested deeper than 64')
})
