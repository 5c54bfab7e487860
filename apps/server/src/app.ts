import { join } from 'node:path'
import { type Caller, type Runtime, type RuntimeOptions, ToolError } from '@surehand/core'
import { assembleRuntime, type PackServices } from '@surehand/core/host'
import { type Clock, systemClock, type Telemetry } from '@surehand/core/ports'
import type { HttpAudit } from '@surehand/http'
import {
  createIdentity,
  createIdentityApi,
  type Identity,
  type IdentityApi,
  storedOpenSessions,
  storedTokenUses,
  systemCaller,
  type TokenUses,
} from '@surehand/identity'
import type { ProgramsApi } from '@surehand/programs'
import {
  openPostgres,
  openSqlite,
  readBoot,
  type SqliteOptions,
  type SqlStores,
} from '@surehand/sql'
import { createAuditApi, createMaintenance } from './audit.ts'
import { writeInstallation } from './config/installation.ts'
import type { Config } from './config/read-config.ts'
import { openDataFolder } from './data-folder.ts'
import { createDemoShop } from './demo/demo-shop.ts'
import { type LazyImports, lazyImports } from './imports/lazy-imports.ts'
import { lazyPrograms } from './imports/lazy-programs.ts'
import { type Keys, openKeys } from './keys.ts'
import { type Artifacts, createArtifacts } from './packs/artifacts.ts'
import { createFeeds, type Feeds } from './packs/feeds.ts'
import { createPackProviders } from './packs/pack-providers.ts'
import { isPackPrincipal, packServices, withPackPrincipals } from './packs/pack-services.ts'
import { type ScheduleContext, startSchedules } from './packs/schedules.ts'
import type { ProposalsPort } from './registry/propose-program.ts'
import type { ToolRegistry } from './registry/tool-registry.ts'
import { addressesOf } from './serve/addresses.ts'
import { loadServerPacks } from './server-packs.ts'

/** The assembled application that the server, the CLI and MCP over stdio use. */
export type App = {
  readonly config: Config
  readonly keys: Keys
  readonly stores: SqlStores
  readonly runtime: Runtime
  readonly identity: Identity
  readonly identityApi: IdentityApi
  readonly audit: HttpAudit
  /** Files made by packs, served under unguessable addresses. */
  readonly artifacts: Artifacts
  /** Secret addresses to which calendars subscribe. */
  readonly feeds: Feeds
  /** What the routes and the demo of a pack work with. */
  readonly packServices: (pack: string, publicUrl: string) => PackServices
  /** Tenant tools (imported documents, mounted servers) and their credentials. */
  readonly imports: LazyImports
  /** Composite tools that agents propose and people accept. */
  readonly programs: ProgramsApi
  /**
   * Starts background work: sequencing audit records, pruning, refreshing imports, scheduled calls
   * of packs. Ends with `close`.
   */
  readonly startMaintenance: () => void
  /** Waits for running calls, then closes the stores. */
  readonly close: () => Promise<void>
}

export type AppOptions = {
  readonly telemetry?: Telemetry
  /**
   * Receives exceptions in calls that are not ToolErrors, for the log. Default: `console.error`.
   */
  readonly onUnexpectedError?: RuntimeOptions['onUnexpectedError']
  /** Receives errors of background work, which has no caller to report to. */
  readonly onTrouble?: (thrown: unknown) => void
  /** How long a claim is valid without being renewed; tests set it shorter. */
  readonly leaseMs?: number
  /** The clock; tests hand in one that they move themselves. */
  readonly clock?: Clock
  /**
   * The only tool that will be called: the app then starts no writer thread and loads neither
   * search nor foreign schemas.
   */
  readonly tool?: string | undefined
  /** Where SQLite writes. A short-lived command needs no thread, whose start costs more than it. */
  readonly writer?: SqliteOptions['writer']
}

