import { canonicalJson } from '@surehand/core/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commitmentsOf, type LeafRecord, leafText, type Placed, payloadText } from './leaf.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((made) => made.toWellFormed())
const number = fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }))
const texts = (names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, text])))

const LEAF_TEXTS = [
  'actor',
  'call_id',
  'code',
  'definition_hash',
  'id',
  'input_commitment',
  'outcome',
  'output_commitment',
  'person_commitment',
  'phase',
  'request_id',
  'source',
  'surface',
  'tenant',
  'tool_name',
  'tool_version',
]
const leaf = fc
  .tuple(
    texts(LEAF_TEXTS),
    fc.record({
      created_at: number,
      duration_ms: number,
      number: fc.nat(),
      position: fc.nat(),
      success: fc.nat(1),
    }),
  )
  .map(([words, numbers]) => ({ ...words, ...numbers }) as unknown as LeafRecord & Placed)
const payload = fc
  .tuple(
    texts(['error', 'input_hash', 'output_hash', 'principal', 'salt']),
    fc.option(fc.nat()),
    fc.option(text),
  )
  .map(
    ([words, erased_at, erasure]) =>
      ({ ...words, erased_at, erasure }) as unknown as Parameters<typeof payloadText>[0],
  )

test('a leaf is written as canonical JSON', () => {
  fc.assert(
    fc.property(leaf, (made) => {
      expect(leafText(made, made)).toBe(canonicalJson({ ...made, success: made.success === 1 }))
    }),
  )
})

test('a payload is written as canonical JSON', () => {
  fc.assert(
    fc.property(payload, (made) => {
      expect(payloadText(made)).toBe(canonicalJson(made))
    }),
  )
})

test('what is neither true nor false, or no text, is not written as if it were', () => {
  const [made] = fc.sample(leaf, 1) as [LeafRecord & Placed]
  const [no, odd] = [
    leafText({ ...made, success: 0 }, made),
    leafText({ ...made, success: 2 }, made),
  ]
  expect(odd).not.toBe(no)
  const blob = new Uint8Array([5]) as unknown as string
  expect(leafText({ ...made, tool_version: blob }, made)).not.toBe(
    leafText({ ...made, tool_version: '5' }, made),
  )
})

test('a commitment tells nothing without its salt, and commits to all of it', () => {
  const committed = { principal: 'ann', error: 'no lamp', input_hash: 'a', output_hash: 'a' }
  const made = commitmentsOf('00', committed)
  expect(new Set(Object.values(made)).size).toBe(3)
  expect(Object.values(commitmentsOf('01', committed))).not.toEqual(
    expect.arrayContaining([made.input_commitment]),
  )
  expect(
    commitmentsOf('00', { ...committed, principal: 'ann"', error: '"no lamp' }).person_commitment,
  ).not.toBe(made.person_commitment)
  expect(
    commitmentsOf('00', { ...committed, principal: '', error: 'annno lamp' }).person_commitment,
  ).not.toBe(made.person_commitment)
  expect(commitmentsOf('00', { ...committed, input_hash: '' })).toEqual({
    ...made,
    input_commitment: '',
  })
})
