import { ToolError } from '@surehand/core'
import { wireName } from '@surehand/core/host'
import { hashJson, sha256 } from '@surehand/core/internal'
import type { ForeignListing, ListedTool } from './listing.ts'

const NAMESPACE = /^[a-z][a-z0-9_]{0,23}$/
// Surehand's own tools, and the tools that search a large catalogue.
const TAKEN_NAMESPACES = new Set(['surehand', 'tools'])
const LONGEST_WIRE_NAME = 64
const HASH_LENGTH = 8

/** Throws if a namespace is invalid or reserved. */
export function refuseNamespace(namespace: string): void {
  if (!NAMESPACE.test(namespace))
    throw new TypeError(
      `"${namespace}" cannot be the name of a mount: use a letter, then a-z, 0-9 and _, at most 24 characters.`,
    )
  if (TAKEN_NAMESPACES.has(namespace))
    throw new TypeError(`"${namespace}" cannot be the name of a mount: it is reserved.`)
}

/**
 * The ids of a server's tools, by their names. An id depends on the name only, not on the order of
 * the list, except that names which read alike each get a hash. A name for which no unique id
 * exists is not in the map.
 */
export function toolIds(namespace: string, names: readonly string[]): ReadonlyMap<string, string> {
  const plain = new Map(names.map((name) => [name, cleanName(name)]))
  const taken = countTexts([...plain.values()])
  const ids = new Map<string, string>()
  for (const [name, clean] of plain) {
    const isAlone = taken.get(fold(clean)) === 1
    const id = `${namespace}.${clean}`
    ids.set(
      name,
      isAlone && wireName(id).length <= LONGEST_WIRE_NAME ? id : idWithHash(namespace, name, clean),
    )
  }
  const final = countTexts([...ids.values()])
  return new Map([...ids].filter(([, id]) => final.get(fold(id)) === 1))
}

function cleanName(name: string): string {
  const clean = name.normalize('NFKC').replace(/[^A-Za-z0-9_-]/g, '_')
  return /^[A-Za-z_]/.test(clean) ? clean : `_${clean}`
}

function idWithHash(namespace: string, name: string, clean: string): string {
  const hash = sha256(name).slice(0, HASH_LENGTH)
  const room = LONGEST_WIRE_NAME - wireName(`${namespace}.`).length - HASH_LENGTH - 1
  return `${namespace}.${clean.slice(0, room)}_${hash}`
}

function countTexts(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(fold(text), (counts.get(fold(text)) ?? 0) + 1)
  return counts
}

// The same folding as in the registry, which refuses names that read alike.
function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** The tools that a server listed last, by their ids. */
export class KnownTools {
  listing: ForeignListing | undefined
  private readonly namespace: string
  private byId: ReadonlyMap<string, ListedTool> = new Map()
  /** Fingerprints of the accepted listing. Without one, whatever is listed may be called. */
  private readonly accepted: ReadonlyMap<string, string> | undefined

  constructor(namespace: string, listing: ForeignListing | undefined) {
    this.namespace = namespace
    if (listing === undefined) return
    this.store(listing)
    this.accepted = new Map([...this.byId].map(([id, tool]) => [id, fingerprint(tool)]))
  }

  /** Whether any tool differs from the previous listing, if there was one. */
  differsFrom(listing: ForeignListing): boolean {
    return (
      this.listing !== undefined && fingerprint(this.listing.tools) !== fingerprint(listing.tools)
    )
  }

  store(listing: ForeignListing): void {
    const names = listing.tools.map((tool) => tool.name)
    const ids = toolIds(this.namespace, names)
    this.listing = listing
    this.byId = new Map(
      listing.tools.flatMap((tool) =>
        ids.has(tool.name) ? [[ids.get(tool.name) ?? '', tool] as const] : [],
      ),
    )
  }

  /**
   * The fingerprint that a tool must have: the accepted one, else the current one; undefined if it
   * is not listed.
   */
  fingerprintOf(id: string): string | undefined {
    if (this.accepted !== undefined) return this.accepted.get(id) ?? 'none was accepted'
    const tool = this.byId.get(id)
    return tool === undefined ? undefined : fingerprint(tool)
  }

  /** The tool of an id; throws if it has changed since the call began. */
  requireUnchanged(id: string, print: string | undefined): ListedTool {
    const tool = this.byId.get(id)
    if (tool === undefined)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `${this.namespace} no longer lists ${id}.`, {
        effect: 'none',
      })
    if (print !== undefined && fingerprint(tool) !== print)
      throw new ToolError(
        'TOOL_TEMPORARILY_DISABLED',
        `The server has changed ${id} since it was accepted. Nothing was sent; an administrator must accept the change.`,
        {
          effect: 'none',
        },
      )
    return tool
  }
}

function fingerprint(value: unknown): string {
  try {
    return hashJson(value)
  } catch {
    // A lone surrogate has no canonical form; the plain JSON can still be compared.
    return sha256(JSON.stringify(value))
  }
}
