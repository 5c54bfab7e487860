import { expect, test } from 'vitest'
import { appendLeaf, EMPTY_TREE, leafHash, rootOf, rootOfPath } from './merkle-tree.ts'

const rootOver = async (leaves: readonly string[]): Promise<string> => {
  let tree = EMPTY_TREE
  for (const leaf of leaves) tree = await appendLeaf(tree, leaf)
  return rootOf(tree)
}

/** The path as RFC 6962, 2.1.1, defines it. */
async function pathOf(position: number, leaves: readonly string[]): Promise<readonly string[]> {
  if (leaves.length === 1) return []
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)]
  return position < half
    ? [...(await pathOf(position, left)), await rootOver(right)]
    : [...(await pathOf(position - half, right)), await rootOver(left)]
}

test('the path of every leaf in trees of up to 9 leads to the root, and none of another does', async () => {
  const leaves = await Promise.all(Array.from({ length: 9 }, (_, index) => leafHash(`${index}`)))
  for (let size = 1; size <= leaves.length; size++) {
    const part = leaves.slice(0, size)
    const root = await rootOver(part)
    for (let position = 0; position < size; position++) {
      const path = await pathOf(position, part)
      const leaf = part[position] ?? ''
      expect(await rootOfPath(leaf, { position, size, path })).toBe(root)
      expect(await rootOfPath(await leafHash('x'), { position, size, path })).not.toBe(root)
      expect(await rootOfPath(leaf, { position, size, path: [...path, root] })).toBeUndefined()
      if (path.length > 0)
        expect(await rootOfPath(leaf, { position, size, path: path.slice(1) })).toBeUndefined()
    }
  }
})
