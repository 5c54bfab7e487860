import { join } from 'node:path'
import { type Clock, systemChance } from '@surehand/core'
import { createEgress, createImports, createVault, diskCache, type Egress, foreignSchemas, type Imports, type Vault } from '@surehand/kit'
import type { SqlStores } from '@surehand/sql'
import type { Config } from '../config/read-config.ts'
import type { Keys } from '../keys.ts'
import { addressesOf } from '../serve/addresses.ts'
import { graphqlKind } from './graphql-kind.ts'
import { mcpKind } from './mcp-kind.ts'
import { openApiKind } from './openapi-kind.ts'
import { privateHosts } from './private-hosts.ts'

export type ImportParts = {
  readonly config: Config
  readonly keys: Keys
  readonly stores: SqlStores
  readonly clock: Clock
  readonly onTrouble: (thrown: unknown) => void
}

/** What is behind tools that tenants bring: the way out, the credentials, and the sources themselves. */
export type Brought = { readonly egress: Egress; readonly vault: Vault; readonly imports: Imports; readonly close: () => Promise<void> }

const TOKEN_ANSWER_BYTES = 1_048_576

export function openImports({ config, keys, stores, clock, onTrouble }: ImportParts): Brought {
  const { publicUrl } = addressesOf(config, config.port)
  const opened = privateHosts(config.privateHosts)
  const egress = createEgress({ policyOf: (tenant) => ({ allow: opened(tenant) }), clock })
  const vault = createVault({
    store: stores.admin,
    keys: keys.vault,
    clock,
    chance: systemChance(),
    consentLink: (_, credential) => `${publicUrl}/credentials/${encodeURIComponent(credential)}`,
    async http({ tenant, ...request }) {
      const { status, text } = await egress.fetch({ tenant, ...request, redirect: 'stop', maxBytes: TOKEN_ANSWER_BYTES })
      return { status, body: text() }
    },
  })
  const parts = { egress, vault }
  const imports = createImports({
    admin: stores.admin,
    values: stores.values,
    kinds: [
      openApiKind(parts),
      graphqlKind(parts),
      mcpKind({ ...parts, clock, servers: config.mcpServers, environment: process.env, onTrouble }),
    ],
    // a pattern that can't be run in bounded time is told in the import's report, and left to the server
    schemas: foreignSchemas({ onLoss: () => undefined }),
    cache: diskCache(join(config.data, 'imports')),
  })
  return {
    egress,
    vault,
    imports,
    async close() {
      await imports.close()
      await egress.close()
    },
  }
}