export async function createApp(
  config: Config,
  {
    telemetry,
    leaseMs,
    clock = systemClock({ boot: readBoot() }),
    tool,
    writer = tool === undefined ? 'thread' : 'calling-thread',
    onTrouble = () => undefined,
    onUnexpectedError,
  }: AppOptions = {},
): Promise<App> {
  openDataFolder(config.data, config.databaseUrl === undefined ? databaseFile(config) : undefined)
  writeInstallation(config.data, config)
  const keys = openKeys(config)
  const packs = [...config.packs, ...(await loadServerPacks(config, tool))]
  const common = { packs, secretKeys: keys.secretKeys, sealKey: keys.seal, onTrouble }
  const { databaseUrl: url } = config
  const stores = await (url === undefined
    ? openSqlite({ ...common, file: databaseFile(config), writer })
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
      onUnexpectedError,
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
  readonly onUnexpectedError: RuntimeOptions['onUnexpectedError']
}

async function assembleApp(dependencies: AppDependencies): Promise<App> {
  const { config, keys, stores, clock, onTrouble } = dependencies
  const { home } = config
  const { identity, tokenUses, closeIdentity } = await openIdentity({ config, stores, clock })
  const { publicUrl } = addressesOf(config, config.port)
  const page = (): object | undefined => supplied.providers.pageBridge
  const imports: LazyImports = lazyImports(
    { config, keys, stores, clock, onTrouble, publicUrl, page },
    () => runtime.administration,
  )
  const { tenantTools, programs } = lazyPrograms({ stores, clock, imports }, () => runtime)
  const artifacts = createArtifacts(stores.values, publicUrl)
  const feeds = createFeeds({ values: stores.values, key: keys.sessions, publicUrl })
  const toolRegistry = await openToolRegistry(dependencies, () => runtime)
  const supplied = createPackProviders(config.packs, {
    ...{ config, stores, clock, artifacts, publicUrl, identity },
    vault: imports.vault,
    runtime: () => runtime,
  })
  const runtime: Runtime = assembleRuntime({
    ...(await runtimeOptions(dependencies)),
    tenantTools,
    installation: keys.installation,
    providers: providersOf(dependencies, { feeds, toolRegistry, programs }, supplied.providers),
    currentCaller: withPackPrincipals(config.packs, { identity, givenOf: supplied.givenOf }),
    findPerson: (tenant, principal) => findPerson(identity, tenant, principal),
  })
  await toolRegistry?.load()
  const [{ administration }, { directory }] = [runtime, identity]
  const identityApi = createIdentityApi({
    ...{ administration, directory, clock, home, tokenUses },
    ...sessionsOf(identity, stores),
  })
  const maintenance = createMaintenance({ config, keys, stores, onTrouble })
  let stopCallers: (() => Promise<void>) | undefined
  return {
    config,
    keys,
    stores,
    runtime,
    identity,
    identityApi,
    audit: createAuditApi({ config, keys, stores }, maintenance.seal),
    artifacts,
    feeds,
    packServices: (pack, url) =>
      packServices(supplied.givenOf(pack), { runtime, publicUrl: url, home }),
    imports,
    programs,
    startMaintenance() {
      maintenance.start()
      stopCallers ??= startCallers({
        packs: config.packs,
        imports,
        runtime,
        clock,
        tenants: () => listOpenTenants(identityApi, home),
        toolRegistry,
        onTrouble,
      })
    },
    async close() {
      await stopCallers?.()
      await runtime.stop()
      await Promise.all([imports.close(), supplied.close(), closeIdentity()])
      // Last, because everything above may write audit records.
      await maintenance.stop()
      await stores.close()
    },
  }
}

function sessionsOf({ openSessions }: Identity, { audit }: Pick<SqlStores, 'audit'>) {
  return openSessions === undefined ? {} : { sessions: { open: openSessions, audit } }
}

/** A person to whom a decision is delegated, with the rights of today. */
function findPerson({ authenticateSession }: Identity, tenant: string, principal: string) {
  const session = { id: 'delegation', tenant, principal, expiresAt: Number.POSITIVE_INFINITY }
  return authenticateSession(session)
}

type OwnProviders = Pick<App, 'feeds' | 'programs'> & {
  readonly toolRegistry: ToolRegistry | undefined
}

function proposalsOf({ propose }: ProgramsApi): ProposalsPort {
  return { propose: ({ by, form }) => propose(by, form) }
}

/** The configuration's replace those of packs, and those replace the app's own. */
function providersOf(
  { config, stores }: AppDependencies,
  { feeds, toolRegistry, programs }: OwnProviders,
  ofPacks: Readonly<Record<string, object>>,
): Readonly<Record<string, object>> {
  return {
    feeds,
    ...(toolRegistry === undefined
      ? {}
      : { toolRegistry: toolRegistry.port, programProposals: proposalsOf(programs) }),
    ...(config.demo ? { demoShop: createDemoShop(stores.values) } : {}),
    ...ofPacks,
    ...config.providers,
  }
}

// Loaded only with its tools: a command that calls another tool must not wait for it.
async function openToolRegistry(
  { packs, stores, config, onTrouble }: AppDependencies,
  runtime: () => Runtime,
): Promise<ToolRegistry | undefined> {
  if (!packs.some(({ name }) => name === 'registry')) return undefined
  const { createToolRegistry } = await import('./registry/tool-registry.ts')
  const { home, implementations } = config
  return createToolRegistry({ runtime, store: stores.admin, home, implementations, onTrouble })
}

async function runtimeOptions({
  packs,
  stores,
  clock,
  tool,
  telemetry,
  onUnexpectedError,
  leaseMs,
}: AppDependencies) {
  return {
    packs,
    stores,
    clock,
    ...(tool === undefined ? (await import('./discovery-parts.ts')).discoveryParts() : {}),
    ...(telemetry === undefined ? {} : { telemetry }),
    strayErrors: 'trace',
    ...(onUnexpectedError === undefined ? {} : { onUnexpectedError }),
    ...(leaseMs === undefined ? {} : { leaseMs }),
  } satisfies Partial<RuntimeOptions>
}

/** Starts the background work that calls tools and fetches documents for every tenant. */
function startCallers({
  imports,
  toolRegistry,
  ...context
}: ScheduleContext & {
  readonly imports: LazyImports
  readonly toolRegistry: ToolRegistry | undefined
}): () => Promise<void> {
  const stops = [
    imports.watch(context.tenants),
    startSchedules(context),
    ...(toolRegistry === undefined ? [] : [toolRegistry.watch(context.clock)]),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

async function openIdentity({
  config: { jwt: settings, home, packs },
  stores,
  clock,
}: Pick<AppDependencies, 'config' | 'stores' | 'clock'>): Promise<{
  readonly identity: Identity
  readonly tokenUses: TokenUses
  readonly closeIdentity: () => Promise<void>
}> {
  const jwt =
    settings === undefined
      ? undefined
      : (await import('./jwt-identity.ts')).jwtIdentity(settings, { clock, home })
  const tokenUses = storedTokenUses(stores.values, clock)
  const identity = createIdentity({
    store: stores.admin,
    clock,
    home,
    ...(jwt === undefined ? {} : { jwt }),
    isReserved: (principal) => isPackPrincipal(packs, principal),
    openSessions: storedOpenSessions(stores.values, clock),
    tokenUses,
  })
  return { identity, tokenUses, closeIdentity: async () => jwt?.close() }
}

async function listOpenTenants(identityApi: IdentityApi, home: string): Promise<readonly string[]> {
  const others = await identityApi.tenants.list(systemCaller(home))
  return [
    ...new Set([
      home,
      ...others.filter(({ record }) => record.disabled !== true).map(({ id }) => id),
    ]),
  ]
}

/**
 * The caller of a local command. Access to the data folder makes the user its owner, who may also
 * act as any known principal.
 */
export async function resolveLocalCaller(
  app: App,
  who: { readonly principal?: string; readonly tenant?: string },
): Promise<Caller> {
  const { identity, identityApi, config } = app
  const tenant = who.tenant ?? config.home
  if (!(await identity.directory.isOpen(tenant)))
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no tenant "${tenant}" here.`)
  const principal = who.principal ?? OWNER_ID
  const known = await identity.directory.principal(tenant, principal)
  if (known === undefined) {
    if (who.principal !== undefined)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `There is no principal "${principal}" in tenant "${tenant}". List them with "surehand principals".`,
      )
    await identityApi.principals.put(systemCaller(tenant), OWNER_ID, {
      name: 'Owner of the data folder',
      roles: ['admin', 'user'],
    })
  }
  const caller = await identity.authenticateSession({
    id: 'cli',
    tenant,
    principal,
    expiresAt: Number.POSITIVE_INFINITY,
  })
  if (caller === undefined)
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      `The principal "${principal}" is disabled in tenant "${tenant}".`,
    )
  return caller
}

export const OWNER_ID = 'owner'
