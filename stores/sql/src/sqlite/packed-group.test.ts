import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LocalRequest } from '../local-effect.ts'
import type { Group, Item } from './group.ts'
import { packGroup, unpackGroup } from './packed-group.ts'

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

function groupOf(items: readonly Item[]): Group {
  return { synchronous: 'FULL', gate: 1, items }
}

test('whatever crosses by columns comes out as it went in, call by call', () => {
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 8 }), (requests) => {
      const group = groupOf(requests.map((one): Item => ({ kind: 'local', request: one })))
      const packed = packGroup(group)
      expect(packed && unpackGroup(structuredClone(packed))).toEqual(group)
    }),
  )
})

test('calls of one tool and one caller send what they share once', () => {
  const claim = { leaseMs: 1_000, resumes: false }
  const group = groupOf(
    ['a', 'b'].map((id): Item => {
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
  const packed = packGroup(group)
  expect(packed).toMatchObject({ given: [['a', 'b'], 'acme'], record: [['a', 'b'], 'acme'] })
  expect(packed?.rests[0]).toBe(packed?.rests[1])
})

test('a group that holds a step as well crosses as it is', () => {
  expect(packGroup(groupOf([{ kind: 'step', name: 'calls.finish', args: {} }]))).toBeUndefined()
})
