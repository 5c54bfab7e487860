import type { RunningDemo } from '@surehand/core/host'
import { type AdminStore, systemClock, systemEntropy, type Telemetry } from '@surehand/core/ports'
import type { Egress } from '@surehand/egress'
import { type Listening, listen } from '@surehand/http'
import { otelTelemetry } from '@surehand/telemetry'
import { type App, type AppOptions, createApp } from '../app.ts'
import { ConfigError } from '../config/config-error.ts'
import type { Config } from '../config/read-config.ts'
import { describeOpenFolder } from '../data-folder.ts'
import { openEgress } from '../imports/private-hosts.ts'
import { type Log, logTrouble } from '../log/log.ts'
import { type Notifications, notificationsOf } from '../notifications/notifications.ts'
import type { OAuth, OAuthOptions } from '../oauth/create-oauth.ts'
import { startDemos } from '../packs/demos.ts'
import { startWebhooks } from '../webhooks/deliver.ts'
import { webhooksOf } from '../webhooks/webhooks-api.ts'
import { type Addresses, addressesOf, isLoopback } from './addresses.ts'
import { type FirstStart, prepareFirstStart } from './first-start.ts'
import { createHealth, type Health } from './health.ts'
import { setHeapGrowth } from './heap-growth/set-heap-growth.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createSurfaces, type OAuthPlace, type Surfaces } from './surfaces.ts'

/** A running server. */
export type RunningServer = {
  readonly app: App
  readonly addresses: Addresses
  readonly port: number
  readonly welcome: FirstStart
  readonly countStrayError: Metrics['countStrayError']
  /** Pages of the demos. */
  readonly links: NonNullable<RunningDemo['links']>
  /**
   * Accepts nothing new, gives running calls the configured time to end, and leaves the rest to
   * other nodes.
   */
  readonly stop: () => Promise<void>
}

type ServeOptions = Pick<AppOptions, 'leaseMs' | 'clock'> & {
  /** Starts the demos of packs: emulators and example data. Default: false. */
  readonly demos?: boolean
}

/** Creates the app and serves HTTP and MCP on one port. */
export async function serve(
  config: Config,
  log: Log,
  { demos: withDemos = false, ...options }: ServeOptions = {},
): Promise<RunningServer> {
  const onTrouble = logTrouble(log)
  const ids = new Set<string>()
  const metrics = createMetrics((id) => ids.has(id))
  const tracing =
    config.otlpEndpoint === undefined ? undefined : await startTracing(config.otlpEndpoint)
  const demos = withDemos
    ? await startDemos(config, addressesOf(config, config.port).publicUrl)
    : undefined
  const app = await createApp(config, {
    ...options,
    telemetry: combineTelemetry(metrics, tracing),
    onTrouble,
    onUnexpectedError: (error, callId) =>
      log.error({ err: error, callId }, 'unexpected error in a call'),
  }).catch(async (thrown: unknown) => {
    await demos?.stop()
    throw thrown
  })
  warnOfOpenFolder(config, log)
  for (const { id } of app.runtime.tools()) ids.add(id)
  const health = createHealth(app, metrics)
  try {
    const opened = Promise.withResolvers<Surfaces>()
    const watch = watchAdministration(
      app.stores.admin,
      () => void opened.promise.then(({ mcp }) => mcp.toolsChanged()),
    )
    const egress = openEgress(config)
    const clock = options.clock ?? systemClock()
    const openNotifications = (publicUrl: string): Notifications =>
      notificationsOf(app, { egress, publicUrl, onTrouble, clock })
    const openOAuth = await oauthOf({ app, egress, clock, onError: onTrouble })
    const webhooks = webhooksOf(app, { clock, egress })
    const openings = { openNotifications, openOAuth, webhooks }
    const parts = { app, health, metrics, log, onCaller: watch.note, ...openings }
    const listening = await bindPort(config, (port) => {
      const surfaces = createSurfaces(parts, port)
      opened.resolve(surfaces)
      return surfaces.handle
    })
    const { hangUp, addresses, notifications } = await opened.promise
    const welcome = await prepareFirstStart(app)
    app.startMaintenance()
    app.runtime.start()
    await demos?.seed((pack) => app.packServices(pack, addresses.publicUrl))
    setHeapGrowth(config.heapGrowthPercent)
    const stopSending = startSending({ app, egress, notifications, onTrouble })
    const stop = once(async () => {
      await shutDown({ app, listening, hangUp, health, metrics, tracing, watch, log, stopSending })
      await demos?.stop()
    })
    return {
      app,
      addresses,
      port: listening.port,
      welcome,
      countStrayError: metrics.countStrayError,
      links: (demos?.links ?? []).map(({ title, url }) => ({
        title,
        url: url.startsWith('/') ? `${addresses.publicUrl}${url}` : url,
      })),
      stop,
    }
  } catch (thrown) {
    await demos?.stop()
    await app.close()
    throw thrown
  }
}

/** Loaded only where the setting is on: the library behind it is not small. */
async function oauthOf(
  context: Pick<OAuthOptions, 'app' | 'egress' | 'clock' | 'onError'>,
): Promise<((place: OAuthPlace) => OAuth) | undefined> {
  const { config } = context.app
  if (!config.oauth) return undefined
  requireSafeIssuer(addressesOf(config, config.port))
  const { createOAuth } = await import('../oauth/create-oauth.ts')
  return (place) => createOAuth({ ...context, ...place })
}

