import { join } from 'node:path'
import type { AdminApi, KeepFile } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import { type Clock, systemEntropy } from '@surehand/core/ports'
import { createEgress } from '@surehand/egress'
import { systemCaller } from '@surehand/identity'
import {
  createImports,
  createImportsApi,
  createRefusedRequests,
  diskCache,
  type ImportLimits,
  type Imports,
  type ImportsApi,
  type ImportsApiOptions,
  updateDocument,
  watchImports,
} from '@surehand/imports'
import { foreignSchemas } from '@surehand/json-schema'
import type { SqlStores } from '@surehand/sql'
import { type CredentialsApi, createCredentialsApi, createVault, type Vault } from '@surehand/vault'
import { BUILT_IN_PACKS } from '../config/built-in.ts'
import type { Config } from '../config/read-config.ts'
import type { Keys } from '../keys.ts'
import { sitePageKinds } from './actions-source.ts'
import { graphqlKind } from './graphql-kind.ts'
import { mcpKind } from './mcp-kind.ts'
import { openApiKind } from './openapi-kind.ts'
import { parsePrivateHosts } from './private-hosts.ts'

export type ImportParts = {
  readonly config: Config
  readonly keys: Keys
  readonly stores: SqlStores
  readonly clock: Clock
  readonly onTrouble: (thrown: unknown) => void
  /** The address of the pages on which people consent to the use of a credential. */
  readonly publicUrl: string
  /** Stores what is too large for an answer. */
  readonly keep: KeepFile
  /** The provider of the port `pageBridge`, where the pack "site" is configured. */
  readonly page: () => object | undefined
}

/** The services behind tenant tools: egress, credentials, the sources, and their administration. */
export type OpenedImports = {
  readonly vault: Vault
  readonly imports: Imports
  readonly api: ImportsApi
  readonly credentials: CredentialsApi
  readonly watch: (tenants: () => Promise<readonly string[]>) => () => Promise<void>
  readonly close: () => Promise<void>
}

const TOKEN_ANSWER_BYTES = 1_048_576

export function openImports(
  { config, keys, stores, clock, onTrouble, publicUrl, page, keep }: ImportParts,
  administration: AdminApi,
): OpenedImports {
  const opened = parsePrivateHosts(config.privateHosts)
  const egress = createEgress({ policyOf: (tenant) => ({ allow: opened(tenant) }), clock })
  const vault = createVault({
    store: stores.admin,
    keys: keys.vault,
    clock,
    entropy: systemEntropy(),
    consentLink: (_, credential) => `${publicUrl}/credentials/${encodeURIComponent(credential)}`,
    async http({ tenant, ...request }) {
      const { status, text } = await egress.fetch({
        tenant,
        ...request,
        redirect: 'stop',
        maxBytes: TOKEN_ANSWER_BYTES,
      })
      return { status, body: text() }
    },
  })
  const refusals = createRefusedRequests(stores.values, clock)
  const parts = {
    ...{ egress, vault, keep },
    onSendFailure: (source: { readonly tenant: string; readonly name: string }, thrown: unknown) =>
      void refusals.note(source, thrown).catch(onTrouble),
  }
  const cache = diskCache(join(config.data, 'imports'))
  const imports = createImports({
    admin: stores.admin,
    values: stores.values,
    clock,
    kinds: [
      openApiKind(parts),
      graphqlKind(parts),
      ...sitePageKinds({ ...parts, values: stores.values }, page),
      mcpKind({ ...parts, clock, servers: config.mcpServers, environment: process.env, onTrouble }),
    ],
    // A pattern that cannot be run in bounded time is listed in the import's report and left to the
    // server.
    schemas: foreignSchemas({ onLoss: () => undefined }),
    cache,
    onDocument: ({ tenant, name }, document) =>
      updateDocument(sources, systemCaller(tenant), name, document).catch(ignoreStale),
  })
  const reserved = reservedNames(config)
  const sources: ImportsApiOptions = {
    administration,
    imports,
    limits: limitsOf(config),
    isReserved: (name) => reserved.has(name),
  }
  return {
    vault,
    imports,
    api: createImportsApi(sources),
    credentials: createCredentialsApi({ administration, vault }),
    watch(tenants) {
      cache.cleanUp()
      return watchImports({ ...sources, clock, tenants, onTrouble })
    },
    async close() {
      await imports.close()
      await egress.close()
    },
  }
}

/**
 * Tools of an import that were called like ours (`tools.search`, `shop.buy`) could pass for them.
 */
export function reservedNames({ packs }: Config): ReadonlySet<string> {
  const own = packs.flatMap(({ name, tools = [] }) => [name, ...tools.map(({ id }) => id)])
  const namespaces = own.map((id) => id.replace(/\..*$/, ''))
  return new Set(['surehand', 'tools', 'system', ...Object.keys(BUILT_IN_PACKS), ...namespaces])
}

// Another node stored the same change first.
function ignoreStale(thrown: unknown): void {
  if (toToolError(thrown).details?.source_code !== 'stale_version') throw thrown
}

function limitsOf({ mostDocuments, mostMounts, mostDocumentMegabytes }: Config): ImportLimits {
  return {
    sources: [
      {
        kinds: ['openapi', 'graphql', 'actions', 'webmcp'],
        called: 'imported documents',
        most: mostDocuments,
        setting: 'mostDocuments',
      },
      { kinds: ['mcp'], called: 'mounted servers', most: mostMounts, setting: 'mostMounts' },
    ],
    bytes: { most: mostDocumentMegabytes * 1_048_576, setting: 'mostDocumentMegabytes' },
  }
}
