import { hash } from 'node:crypto'
import { type Fields, ownText } from '../document/record.ts'

const LONGEST = 56
// `namespace.operation` is written as `namespace__operation` on the wire.
const LONGEST_WIRE_NAME = 62

// Names that need no change.
const PLAIN = /^[A-Za-z](?:[A-Za-z0-9-]|_(?!_|$))*$/

export type Named = { readonly key: string; readonly operation: Fields }

/** A name for every operation, by key. Names differ in more than case, and do not depend on the order or number of other operations. */
export function nameOperations(
  operations: readonly Named[],
  namespace: string,
): ReadonlyMap<string, string> {
  const longest = Math.min(LONGEST, LONGEST_WIRE_NAME - namespace.length)
  const wanted = operations.map(({ key, operation }) => ({ key, name: plainName(key, operation) }))
  const takers = countBy(wanted.map(({ name }) => fold(name)))
  const named = wanted.map(({ key, name }) => {
    const isShared = (takers.get(fold(name)) ?? 0) > 1
    return { key, name: isShared || name.length > longest ? withHash(name, key, longest) : name }
  })
  return new Map(resolveCollisions(named, longest).map(({ key, name }) => [key, name]))
}

// An operation may already have the name that another gets with its hash: then both are named by hash.
function resolveCollisions(
  named: readonly { readonly key: string; readonly name: string }[],
  longest: number,
): typeof named {
  const takers = countBy(named.map(({ name }) => fold(name)))
  if (takers.size === named.length) return named
  return named.map(({ key, name }) =>
    (takers.get(fold(name)) ?? 0) > 1
      ? { key, name: `op_${sha256(key).slice(0, longest - 3)}` }
      : { key, name },
  )
}

function plainName(key: string, operation: Fields): string {
  const written = ownText(operation, 'operationId')
  if (written !== undefined && PLAIN.test(written)) return written
  const words = (written ?? key.toLowerCase()).normalize('NFKC')
  const name = words
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  if (name === '') return `op_${sha256(key).slice(0, 8)}`
  return /^[A-Za-z]/.test(name) ? name : `op_${name}`
}

function withHash(name: string, key: string, longest: number): string {
  return `${name.slice(0, longest - 9).replace(/_+$/, '')}_${sha256(key).slice(0, 8)}`
}

// Names are plain ASCII at this point.
function fold(name: string): string {
  return name.toLowerCase()
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

// Not core's `sha256`, which loads more of node:crypto on first use: that would slow down reading documents.
function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}
