import type { Grant } from '../call/caller.ts'
import type { Tool } from './tool.ts'

/** Tables of a pack, in numbered steps that never change once they are out. `{serial}` is a key that counts up by itself. */
export type PackMigration = {
  readonly name: string
  readonly statements: readonly string[] | { readonly sqlite: readonly string[]; readonly postgres: readonly string[] }
}

/** What a pack keeps in our own database. */
export type PackData = {
  readonly migrations: readonly PackMigration[]
  /** The module that exports its transactions: SQLite's writer runs in a thread of its own and loads them there. */
  readonly transactions: string
}

/** A named list of tools, with the capabilities each role is given by it. */
export type Pack = {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly grants: ReadonlyMap<string, readonly (string | Grant)[]>
  readonly data: PackData | undefined
}

export type PackForm = {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly grants?: Readonly<Record<string, readonly (string | Grant)[]>>
  readonly data?: PackData
}

/** Defines a pack: the list, and nothing but the list. */
export function definePack(form: PackForm): Pack {
  const seen = new Set<string>()
  for (const tool of form.tools) {
    const name = `${tool.id}@${tool.version}`
    if (seen.has(name)) throw new TypeError(`Pack "${form.name}" lists the tool "${name}" twice.`)
    seen.add(name)
  }
  return Object.freeze({
    name: form.name,
    tools: Object.freeze([...form.tools]),
    grants: new Map(Object.entries(form.grants ?? {})),
    data: form.data,
  })
}
