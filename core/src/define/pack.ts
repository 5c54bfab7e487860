import type { Grant } from '../call/caller.ts'
import type { Tool } from './tool.ts'
import type { Row, SqlValue } from './transaction.ts'
import type { ValueStore } from './value-store.ts'

/**
 * One migration of a pack's tables. A released migration must not change. `{serial}` is an
 * auto-incremented key.
 */
export type PackMigration = {
  readonly name: string
  readonly statements:
    | readonly string[]
    | { readonly sqlite: readonly string[]; readonly postgres: readonly string[] }
}

/** What a pack stores in the runtime's own database. */
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

/** What a pack needs from its operator, besides providers for the ports of its tools. */
export type PackNeeds = {
  /** By the name of the environment variable. */
  readonly secrets?: Readonly<Record<string, SecretNeed>>
  /** Environment variables that are not secret: addresses, folders, names of models. */
  readonly settings?: Readonly<Record<string, SettingNeed>>
  /** The hosts it talks to. */
  readonly hosts?: readonly string[]
}

/** For whom a pack sends requests, and where to. */
export type PackFetch = {
  readonly tenant: string
  /** An address that the operator configured: it is allowed although it is in a private network. */
  readonly trusted?: string
  readonly maxBytes?: number
  /**
   * Send with the tenant's credential of this name, or with this principal's where each person has
   * one.
   */
  readonly account?: { readonly credential: string; readonly principal: string }
}

/** A file that a pack created, to be downloaded from a browser. */
export type PackArtifact = {
  readonly tenant: string
  readonly bytes: Uint8Array
  readonly mediaType: string
}

/** What the providers of a pack are created with. */
export type PackGiven = {
  /** A secret it declared; undefined where an optional one is not set. */
  readonly secret: (name: string) => string | undefined
  /** A setting it declared; undefined where it is not set. */
  readonly setting: (name: string) => string | undefined
  /** Reads its own tables, in portable SQL. Transactions do the writing. */
  readonly query: (sql: string, values: readonly SqlValue[]) => Promise<readonly Row[]>
  readonly values: ValueStore
  /** The web's `fetch`, through the server's egress rules. */
  readonly fetch: (going: PackFetch) => typeof fetch
  /** Stores it at an address that a browser can fetch; everyone who knows the address may. */
  readonly keepArtifact: (artifact: PackArtifact) => Promise<{ readonly url: string }>
  /** A folder on this machine for the pack's files. */
  readonly folder: string
  readonly now: () => number
}

/**
 * A named list of tools with the capabilities that it grants to roles, its tables and its
 * providers.
 *
 * @example
 * const pack: Pack = definePack({ name: 'weather', tools: [weather] })
 * const runtime = createRuntime({ packs: [pack] })
 */
export type Pack = {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly grants: ReadonlyMap<string, readonly (string | Grant)[]>
  readonly data: PackData | undefined
  readonly needs: PackNeeds
  /** Creates the default providers of its ports. */
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

/**
 * Defines a pack: tools that belong together, and what they need.
 *
 * @example
 * const pack = definePack({
 *   name: 'weather',
 *   tools: [weather],
 *   grants: { user: ['weather.read'] },
 * })
 */
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

/** The contents and needs of a pack, to be reviewed before it is installed. */
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
