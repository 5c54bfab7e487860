import type { IncomingMessage, ServerResponse } from 'node:http'
import { systemClock } from '@surehand/core/ports'
import { createEdge, type Edge, type FastPath, type FastPathAnswer } from '@surehand/edge'
import { type HttpHandler, type HttpWebhooks, httpHandler, type NodeHandler } from '@surehand/http'
import { createSessions, type SignedIn } from '@surehand/identity'
import { type McpHandler, mcpHandler } from '@surehand/mcp'
import { latestHead } from '@surehand/sql'
import type { App } from '../app.ts'
import { dayRoutes } from '../day/day-routes.ts'
import type { Log } from '../log/log.ts'
import { createRequestState } from '../mcp-state.ts'
import type { Notifications } from '../notifications/notifications.ts'
import type { OAuth, OAuthOptions } from '../oauth/create-oauth.ts'
import type { Artifacts } from '../packs/artifacts.ts'
import { feedPage } from '../packs/feed-page.ts'
import { packRoutes } from '../packs/pack-services.ts'
import { VERSION } from '../version.ts'
import { type Addresses, addressesOf } from './addresses.ts'
import { consoleRoutes } from './console.ts'
import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'
import { startPage } from './start-page.ts'

/** HTTP and MCP on one port. */
export type Surfaces = {
  readonly handle: NodeHandler
  readonly mcp: McpHandler
  readonly addresses: Addresses
  readonly notifications: Notifications
  /** Ends the streams of clients that only listen: they would stay open forever. */
  readonly hangUp: () => Promise<void>
}

type SurfaceContext = {
  readonly app: App
  readonly health: Health
  readonly metrics: Metrics
  readonly log: Log
  /**
   * Called with the tenant of each authenticated client, so that changes of its tools are announced
   * to it.
   */
  readonly onCaller: (tenant: string) => void
  readonly openNotifications: (publicUrl: string) => Notifications
  /** Undefined where clients cannot connect by OAuth. */
  readonly openOAuth: ((place: OAuthPlace) => OAuth) | undefined
  readonly webhooks: HttpWebhooks
}

export type OAuthPlace = Pick<OAuthOptions, 'addresses' | 'resource' | 'edge'>

const MCP_PATH = '/mcp'
const METADATA_PATH = '/.well-known/oauth-protected-resource'
// The paths of the authorization server itself. Those of its pages are the HTTP surface's.
const OAUTH_PATH =
  /^\/(?:\.well-known\/oauth-authorization-server$|oauth\/(?:authorize|token|register|revoke)(?:\/|$))/

export function createSurfaces(parts: SurfaceContext, port: number): Surfaces {
  const { app, health, metrics, log } = parts
  const addresses = addressesOf(app.config, port)
  // Shared, so that requests and failed authentications add up whichever surface they reach.
  const { config } = app
  const edge = createEdge({
    trustedProxies: config.trustedProxies,
    perToken: { perSecond: config.requestsPerSecond, burst: config.requestsAtOnce },
    streams: {
      perPrincipal: config.streamsPerPrincipal,
      perTenant: config.streamsPerTenant,
      total: config.streamsInAll,
    },
  })
  const resource = `${addresses.publicUrl}${MCP_PATH}`
  const oauth = parts.openOAuth?.({ addresses, resource, edge })
  const mcp = createMcpSurface({ ...parts, edge, oauth }, addresses)
  const notifications = parts.openNotifications(addresses.publicUrl)
  const http = createHttpSurface({ ...parts, edge, oauth, notifications }, addresses)
  const note: RecordRequest = ({ method, path, startedMs }, status) => {
    metrics.countRequest(status)
    log.debug({ method, path, status, ms: performance.now() - startedMs }, 'request')
  }
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const path = pathOf(request)
    const begun = { method: request.method, path, startedMs: performance.now() }
    response.once('close', () => note(begun, response.statusCode))
    if (health.serve(request, response, addresses.hosts)) return
    if (path === MCP_PATH || path === METADATA_PATH || path.startsWith(`${METADATA_PATH}/`))
      mcp(request, response)
    else if (oauth !== undefined && OAUTH_PATH.test(path)) oauth.handle(request, response)
    else if (isPageUnderOtherHost(request, addresses))
      redirectToPublicUrl(request, response, addresses)
    else http(request, response)
  }
  return {
    mcp,
    addresses,
    notifications,
    hangUp() {
      edge.streams.endListening()
      return mcp.close()
    },
    handle: Object.assign(handle, {
      fastPath: countFastPath({ mcp: mcp.fastPath, http: http.fastPath }, note),
    }),
  }
}

type StartedRequest = {
  readonly method: string | undefined
  readonly path: string
  readonly startedMs: number
}
type RecordRequest = (begun: StartedRequest, status: number) => void

