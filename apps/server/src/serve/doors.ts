import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '@surehand/core'
import { systemClock } from '@surehand/core/ports'
import {
  createStrangers,
  FEW_GUESSES,
  type StraightAnswer,
  type StraightWay,
  type Strangers,
} from '@surehand/edge'
import { type HttpHandler, httpHandler, type NodeHandler } from '@surehand/http'
import { createSessions, type SignedIn } from '@surehand/identity'
import { type McpHandler, mcpHandler } from '@surehand/mcp'
import { latestHead } from '@surehand/sql'
import type { House } from '../house.ts'
import type { Log } from '../log/log.ts'
import { mcpState } from '../mcp-state.ts'
import type { Artifacts } from '../packs/artifacts.ts'
import { feedPage } from '../packs/feed-page.ts'
import { VERSION } from '../version.ts'
import { type Addresses, addressesOf } from './addresses.ts'
import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'
import { startPage } from './start-page.ts'

/** HTTP and MCP on one port. */
export type Doors = {
  readonly handle: NodeHandler
  readonly mcp: McpHandler
  readonly addresses: Addresses
}

export type DoorParts = {
  readonly house: House
  readonly health: Health
  readonly metrics: Metrics
  readonly log: Log
  /** Told whose token came by, so that changes of their tenant are told to who listens. */
  readonly onCaller: (tenant: string) => void
}

const MCP_PATH = '/mcp'
const METADATA_PATH = '/.well-known/oauth-protected-resource'

export function openDoors(parts: DoorParts, port: number): Doors {
  const { house, health, metrics, log } = parts
  const addresses = addressesOf(house.config, port)
  // one count for both: whoever guesses at one door guesses at the other too
  const strangers = createStrangers(FEW_GUESSES, house.config.trustedProxies, systemClock())
  const mcp = mcpDoor({ ...parts, strangers }, addresses)
  const http = httpDoor({ ...parts, strangers }, addresses)
  const note: Note = ({ method, path, startedMs }, status) => {
    metrics.countRequest(status)
    log.debug({ method, path, status, ms: performance.now() - startedMs }, 'request')
  }
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const path = pathOf(request)
    const begun = { method: request.method, path, startedMs: performance.now() }
    response.once('close', () => note(begun, response.statusCode))
    if (health.serve(request, response)) return
    if (path === MCP_PATH || path === METADATA_PATH || path.startsWith(`${METADATA_PATH}/`))
      mcp(request, response)
    else if (isPageElsewhere(request, addresses)) sendHome(request, response, addresses)
    else http(request, response)
  }
  return {
    mcp,
    addresses,
    handle: Object.assign(handle, {
      straight: noted({ mcp: mcp.straight, http: http.straight }, note),
    }),
  }
}

type BegunRequest = {
  readonly method: string | undefined
  readonly path: string
  readonly startedMs: number
}
type Note = (begun: BegunRequest, status: number) => void

/** The straight ways of both doors, each of their requests counted like all others. */
function noted(
  { mcp, http }: { readonly mcp: StraightWay; readonly http: StraightWay },
  note: Note,
): StraightWay {
  const wayOf = (path: string): StraightWay => (path === MCP_PATH ? mcp : http)
  return {
    ...http,
    takes: (head) => wayOf(head.path).takes(head),
    answer(request) {
      const begun = { method: 'POST', path: request.path, startedMs: performance.now() }
      const told = (answer: StraightAnswer | undefined): StraightAnswer | undefined => {
        // what is handed on is counted where it is answered
        if (answer !== undefined) note(begun, answer.status)
        return answer
      }
      const answer = wayOf(request.path).answer(request)
      return answer instanceof Promise ? answer.then(told) : told(answer)
    },
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

type SharedParts = DoorParts & { readonly strangers: Strangers }

function httpDoor(
  { house, log, strangers }: SharedParts,
  { publicUrl, hosts, publicHost }: Addresses,
): HttpHandler {
  const { runtime, identity, desk, audit, sources, keys, config } = house
  return httpHandler({
    runtime,
    identity,
    desk,
    audit,
    imports: sources.imports,
    vault: {
      desk: sources.credentials,
      begin: sources.vault.beginAuthorization,
      finish: sources.vault.finishAuthorization,
    },
    publicUrl,
    hosts,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    strangers,
    sessions: createSessions({
      clock: systemClock(),
      key: keys.sessions,
      secure: publicUrl.startsWith('https:'),
    }),
    onTrouble: (thrown, requestId) => log.error({ err: thrown, requestId }, 'a request broke'),
    extend(app) {
      app.get('/', () => startPage(house, { publicUrl, hosts, publicHost }))
      app.get('/feeds/:tenant/:file', ({ req }) =>
        feedPage(house, req.param('tenant'), req.param('file')),
      )
      app.get('/artifacts/:tenant/:file', ({ req }) =>
        artifactPage(house.artifacts, req.param('tenant'), req.param('file')),
      )
    },
  })
}

// nothing of it runs: what a pack was told to draw may be anything
const ARTIFACT_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, max-age=3600',
}

async function artifactPage(artifacts: Artifacts, tenant: string, file: string): Promise<Response> {
  const found = await artifacts.find(tenant, file)
  if (found === undefined)
    return new Response('There is no such thing, or no longer.\n', { status: 404 })
  // the same bytes: TypeScript's BodyInit wants them over an ArrayBuffer that is not shared
  return new Response(new Uint8Array(found.bytes), {
    headers: { ...ARTIFACT_HEADERS, 'content-type': found.mediaType },
  })
}

function mcpDoor(
  { house, onCaller, strangers }: SharedParts,
  { publicUrl, hosts }: Addresses,
): McpHandler {
  const { runtime, identity, keys, stores, config } = house
  return mcpHandler({
    runtime,
    strangers,
    authenticate(token) {
      const known = (signedIn: SignedIn | undefined): Caller | undefined => {
        if (signedIn !== undefined) onCaller(signedIn.caller.tenant)
        return signedIn?.caller
      }
      const found = identity.authenticate(token)
      return found instanceof Promise ? found.then(known) : known(found)
    },
    options: {
      name: 'surehand',
      version: VERSION,
      mode: config.mcpMode,
      hosts,
      origins: [publicUrl, ...config.corsOrigins],
      resource: `${publicUrl}${MCP_PATH}`,
      ...(config.jwt === undefined ? {} : { authorizationServers: [config.jwt.issuer] }),
      approvalUrl: (id) => `${publicUrl}/approvals/${encodeURIComponent(id)}`,
      questionUrl: (id) => `${publicUrl}/questions/${encodeURIComponent(id)}`,
      audit: { head: (tenant) => latestHead(stores.database, tenant) },
      // the credential it came by: a tenant's policy names those whose host may relay a yes
      hostOf: ({ session }) => session,
      requestState: mcpState({ keys, stores }),
    },
  })
}

// pages know one origin, and refuse forms from any other: whoever came by another name is shown the way
function isPageElsewhere(request: IncomingMessage, { publicHost, hosts }: Addresses): boolean {
  const host = request.headers.host?.toLowerCase()
  if (
    request.method !== 'GET' ||
    host === undefined ||
    host === publicHost ||
    !hosts.includes(host)
  )
    return false
  return /^\/(?:approvals|questions|calls|sign-in|$)/.test(pathOf(request))
}

function sendHome(
  request: IncomingMessage,
  response: ServerResponse,
  { publicUrl }: Addresses,
): void {
  response
    .writeHead(302, { location: `${publicUrl}${pathOf(request)}`, 'cache-control': 'no-store' })
    .end()
}
