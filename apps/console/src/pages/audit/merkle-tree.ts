// The Merkle tree of RFC 6962 with the browser's own cryptography. It is written a second time on
// purpose: a fault of the server's code must not be repeated by the code that checks it.

const encoder = new TextEncoder()

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

export function sha256Text(text: string): Promise<string> {
  return sha256(encoder.encode(text))
}

/** The prefix tells a leaf from a node, so that one cannot be presented as the other. */
export function leafHash(text: string): Promise<string> {
  return sha256Text(`\0${text}`)
}

function nodeHash(left: string, right: string): Promise<string> {
  const bytes = new Uint8Array(65)
  bytes[0] = 1
  bytes.set(fromHex(left), 1)
  bytes.set(fromHex(right), 33)
  return sha256(bytes)
}

/** A tree that grows, as the roots of its full subtrees, the largest first. */
export type Tree = { readonly size: number; readonly roots: readonly string[] }

export const EMPTY_TREE: Tree = { size: 0, roots: [] }

export async function appendLeaf({ size, roots }: Tree, leaf: string): Promise<Tree> {
  const left = [...roots]
  let node = leaf
  // Every trailing 1 of the size is a full subtree that the new leaf completes to a larger one.
  for (let rest = size; rest % 2 === 1; rest = Math.floor(rest / 2))
    node = await nodeHash(left.pop() ?? '', node)
  return { size: size + 1, roots: [...left, node] }
}

export async function rootOf({ roots }: Tree): Promise<string> {
  const last = roots.at(-1)
  if (last === undefined) return sha256Text('')
  let root = last
  for (const left of roots.slice(0, -1).toReversed()) root = await nodeHash(left, root)
  return root
}

/** The root that a leaf and the path beside it lead to (RFC 9162, 2.1.3.2); undefined for a bad path. */
export async function rootOfPath(
  leaf: string,
  { position, size, path }: { position: number; size: number; path: readonly string[] },
): Promise<string | undefined> {
  let [node, index, last] = [leaf, position, size - 1]
  for (const beside of path) {
    if (last === 0) return undefined
    if (index % 2 === 1 || index === last) {
      node = await nodeHash(beside, node)
      // On the right edge, levels without a neighbour are passed.
      while (index % 2 === 0 && index !== 0) [index, last] = [half(index), half(last)]
    } else node = await nodeHash(node, beside)
    ;[index, last] = [half(index), half(last)]
  }
  return last === 0 ? node : undefined
}

const half = (count: number): number => Math.floor(count / 2)

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX[byte]
  return text
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  )
}
