import type { Grant } from '../call/caller.ts'
import type { Tool } from './tool.ts'
import type { Row, SqlValue } from './transaction.ts'
import type { ValueStore } from './value-store.ts'

/** Tables of a pack, in numbered steps that never change once they are out. `{serial}` is a key that counts up by itself. */
export type PackMigration = {
  readonly name: string
  readonly statements:
    | readonly string[]
    | { readonly sqlite: readonly string[]; readonly postgres: readonly string[] }
}

/** What a pack keeps in our own database. */
export type PackData = {
  readonly migrations: readonly PackMigration[]
  /**
   * The address of the module that exports the pack's tools or transactions. SQLite writes in a
   * thread of its own, which loads this module and runs each transaction by its name.
   */
  readonly transactions: string
}

export type SecretNeed = {
  /** What it is for, in a few words. */ readonly for: string
  readonly optional?: true
}
export type SettingNeed = { /** What it is for, in a few words. */ readonly for: string }

/** What a pack needs from whoever runs it, beside providers for the ports of its tools. */
export type PackNeeds = {
  /** By the name under which the environment has them. */
  readonly secrets?: Readonly<Record<string, SecretNeed>>
  /** What may be set in the environment and is no secret: addresses, folders, names of models. */
  readonly settings?: Readonly<Record<string, SettingNeed>>
  /** The hosts it talks to. */
  readonly hosts?: readonly string[]
}

/** Where a pack's requests go, and for whom. */
export type PackFetch = {
  readonly tenant: string
  /** An address that whoever runs the house set: it is reached though it is in a network of our own. */
  readonly trusted?: string
  readonly maxBytes?: number
  /** With the tenant's credential of this name; where each person has their own, with this person's. Needs no secret of the house. */
  readonly account?: { readonly credential: string; readonly principal: string }
}

/** Bytes that a pack made and somebody will want to look at. */
export type PackArtifact = {
  readonly tenant: string
  readonly bytes: Uint8Array
  readonly mediaType: string
}

/** What its providers are made with. */
export type PackGiven = {
  /** A secret it declared; undefined where an optional one is not set. */
  readonly secret: (name: string) => string | undefined
  /** A setting it declared; undefined where it is not set. */
  readonly setting: (name: string) => string | undefined
  /** Reads its own tables, in portable SQL. What is written is written by transactions. */
  readonly query: (sql: string, values: readonly SqlValue[]) => Promise<readonly Row[]>
  readonly values: ValueStore
  /** The web's `fetch`, through the house's one way out. */
  readonly fetch: (going: PackFetch) => typeof fetch
  /** Keeps it where a browser can fetch it; whoever knows the address may. */
  readonly keepArtifact: (artifact: PackArtifact) => Promise<{ readonly url: string }>
  /** A folder of this machine for its files. */
  readonly folder: string
  readonly now: () => number
}

/** A named list of tools, with the capabilities each role is given by it. */
export type Pack = {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly grants: ReadonlyMap<string, readonly (string | Grant)[]>
  readonly data: PackData | undefined
  readonly needs: PackNeeds
  /** Who supplies its ports where whoever runs it says nothing else. */
  readonly providers: ((given: PackGiven) => Readonly<Record<string, object>>) | undefined
}

export type PackForm = {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly grants?: Readonly<Record<string, readonly (string | Grant)[]>>
  readonly data?: PackData
  readonly needs?: PackNeeds
  readonly providers?: (given: PackGiven) => Readonly<Record<string, object>>
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
    needs: form.needs ?? {},
    providers: form.providers,
  })
}

/** What a pack brings and what it needs, to be read before it is let in. */
export type PackManifest = {
  readonly name: string
  readonly tools: readonly string[]
  readonly ports: readonly string[]
  readonly secrets: Readonly<Record<string, SecretNeed>>
  readonly settings: Readonly<Record<string, SettingNeed>>
  readonly hosts: readonly string[]
}

export function packManifest({ name, tools, needs }: Pack): PackManifest {
  const ports = tools.flatMap((tool) => [...tool.ports.values()].map((port) => port.name))
  return {
    name,
    tools: tools.map(({ id, version }) => `${id}@${version}`),
    ports: [...new Set(ports)].sort(),
    secrets: needs.secrets ?? {},
    settings: needs.settings ?? {},
    hosts: needs.hosts ?? [],
  }
}
