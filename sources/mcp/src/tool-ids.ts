import { wireName } from '@surehand/core/host'
import { sha256 } from '@surehand/core/internal'

const NAMESPACE = /^[a-z][a-z0-9_]{0,23}$/
// the house's own tools, and those by which a large catalogue is searched
const TAKEN_NAMESPACES = new Set(['surehand', 'tools'])
const LONGEST_WIRE_NAME = 64
const HASH_LENGTH = 8

/** Refuses a name under which no tools can be mounted. */
export function refuseNamespace(namespace: string): void {
  if (!NAMESPACE.test(namespace))
    throw new TypeError(
      `"${namespace}" can't be the name of a mount: at most 24 of a-z, 0-9 and _ are expected, a letter first.`,
    )
  if (TAKEN_NAMESPACES.has(namespace))
    throw new TypeError(`"${namespace}" can't be the name of a mount: it is the house's own.`)
}

/**
 * The ids of a server's tools, by their names there. They hang on the names alone: neither on order nor on what else is listed,
 * but for names that would be taken for each other, of which every one gets a hash. A name without an id is in none of them.
 */
export function toolIds(namespace: string, names: readonly string[]): ReadonlyMap<string, string> {
  const plain = new Map(names.map((name) => [name, cleaned(name)]))
  const taken = countOf([...plain.values()])
  const ids = new Map<string, string>()
  for (const [name, clean] of plain) {
    const isAlone = taken.get(fold(clean)) === 1
    const id = `${namespace}.${clean}`
    ids.set(
      name,
      isAlone && wireName(id).length <= LONGEST_WIRE_NAME ? id : hashed(namespace, name, clean),
    )
  }
  const final = countOf([...ids.values()])
  return new Map([...ids].filter(([, id]) => final.get(fold(id)) === 1))
}

function cleaned(name: string): string {
  const clean = name.normalize('NFKC').replace(/[^A-Za-z0-9_-]/g, '_')
  return /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`
}

function hashed(namespace: string, name: string, clean: string): string {
  const hash = sha256(name).slice(0, HASH_LENGTH)
  const room = LONGEST_WIRE_NAME - wireName(`${namespace}.`).length - HASH_LENGTH - 1
  return `${namespace}.${clean.slice(0, room)}_${hash}`
}

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(fold(text), (counts.get(fold(text)) ?? 0) + 1)
  return counts
}

// as the registry folds: two names that read alike would be taken for each other
function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
