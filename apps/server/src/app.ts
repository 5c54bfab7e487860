import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Caller, createRuntime, type Runtime, ToolError } from '@surehand/core'
import { type Clock, systemClock, type Telemetry } from '@surehand/core/ports'
import type { HttpAudit } from '@surehand/http'
import {
  createIdentity,
  houseCaller,
  type Identity,
  type IdentityDesk,
  identityDesk,
} from '@surehand/identity'
import {
  exportAudit,
  fileAnchor,
  openPostgres,
  openSqlite,
  readAnchors,
  type SqlStores,
  stdoutAnchor,
  type Trust,
  verifyStored,
} from '@surehand/sql'
import { writeInstallation } from './config/installation.ts'
import type { Config } from './config/read-config.ts'
import { createDemoShop } from './demo/demo-shop.ts'
import { type LazyImports, lazyImports } from './imports/lazy-imports.ts'
import { type Keys, openKeys } from './keys.ts'
import { type Artifacts, createArtifacts } from './packs/artifacts.ts'
import { createFeeds, type Feeds } from './packs/feeds.ts'
import { createPackProviders } from './packs/pack-providers.ts'
import { addressesOf } from './serve/addresses.ts'
import { loadServerPacks } from './server-packs.ts'

/** Everything behind the doors, put together: what the server, the command line and stdio stand on. */
export type App = {
  readonly config: Config
  readonly keys: Keys
  readonly stores: SqlStores
  readonly runtime: Runtime
  readonly identity: Identity
  readonly desk: IdentityDesk
  readonly audit: HttpAudit
  /** What packs made and somebody will look at. */
  readonly artifacts: Artifacts
  /** Secret addresses that calendars subscribe to. */
  readonly feeds: Feeds
  /** Tools that tenants bring, their credentials, and where both are looked after. */
  readonly sources: LazyImports
  /** Gives the audit's records their places and prunes, until it is closed. */
  readonly keepHouse: () => void
  /** Waits for what runs, then closes the stores. */
  readonly close: () => Promise<void>
}

export type AppOptions = {
  readonly telemetry?: Telemetry
  /** Hears of what went wrong where nobody waits for an answer. */
  readonly onTrouble?: (thrown: unknown) => void
  /** How long a claim holds without being renewed; a test is less patient than an app. */
  readonly leaseMs?: number
  /** What day it is here; a test lives through a week in seconds. */
  readonly clock?: Clock
  /** The one tool that will be called before it is closed again: no thread of the database, and nobody searches tools or answers questions in it. */
  readonly tool?: string | undefined
}

export async function createApp(
  config: Config,
  { telemetry, leaseMs, clock = systemClock(), tool, onTrouble = () => undefined }: AppOptions = {},
): Promise<App> {
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  writeInstallation(config.data, config)
  const keys = openKeys(config)
  const packs = [...config.packs, ...(await loadServerPacks(config, tool))]
  const common = { packs, secretKeys: keys.secretKeys, onTrouble }
  const { databaseUrl: url } = config
  const stores = await (url === undefined
    ? openSqlite({
        ...common,
        file: databaseFile(config),
        writer: tool === undefined ? 'thread' : 'here',
      })
    : openPostgres({ ...common, url }))
  try {
    return await assembleApp({
      config,
      keys,
      stores,
      packs,
      telemetry,
      leaseMs,
      clock,
      tool,
      onTrouble,
    })
  } catch (thrown) {
    await stores.close()
    throw thrown
  }
}

function databaseFile({ data }: Pick<Config, 'data'>): string {
  return join(data, 'surehand.db')
}

type AppDependencies = Pick<App, 'config' | 'keys' | 'stores'> & {
  readonly packs: Config['packs']
  readonly telemetry: Telemetry | undefined
  readonly leaseMs: number | undefined
  readonly clock: Clock
  readonly tool: string | undefined
  readonly onTrouble: (thrown: unknown) => void
}

