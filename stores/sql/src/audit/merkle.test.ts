import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  consistencySpans,
  EMPTY_ROOT,
  growingTree,
  inclusionSpans,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  type Span,
} from './merkle.ts'

function rootOf(leaves: readonly string[]): string {
  const tree = growingTree()
  for (const leaf of leaves) tree.append(leaf)
  return tree.root()
}

const rootsOver = (leaves: readonly string[], spans: readonly Span[]) =>
  spans.map(({ from, to }) => rootOf(leaves.slice(from, to)))
const inclusionProof = (leaves: readonly string[], index: number) =>
  rootsOver(leaves, inclusionSpans(index, leaves.length))
const consistencyProof = (leaves: readonly string[], first: number) =>
  rootsOver(leaves, consistencySpans(first, leaves.length))

// the eight inputs, roots and proofs that Certificate Transparency's implementations test
// themselves with
const INPUTS = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const LEAVES = INPUTS.map((input) => leafHash(Buffer.from(input, 'hex')))

const LEFT_PAIR = '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e'
const FIFTH = 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b'
const FIFTH_PAIR = 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0'
const RIGHT_HALF = '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4'
const SECOND = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'
const THIRD_PAIR = '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a'

describe('the known tree of eight leaves', () => {
  test('has the known root at every size', () => {
    expect(EMPTY_ROOT).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(LEAVES.map((_, index) => rootOf(LEAVES.slice(0, index + 1)))).toEqual(ROOTS)
  })

  test.each([
    [0, 1, []],
    [0, 8, [SECOND, LEFT_PAIR, RIGHT_HALF]],
    [5, 8, [FIFTH, FIFTH_PAIR, ROOTS[3]]],
    [2, 3, [ROOTS[1]]],
    [1, 5, [ROOTS[0], LEFT_PAIR, FIFTH]],
  ] as const)('has the known proof of leaf %i among %i', (index, size, proof) => {
    const leaves = LEAVES.slice(0, size)
    expect(inclusionProof(leaves, index)).toEqual(proof)
    expect(
      isIncluded(
        { leaf: leaves[index] ?? '', index, size, root: rootOf(leaves) },
        proof.map(String),
      ),
    ).toBe(true)
  })

  test.each([
    [1, 1, []],
    [1, 8, [SECOND, LEFT_PAIR, RIGHT_HALF]],
    [6, 8, [THIRD_PAIR, FIFTH_PAIR, ROOTS[3]]],
    [2, 5, [LEFT_PAIR, FIFTH]],
  ] as const)('has the known proof that %i leaves grew to %i', (first, second, proof) => {
    expect(consistencyProof(LEAVES.slice(0, second), first)).toEqual(proof)
    const treeOfSize = (size: number) => ({ size, root: ROOTS[size - 1] ?? '' })
    expect(isConsistent(treeOfSize(first), treeOfSize(second), proof.map(String))).toBe(true)
  })
})

/** The RFC's definition, word for word and slow. */
function naiveRoot(leaves: readonly string[]): string {
  if (leaves.length === 0) return hash('sha256', '', 'hex')
  if (leaves.length === 1) return leaves[0] ?? ''
  let middle = 1
  while (middle * 2 < leaves.length) middle *= 2
  const [left, right] = [naiveRoot(leaves.slice(0, middle)), naiveRoot(leaves.slice(middle))]
  return hash('sha256', Buffer.from(`01${left}${right}`, 'hex'), 'hex')
}

const leavesOf = (size: number) =>
  Array.from({ length: size }, (_, index) => leafHash(`leaf ${index}`))
const size = fc.integer({ min: 1, max: 70 })
const place = fc
  .tuple(size, fc.nat())
  .map(([count, chance]) => ({ leaves: leavesOf(count), index: chance % count }))
const other = leafHash('another')

describe('any tree', () => {
  test('has the root of the definition', () => {
    for (let count = 0; count <= 130; count++)
      expect(rootOf(leavesOf(count))).toBe(naiveRoot(leavesOf(count)))
  })

  test('grows the same wherever it was laid down and taken up again', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (before, after) => {
        const leaves = leavesOf(before + after)
        const old = growingTree()
        for (const leaf of leaves.slice(0, before)) old.append(leaf)
        const resumed = growingTree(old.size(), old.frontier())
        for (const leaf of leaves.slice(before)) resumed.append(leaf)
        expect({ root: resumed.root(), size: resumed.size() }).toEqual({
          root: naiveRoot(leaves),
          size: leaves.length,
        })
      }),
    )
  })

  test('is not taken up from a frontier of another size', () => {
    expect(() => growingTree(3, [other])).toThrow('A tree of 3 leaves has 2 full subtrees, not 1.')
  })

  test('proves every leaf it has, and no other leaf, place, size or root', () => {
    fc.assert(
      fc.property(place, ({ leaves, index }) => {
        const proof = inclusionProof(leaves, index)
        const claimed = {
          leaf: leaves[index] ?? '',
          index,
          size: leaves.length,
          root: naiveRoot(leaves),
        }
        expect(isIncluded(claimed, proof)).toBe(true)
        expect(isIncluded({ ...claimed, leaf: other }, proof)).toBe(false)
        expect(isIncluded({ ...claimed, root: other }, proof)).toBe(false)
        expect(isIncluded(claimed, [...proof, other])).toBe(false)
        if (leaves.length > 1) expect(isIncluded(claimed, proof.slice(1))).toBe(false)
        for (let wrong = 0; wrong < leaves.length; wrong++)
          expect(isIncluded({ ...claimed, index: wrong }, proof)).toBe(wrong === index)
      }),
    )
  })

  test('proves that it began with any smaller one, and with no other', () => {
    fc.assert(
      fc.property(place, ({ leaves, index }) => {
        const first = { size: index + 1, root: naiveRoot(leaves.slice(0, index + 1)) }
        const second = { size: leaves.length, root: naiveRoot(leaves) }
        const proof = consistencyProof(leaves, first.size)
        expect(isConsistent(first, second, proof)).toBe(true)
        expect(isConsistent({ ...first, root: other }, second, proof)).toBe(false)
        expect(isConsistent(first, { ...second, root: other }, proof)).toBe(false)
        expect(isConsistent(first, second, [...proof, other])).toBe(false)
        const changed = leaves.with(index, other)
        if (first.size < second.size)
          expect(
            isConsistent(
              first,
              { ...second, root: naiveRoot(changed) },
              consistencyProof(changed, first.size),
            ),
          ).toBe(false)
      }),
    )
  })

  test('takes no node for a leaf', () => {
    const [left, right] = leavesOf(2) as [string, string]
    expect(leafHash(Buffer.from(left + right, 'hex'))).not.toBe(nodeHash(left, right))
  })
})
