import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Pack } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { Clock } from '@surehand/core/ports'
import type { SqlStores } from '@surehand/sql'
import type { Vault } from '@surehand/vault'
import type { Config } from '../config/read-config.ts'
import type { Artifacts } from './artifacts.ts'
import type { PackEgress } from './pack-egress.ts'

export type PackParts = {
  readonly config: Config
  readonly stores: SqlStores
  readonly clock: Clock
  readonly artifacts: Artifacts
  readonly vault: Pick<Vault, 'applySecurity'>
}

export type PackProviders = {
  readonly providers: Readonly<Record<string, object>>
  readonly close: () => Promise<void>
}

/** Creates the providers that packs bring themselves, each with its own context. */
export function createPackProviders(packs: readonly Pack[], parts: PackParts): PackProviders {
  let opening: Promise<PackEgress> | undefined
  // Egress is loaded with the first request.
  const openOnce = async (): Promise<PackEgress> =>
    (await import('./pack-egress.ts')).createPackEgress(parts)
  const way = (): Promise<PackEgress> => {
    opening ??= openOnce()
    return opening
  }
  const made = packs.map((pack) => pack.providers?.(packContext(pack, parts, way)) ?? {})
  return {
    providers: Object.assign({}, ...made) as Record<string, object>,
    close: async () => (await opening)?.close(),
  }
}

function packContext(
  pack: Pack,
  { config, stores, clock, artifacts }: PackParts,
  way: () => Promise<PackEgress>,
): PackGiven {
  const folder = join(config.data, 'packs', pack.name)
  return {
    ...config.packEnvironment(pack),
    query: (sql, values) => stores.database.query(sql, values),
    values: stores.values,
    fetch: (going) => async (input, init) => (await way()).fetch(going)(input, init),
    keepArtifact: artifacts.keep,
    // Created on first access: most packs store no files.
    get folder() {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return folder
    },
    now: clock.now,
  }
}