async function assembleApp({
  config,
  keys,
  stores,
  packs,
  telemetry,
  leaseMs,
  clock,
  tool,
  onTrouble,
}: AppDependencies): Promise<App> {
  const { home } = config
  const jwt =
    config.jwt === undefined
      ? undefined
      : (await import('./jwt-identity.ts')).jwtIdentity(config.jwt)
  const identity = createIdentity({
    store: stores.admin,
    clock,
    home,
    ...(jwt === undefined ? {} : { jwt }),
  })
  const { publicUrl } = addressesOf(config, config.port)
  const sources: LazyImports = lazyImports(
    { config, keys, stores, clock, onTrouble, publicUrl },
    () => runtime.administration,
  )
  const kept = createArtifacts(stores.values, publicUrl)
  const ownFeeds = createFeeds({ values: stores.values, key: keys.sessions, publicUrl })
  const supplied = createPackProviders(config.packs, {
    config,
    stores,
    clock,
    artifacts: kept,
    vault: sources.vault,
  })
  const runtime = createRuntime({
    packs,
    tenantTools: sources.brought,
    stores,
    clock,
    providers: {
      feeds: ownFeeds,
      ...(config.demo ? { demoShop: createDemoShop(stores.values) } : {}),
      ...supplied.providers,
      ...config.providers,
    },
    currentCaller: identity.standing,
    ...(tool === undefined ? (await import('./discovery-parts.ts')).discoveryParts() : {}),
    ...(telemetry === undefined ? {} : { telemetry }),
    ...(leaseMs === undefined ? {} : { leaseMs }),
  })
  const desk = identityDesk({
    administration: runtime.administration,
    directory: identity.directory,
    clock,
    home,
  })
  const maintain = () =>
    stores.maintain({ audit: { key: keys.audit, anchors: createAnchors(config) } })
  let stopKeeping: (() => Promise<void>) | undefined
  let stopWatching: (() => Promise<void>) | undefined
  // where nobody keeps app, what was written lately has no place in the tree yet
  const seal = async (): Promise<void> => {
    await stores.audit.flush()
    if (stopKeeping === undefined) await maintain()()
  }
  return {
    config,
    keys,
    stores,
    runtime,
    identity,
    desk,
    audit: createAuditApi({ stores, config, keys }, seal),
    artifacts: kept,
    feeds: ownFeeds,
    sources,
    keepHouse() {
      stopKeeping ??= maintain()
      stopWatching ??= sources.watch(() => listOpenTenants(desk, home))
    },
    async close() {
      await stopWatching?.()
      await runtime.stop()
      await stopKeeping?.()
      await sources.close()
      await supplied.close()
      await stores.close()
    },
  }
}

async function listOpenTenants(desk: IdentityDesk, home: string): Promise<readonly string[]> {
  const others = await desk.tenants.list(houseCaller(home))
  return [
    ...new Set([
      home,
      ...others.filter(({ record }) => record.disabled !== true).map(({ id }) => id),
    ]),
  ]
}

/** The heads that were kept outside the database. */
function headsFile({ data, auditAnchor }: Pick<Config, 'data' | 'auditAnchor'>): string {
  return auditAnchor === undefined || auditAnchor === 'stdout'
    ? join(data, 'audit-heads.jsonl')
    : auditAnchor
}

function createAnchors(config: Config) {
  const file = fileAnchor(headsFile(config))
  return config.auditAnchor === 'stdout' ? [file, stdoutAnchor()] : [file]
}

function createAuditApi(
  { stores, config, keys }: Pick<App, 'stores' | 'config' | 'keys'>,
  seal: () => Promise<void>,
): HttpAudit {
  return {
    list: (filter) => stores.audit.list(filter),
    async *export(tenant) {
      await seal()
      yield* exportAudit(stores.database, tenant)
    },
    async verify(tenant) {
      await seal()
      return verifyStored(stores.database, tenant, readAuditTrust(config, keys))
    },
  }
}

/** Whose heads are believed, and which were kept outside. */
export function readAuditTrust(config: Config, { auditPublic }: Keys): Trust {
  const file = headsFile(config)
  return {
    publicKeys: auditPublic,
    anchors: existsSync(file) ? readAnchors(readFileSync(file, 'utf8')) : [],
  }
}

/** Whoever holds the data folder is the app's owner: as themselves, or as somebody who is written down. */
export async function resolveLocalCaller(
  app: App,
  who: { readonly principal?: string; readonly tenant?: string },
): Promise<Caller> {
  const { identity, desk, config } = app
  const tenant = who.tenant ?? config.home
  if (!(await identity.directory.isOpen(tenant)))
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no tenant "${tenant}" here.`)
  const principal = who.principal ?? OWNER_ID
  const known = await identity.directory.principal(tenant, principal)
  if (known === undefined) {
    if (who.principal !== undefined)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `Nobody is called "${principal}" in ${tenant}: "surehand principals" tells who is there.`,
      )
    await desk.principals.put(houseCaller(tenant), OWNER_ID, {
      name: 'Whoever holds the data folder',
      roles: ['admin', 'user'],
    })
  }
  const caller = await identity.ofSession({
    id: 'cli',
    tenant,
    principal,
    expiresAt: Number.POSITIVE_INFINITY,
  })
  if (caller === undefined)
    throw new ToolError('TOOL_INSUFFICIENT_PERMISSIONS', `"${principal}" is shut out of ${tenant}.`)
  return caller
}

export const OWNER_ID = 'owner'