/** The fast paths of both surfaces; their requests are counted like all others. */
function countFastPath(
  { mcp, http }: { readonly mcp: FastPath; readonly http: FastPath },
  note: RecordRequest,
): FastPath {
  const pathFor = (path: string): FastPath => (path === MCP_PATH ? mcp : http)
  return {
    ...http,
    accepts: (head) => pathFor(head.path).accepts(head),
    respond(request) {
      const begun = { method: 'POST', path: request.path, startedMs: performance.now() }
      const count = (answer: FastPathAnswer | undefined): FastPathAnswer | undefined => {
        // A request that the fast path passes on is counted where it is answered.
        if (answer !== undefined) note(begun, answer.status)
        return answer
      }
      const answer = pathFor(request.path).respond(request)
      return answer instanceof Promise ? answer.then(count) : count(answer)
    },
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

type SharedContext = SurfaceContext & { readonly edge: Edge; readonly oauth: OAuth | undefined }

function createHttpSurface(
  {
    app,
    log,
    edge,
    oauth,
    notifications,
    webhooks,
  }: SharedContext & Pick<Surfaces, 'notifications'>,
  { publicUrl, hosts }: Addresses,
): HttpHandler {
  const { runtime, identity, identityApi, audit, imports, keys, config } = app
  return httpHandler({
    runtime,
    identity,
    identityApi: identityApi,
    audit,
    imports: imports.imports,
    programs: app.programs,
    vault: {
      credentials: imports.credentials,
      begin: imports.vault.beginAuthorization,
      finish: imports.vault.finishAuthorization,
    },
    files: app.imports.files,
    notifications,
    webhooks,
    packs: config.packs,
    oauth: oauth?.requests,
    publicUrl,
    hosts,
    corsOrigins: config.corsOrigins,
    edge,
    sessions: createSessions({
      clock: systemClock(),
      key: keys.sessions,
      secure: publicUrl.startsWith('https:'),
    }),
    onError: (thrown, requestId) => log.error({ err: thrown, requestId }, 'request failed'),
    routes: [
      ...consoleRoutes(log),
      ...packRoutes(config.packs, (pack) => app.packServices(pack, publicUrl)),
      ...dayRoutes({ app, publicUrl, now: systemClock().now }),
    ],
    extend(routes) {
      routes.get('/', ({ req }) =>
        startPage(app, { publicUrl }, req.query('q')?.slice(0, 200) ?? ''),
      )
      routes.get('/feeds/:tenant/:file', ({ req }) =>
        feedPage(app, req.param('tenant'), req.param('file')),
      )
      routes.get('/artifacts/:tenant/:file', ({ req }) =>
        artifactPage(app.artifacts, req.param('tenant'), req.param('file')),
      )
    },
  })
}

// An artifact may contain anything, so nothing in it may run in a browser.
const ARTIFACT_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=3600',
}

async function artifactPage(artifacts: Artifacts, tenant: string, file: string): Promise<Response> {
  const found = await artifacts.find(tenant, file)
  if (found === undefined)
    return new Response('This artifact does not exist, or no longer exists.\n', { status: 404 })
  // TypeScript's BodyInit requires an ArrayBuffer that is not shared.
  return new Response(new Uint8Array(found.bytes), {
    headers: { ...ARTIFACT_HEADERS, 'content-type': found.mediaType },
  })
}

function createMcpSurface(
  { app, onCaller, edge, oauth }: SharedContext,
  { publicUrl, hosts }: Addresses,
): McpHandler {
  const { runtime, identity, keys, stores, config } = app
  return mcpHandler({
    runtime,
    edge,
    authenticate(token) {
      const reportTenant = (signedIn: SignedIn | undefined): SignedIn | undefined => {
        if (signedIn !== undefined) onCaller(signedIn.caller.tenant)
        return signedIn
      }
      // The access token of an OAuth client is meant for this resource and no other surface.
      const found =
        oauth !== undefined && token.startsWith('sho_')
          ? oauth.authenticate(token)
          : identity.authenticate(token)
      return found instanceof Promise ? found.then(reportTenant) : reportTenant(found)
    },
    options: {
      name: 'surehand',
      version: VERSION,
      mode: config.mcpMode,
      maxUnnamedBytes: config.mcpMessageBytes,
      hosts,
      origins: [publicUrl, ...config.corsOrigins],
      resource: `${publicUrl}${MCP_PATH}`,
      authorizationServers: [
        ...(oauth === undefined ? [] : [publicUrl]),
        ...(config.jwt === undefined ? [] : [config.jwt.issuer]),
      ],
      ...(oauth === undefined ? {} : { scopes: ['tools'] }),
      approvalUrl: (id) => `${publicUrl}/approvals/${encodeURIComponent(id)}`,
      questionUrl: (id) => `${publicUrl}/questions/${encodeURIComponent(id)}`,
      files: app.imports.files,
      audit: { head: (tenant) => latestHead(stores.database, tenant) },
      // The credential of the client; a tenant's policy names those whose host may relay approvals.
      hostOf: ({ session }) => session,
      requestState: createRequestState({ keys, stores }),
    },
  })
}

// Pages accept forms from the public origin only: a page that was opened under another host name is
// redirected.
function isPageUnderOtherHost(request: IncomingMessage, { publicHost, hosts }: Addresses): boolean {
  const host = request.headers.host?.toLowerCase()
  if (
    request.method !== 'GET' ||
    host === undefined ||
    host === publicHost ||
    !hosts.includes(host)
  )
    return false
  return /^\/(?:approvals|decisions|questions|calls|tools|notifications|sign-in|day|calendar|console|$)/.test(
    pathOf(request),
  )
}

function redirectToPublicUrl(
  request: IncomingMessage,
  response: ServerResponse,
  { publicUrl }: Addresses,
): void {
  response
    .writeHead(302, { location: `${publicUrl}${pathOf(request)}`, 'cache-control': 'no-store' })
    .end()
}
