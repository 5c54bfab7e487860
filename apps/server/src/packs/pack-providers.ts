import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock, Pack, PackFetch, PackGiven } from '@surehand/core'
import { type AllowedHost, createEgress, type Egress, fetchThrough } from '@surehand/kit'
import type { SqlStores } from '@surehand/sql'
import type { Config } from '../config/read-config.ts'
import { privateHosts } from '../imports/private-hosts.ts'
import type { Artifacts } from './artifacts.ts'

export type PackParts = {
  readonly config: Config
  readonly stores: SqlStores
  readonly clock: Clock
  readonly artifacts: Artifacts
}

export type PackProviders = { readonly providers: Readonly<Record<string, object>>; readonly close: () => Promise<void> }

/** Who supplies the ports of packs that say so themselves, with what each is given. */
export function packProviders(packs: readonly Pack[], parts: PackParts): PackProviders {
  const opened = privateHosts(parts.config.privateHosts)
  let egress: Egress | undefined
  // the first that goes out pays for it
  const way = (): Egress => {
    egress ??= createEgress({ policyOf: (tenant) => ({ allow: opened(tenant) }), clock: parts.clock })
    return egress
  }
  const made = packs.map((pack) => pack.providers?.(givenTo(pack, parts, way)) ?? {})
  return { providers: Object.assign({}, ...made) as Record<string, object>, close: async () => egress?.close() }
}

function givenTo(pack: Pack, { config, stores, clock, artifacts }: PackParts, way: () => Egress): PackGiven {
  const folder = join(config.data, 'packs', pack.name)
  return {
    ...config.packEnvironment(pack),
    query: (sql, values) => stores.database.query(sql, values),
    values: stores.values,
    fetch: (going) => (input, init) => fetchThrough(way(), sentAs(going))(input, init),
    keepArtifact: artifacts.keep,
    // made when it is first asked for: most packs keep no files
    get folder() {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return folder
    },
    now: clock.now,
  }
}

function sentAs({ tenant, trusted, maxBytes }: PackFetch): Parameters<typeof fetchThrough>[1] {
  return { tenant, allow: trusted === undefined ? [] : [hostOf(trusted)], ...(maxBytes === undefined ? {} : { maxBytes }) }
}

function hostOf(address: string): AllowedHost {
  const { hostname, port, protocol } = new URL(address)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }
}
