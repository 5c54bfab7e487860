import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'

/**
 * The Merkle tree of RFC 6962. Hashes are strings of 64 hex digits: creating a Buffer for each
 * costs more than hashing.
 */
export const EMPTY_ROOT: string = hash('sha256', '', 'hex')

/**
 * The hash of a leaf. Its prefix differs from that of a node, so that a node cannot be presented as
 * a leaf.
 */
export function leafHash(data: string | Uint8Array): string {
  return typeof data === 'string'
    ? hash('sha256', `\0${data}`, 'hex')
    : hash('sha256', Buffer.concat([LEAF_PREFIX, data]), 'hex')
}

const LEAF_PREFIX = Buffer.from([0])
const HASH_BYTES = 32

/** Hashes nodes in a reused buffer. */
function nodeHasher(): (left: string, right: string) => string {
  const bytes = Buffer.alloc(1 + 2 * HASH_BYTES, 1)
  return (left, right) => {
    bytes.write(left, 1, HASH_BYTES, 'hex')
    bytes.write(right, 1 + HASH_BYTES, HASH_BYTES, 'hex')
    return hash('sha256', bytes, 'hex')
  }
}

/** The hash over two subtrees. */
export function nodeHash(left: string, right: string): string {
  return nodeHasher()(left, right)
}

/**
 * An append-only tree, stored as the roots of its full subtrees: one for each 1 in the binary form
 * of its size.
 */
export type GrowingTree = {
  readonly size: () => number
  readonly append: (leaf: string) => void
  readonly root: () => string
  /** The roots of the full subtrees, the largest first. */
  readonly frontier: () => readonly string[]
}

/** Continues a tree of this size and frontier. */
export function growingTree(size = 0, frontier: readonly string[] = []): GrowingTree {
  if (frontier.length !== ones(size))
    throw new RangeError(
      `A tree of ${size} leaves has ${ones(size)} full subtrees, not ${frontier.length}.`,
    )
  const join = nodeHasher()
  const roots = [...frontier]
  let count = size
  return {
    size: () => count,
    append(leaf) {
      let node = leaf
      // Every trailing 1 of the size is a full subtree that the new leaf completes to a larger one.
      for (let rest = count; rest % 2 === 1; rest = Math.floor(rest / 2))
        node = join(roots.pop() as string, node)
      roots.push(node)
      count++
    },
    root: () =>
      roots.length === 0 ? EMPTY_ROOT : roots.reduceRight((right, left) => join(left, right)),
    frontier: () => [...roots],
  }
}

function ones(size: number): number {
  return size.toString(2).replaceAll('0', '').length
}

// The largest power of two below a number of leaves, where the RFC splits a tree.
function cut(count: number): number {
  let left = 1
  while (left * 2 < count) left *= 2
  return left
}

/**
 * A range of leaves, the end exclusive. A proof consists of the roots over a few ranges, so the
 * tree need not be in memory.
 */
export type Span = { readonly from: number; readonly to: number }

/** The ranges whose roots, hashed with a leaf from the bottom up, give the root over all leaves. */
export function inclusionSpans(index: number, size: number): readonly Span[] {
  if (!isPlace(index) || index >= size)
    throw new RangeError(`There is no leaf ${index} among ${size}.`)
  return inclusionPart(index, { from: 0, to: size })
}

function inclusionPart(index: number, { from, to }: Span): readonly Span[] {
  if (to - from === 1) return []
  const middle = from + cut(to - from)
  return index < middle
    ? [...inclusionPart(index, { from, to: middle }), { from: middle, to }]
    : [...inclusionPart(index, { from: middle, to }), { from, to: middle }]
}

/**
 * The ranges that prove that a tree of this size starts with the tree over the first `first`
 * leaves.
 */
export function consistencySpans(firstSize: number, size: number): readonly Span[] {
  if (!isPlace(firstSize) || firstSize > size)
    throw new RangeError(`No tree of ${size} leaves begins with ${firstSize}.`)
  return firstSize === 0 ? [] : consistencyPart(firstSize, { from: 0, to: size }, 'known')
}

// `known`: the verifier has this subtree's root already, because it is the first tree itself.
function consistencyPart(end: number, { from, to }: Span, root: 'known' | 'told'): readonly Span[] {
  if (end === to) return root === 'known' ? [] : [{ from, to }]
  const middle = from + cut(to - from)
  return end <= middle
    ? [...consistencyPart(end, { from, to: middle }, root), { from: middle, to }]
    : [...consistencyPart(end, { from: middle, to }, 'told'), { from, to: middle }]
}

export type Inclusion = {
  readonly leaf: string
  readonly index: number
  readonly size: number
  readonly root: string
}

/** Whether the leaf is at this position of the tree with this size and root. */
export function isIncluded(
  { leaf, index, size, root }: Inclusion,
  proof: readonly string[],
): boolean {
  if (!isPlace(index) || !isPlace(size) || index >= size || !proof.every(isHash)) return false
  const climbed = climb(leaf, { index, size }, proof)
  return climbed !== undefined && climbed === root
}

function climb(
  leaf: string,
  { index, size }: { readonly index: number; readonly size: number },
  proof: readonly string[],
): string | undefined {
  if (size === 1) return proof.length === 0 ? leaf : undefined
  const top = proof.at(-1)
  if (top === undefined) return undefined
  const middle = cut(size)
  const isLeft = index < middle
  const below = climb(
    leaf,
    isLeft ? { index, size: middle } : { index: index - middle, size: size - middle },
    proof.slice(0, -1),
  )
  if (below === undefined) return undefined
  return isLeft ? nodeHash(below, top) : nodeHash(top, below)
}

export type Sized = { readonly size: number; readonly root: string }

/** Whether the second tree starts with the first one: nothing was changed, moved or removed. */
export function isConsistent(first: Sized, second: Sized, proof: readonly string[]): boolean {
  if (
    !isPlace(first.size) ||
    !isPlace(second.size) ||
    first.size > second.size ||
    !proof.every(isHash)
  )
    return false
  if (first.size === 0) return proof.length === 0 && first.root === EMPTY_ROOT
  const roots = grow(first, { firstSize: first.size, size: second.size, root: 'known' }, proof)
  return roots !== undefined && roots.first === first.root && roots.second === second.root
}

type Growth = { readonly firstSize: number; readonly size: number; readonly root: 'known' | 'told' }
type Roots = { readonly first: string; readonly second: string }

/** The roots of both trees, computed from the proof. */
function grow(
  first: Sized,
  { firstSize, size, root }: Growth,
  proof: readonly string[],
): Roots | undefined {
  const top = proof.at(-1)
  if (firstSize === size) {
    if (root === 'known')
      return proof.length === 0 ? { first: first.root, second: first.root } : undefined
    return proof.length === 1 && top !== undefined ? { first: top, second: top } : undefined
  }
  if (top === undefined) return undefined
  const middle = cut(size)
  if (firstSize <= middle) {
    const left = grow(first, { firstSize, size: middle, root }, proof.slice(0, -1))
    return left && { first: left.first, second: nodeHash(left.second, top) }
  }
  const right = grow(
    first,
    { firstSize: firstSize - middle, size: size - middle, root: 'told' },
    proof.slice(0, -1),
  )
  return right && { first: nodeHash(top, right.first), second: nodeHash(top, right.second) }
}

function isPlace(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

const HASH = /^[0-9a-f]{64}$/

function isHash(text: string): boolean {
  return HASH.test(text)
}