function requireSafeIssuer({ publicUrl }: Addresses): void {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new ConfigError(
      `OAuth needs https, and the public address is ${publicUrl}. Set SUREHAND_PUBLIC_URL to the https address of the proxy in front, or SUREHAND_OAUTH to false.`,
    )
}

type Sending = {
  readonly app: App
  readonly egress: Egress
  readonly notifications: Notifications
  readonly onTrouble: (thrown: unknown) => void
}

/** Starts to call webhooks and to notify people, until the answer is called. */
function startSending({ app, egress, notifications, onTrouble }: Sending): () => Promise<void> {
  notifications.start()
  const stopWebhooks = startWebhooks({
    stores: app.stores,
    clock: systemClock(),
    random: systemEntropy().random,
    egress,
    onTrouble,
  })
  return async () => {
    await Promise.all([stopWebhooks(), notifications.close()])
    await egress.close()
  }
}

function warnOfOpenFolder({ data }: Config, log: Log): void {
  const openFolder = describeOpenFolder(data)
  if (openFolder !== undefined) log.warn({ data }, openFolder)
}

async function bindPort(
  { host, port, fastPath }: Config,
  makeHandler: Parameters<typeof listen>[0],
): Promise<Listening> {
  try {
    return await listen(makeHandler, { port, hostname: host, fastPath })
  } catch (thrown) {
    throw new ConfigError(describeBindError(thrown, host, port), { cause: thrown })
  }
}

function describeBindError(thrown: unknown, host: string, port: number): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the program that uses it, or set SUREHAND_PORT (or --port) to another port.`
  if (code === 'EACCES')
    return `Port ${port} needs special rights. Set SUREHAND_PORT (or --port) to a port above 1023.`
  return `The server cannot listen on ${host}:${port} (${String(code ?? thrown)}). Set SUREHAND_HOST (or --host) to an address of this machine.`
}

function combineTelemetry({ telemetry }: Metrics, tracing: Tracing | undefined): Telemetry {
  return tracing === undefined ? telemetry : bothTelemetries(telemetry, tracing.telemetry)
}

type OpenServer = {
  readonly app: App
  readonly listening: Listening
  readonly hangUp: Surfaces['hangUp']
  readonly health: Health
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
  readonly watch: AdministrationWatch
  readonly log: Log
  readonly stopSending: () => Promise<void>
}

async function shutDown({
  app,
  listening,
  hangUp,
  health,
  metrics,
  tracing,
  watch,
  log,
  stopSending,
}: OpenServer): Promise<void> {
  const withinMs = app.config.shutdownSeconds * 1_000
  health.drain()
  watch.close()
  log.info({ withinMs }, 'stopping: waiting for running calls')
  await hangUp()
  const isDone = await withDeadline(
    Promise.all([listening.close(withinMs), app.runtime.stop(), stopSending()]),
    withinMs,
  )
  if (!isDone)
    log.warn({}, 'not every call ended in time: another node, or the next start, continues them')
  await withDeadline(app.close(), CLOSING_MS)
  metrics.close()
  await tracing?.close()
}

const CLOSING_MS = 5_000

async function withDeadline(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs)
  })
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= run()
    return running
  }
}

/** Reports each call to both. */
function bothTelemetries(one: Telemetry, other: Telemetry): Telemetry {
  return {
    startCall(start) {
      const spans = [one.startCall(start), other.startCall(start)]
      const staged = spans.flatMap(({ stage }) => (stage === undefined ? [] : [stage]))
      return {
        ...(staged.length === 0
          ? {}
          : {
              stage: (measure) => {
                for (const stage of staged) stage(measure)
              },
            }),
        end: (measure) => {
          for (const { end } of spans) end(measure)
        },
      }
    },
  }
}

type Tracing = {
  readonly telemetry: Telemetry /** Sends the spans that are still queued. */
  readonly close: () => Promise<void>
}

/**
 * Sends spans of calls and stages to a collector, in batches. Loaded only where one is configured.
 */
async function startTracing(endpoint: string): Promise<Tracing> {
  const [
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env.OTEL_SERVICE_NAME ?? 'surehand',
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: tracesUrl(endpoint) }))],
  })
  return { telemetry: otelTelemetry(provider), close: () => provider.shutdown() }
}

// The setting names the collector; the exporter needs the path for spans.
function tracesUrl(endpoint: string): string {
  return endpoint.endsWith('/v1/traces') ? endpoint : `${endpoint.replace(/\/$/, '')}/v1/traces`
}

type AdministrationWatch = {
  /** Starts watching a tenant that has a connected client. */
  readonly note: (tenant: string) => void
  readonly close: () => void
}

const LOOK_EVERY_MS = 2_000
const MOST_TENANTS = 1_000

/** Polls the tenants of connected clients for changes by administrators, made on any node. */
function watchAdministration(
  store: Pick<AdminStore, 'version'>,
  onChange: () => void,
): AdministrationWatch {
  const versions = new Map<string, number | undefined>()
  let isLooking = false

  async function checkVersions(): Promise<void> {
    let isChanged = false
    for (const [tenant, before] of versions) {
      const version = await store.version(tenant)
      versions.set(tenant, version)
      isChanged ||= before !== undefined && version !== before
    }
    if (isChanged) onChange()
  }

  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    // The store is unreachable for the moment: the next round tries again.
    checkVersions()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false
      })
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    note(tenant) {
      if (!versions.has(tenant) && versions.size < MOST_TENANTS) versions.set(tenant, undefined)
    },
    close: () => clearInterval(timer),
  }
}
