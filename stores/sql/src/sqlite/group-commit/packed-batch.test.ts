import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LocalRequest } from '../../local-effect.ts'
import type { Batch, WriteRequest } from './batch.ts'
import { packBatch, unpackBatch } from './packed-batch.ts'

const value = fc.oneof(fc.constantFrom('acme', 'shop.addLine', 1, null), fc.string(), fc.integer())
const optional = fc.constantFrom(undefined, 0, 5)

const request = fc.record({
  claim: fc.record({
    leaseMs: fc.constantFrom(1_000, 2_000),
    resumes: fc.boolean(),
    guardMs: optional,
    adminVersion: optional,
    atMost: optional,
    given: fc.tuple(value, value, value),
  }),
  name: fc.constantFrom('bench.addLine', 'bench.removeLine'),
  args: fc.jsonValue(),
  record: fc.tuple(fc.string(), fc.integer()),
  secretKeys: fc.constantFrom<LocalRequest['secretKeys']>(
    [],
    [new Uint8Array([1])],
    [new Uint8Array([2])],
  ),
})

function groupOf(writes: readonly WriteRequest[]): Batch {
  return { synchronous: 'FULL', gate: 1, writes }
}

const local = request.map((one): WriteRequest => ({ kind: 'local', request: one }))
const step = fc.record({
  kind: fc.constant<'step'>('step'),
  name: fc.constantFrom('traces.append', 'audit.append'),
  args: fc.jsonValue(),
})
const isLocal = ({ kind }: WriteRequest): boolean => kind === 'local'

test('whatever crosses by columns comes out as it went in, with the steps at their places', () => {
  const writes = fc.array(fc.oneof(local, step), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(writes, (some) => {
      fc.pre(some.some(isLocal))
      const group = groupOf(some)
      const packed = packBatch(group)
      expect(packed && unpackBatch(structuredClone(packed))).toEqual(group)
    }),
  )
})

test('calls of one tool and one caller send what they share once', () => {
  const claim = { leaseMs: 1_000, resumes: false }
  const group = groupOf(
    ['a', 'b'].map((id): WriteRequest => {
      const own = {
        claim: { ...claim, given: [id, 'acme'] },
        name: 'bench.addLine',
        args: { id },
        record: [id, 'acme'],
        secretKeys: [],
      }
      return { kind: 'local', request: own }
    }),
  )
  const packed = packBatch(group)
  expect(packed).toMatchObject({ given: [['a', 'b'], 'acme'], record: [['a', 'b'], 'acme'] })
  expect(packed?.rests[0]).toBe(packed?.rests[1])
})

test('calls that differ in a member no column holds share nothing, whatever the member is', () => {
  const group = groupOf(
    [1, 2].map((priority): WriteRequest => {
      const own = {
        claim: { leaseMs: 1_000, resumes: false, given: ['a'] },
        name: 'bench.addLine',
        args: {},
        record: ['a'],
        secretKeys: [],
        // a member that requests do not have today
        priority,
      }
      return { kind: 'local', request: own }
    }),
  )
  const packed = packBatch(group)
  expect(packed && unpackBatch(structuredClone(packed))).toEqual(group)
})

test('a group of steps alone crosses as it is', () => {
  expect(packBatch(groupOf([{ kind: 'step', name: 'calls.finish', args: {} }]))).toBeUndefined()
})
