import { Buffer } from 'node:buffer'
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  type AuthInfo,
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'
import { isRecord, sha256 } from '@surehand/core/internal'
import type { Clock } from '@surehand/core/ports'
import { z } from 'zod'

export type AuthenticatedMessage = IncomingMessage & { auth?: AuthInfo }

type Session = {
  readonly server: McpServer
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly serve: (
    request: AuthenticatedMessage,
    response: ServerResponse,
    body: unknown,
  ) => Promise<void>
  readonly owner: Owner
}

function serveThrough(transport: WebStandardStreamableHTTPServerTransport): Session['serve'] {
  return (request, response, body) => {
    const handle = toNodeHandler({
      fetch: (received, options) =>
        transport.handleRequest(
          received,
          body === undefined ? options : { ...options, parsedBody: body },
        ),
      // The cast is safe: the adapter only declares less of a request than Node does.
    }) as Session['serve']
    return handle(request, response, body === undefined ? undefined : withoutParams(body))
  }
}

// The adapter writes the body as text again, which nothing reads: of a megabyte, this takes 10 ms.
function withoutParams(body: unknown): unknown {
  if (!isRecord(body)) return {}
  const { method, id } = body
  return { method, id }
}

type Owner = { readonly tenant: string; readonly principal: string }

/** How many sessions are kept open in this process: of one principal, of one tenant, and of all. */
export type SessionLimits = {
  readonly perPrincipal: number
  readonly perTenant: number
  readonly total: number
}

export type SessionOptions = {
  readonly openServer: () => McpServer
  readonly limits: SessionLimits
  /** Shared by the nodes. Without it, only the process that opened a session continues it. */
  readonly key: string | undefined
  readonly clock: Pick<Clock, 'now'>
}

/**
 * The sessions of 2025 clients. A session id says all that a node must know to continue the session,
 * signed with the key that the nodes share, so any of them serves any session.
 */
export class Sessions {
  readonly #options: SessionOptions
  readonly #key: string
  // In the order of last use: the first entry is the least recently used session.
  readonly #sessions = new Map<string, Session>()
  // Sessions that are being continued: requests of one client come together.
  readonly #continuing = new Map<string, Promise<Session>>()
  readonly #ended = new Set<string>()

  constructor(options: SessionOptions) {
    this.#options = options
    this.#key = options.key ?? randomBytes(32).toString('base64url')
  }

  async serve(
    request: AuthenticatedMessage,
    response: ServerResponse,
    caller: Caller,
    body: unknown,
  ): Promise<void> {
    const sent = request.headers['mcp-session-id']
    const owner = { tenant: caller.tenant, principal: caller.principal }
    const isOpening = sent === undefined && isInitializeRequest(body)
    const id = isOpening ? sealId(body.params, owner, this.#key, this.#options.clock) : String(sent)
    const session = isOpening ? await this.#open(owner, id) : await this.#find(id, owner)
    if (session === undefined) return refuse(response, sent === undefined ? 400 : 404)
    this.#keep(id, session)
    await session.serve(request, response, body)
  }

  toolsChanged(): void {
    for (const { server } of this.#sessions.values()) server.sendToolListChanged()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close()))
    this.#sessions.clear()
  }

  async #open(owner: Owner, id: string): Promise<Session> {
    const server = this.#options.openServer()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => {
        this.#sessions.delete(id)
        remember(this.#ended, id)
      },
    })
    await server.connect(transport)
    return { server, transport, serve: serveThrough(transport), owner }
  }

  async #find(id: string, owner: Owner): Promise<Session | undefined> {
    const known = this.#sessions.get(id)
    // A session id is not a credential: for another principal the session does not exist.
    if (known !== undefined) return isSameOwner(known.owner, owner) ? known : undefined
    const opening = this.#ended.has(id)
      ? undefined
      : openId(id, owner, this.#key, this.#options.clock)
    if (opening === undefined) return undefined
    const continued = this.#continuing.get(id) ?? this.#continue(id, owner, opening)
    this.#continuing.set(id, continued)
    return continued.finally(() => this.#continuing.delete(id))
  }

  /** A session that another process opened, or that was closed here to make room. */
  async #continue(id: string, owner: Owner, opening: Opening): Promise<Session> {
    const session = await this.#open(owner, id)
    const params = {
      protocolVersion: opening.protocol,
      capabilities: opening.capabilities,
      clientInfo: opening.client,
    }
    await deliver(session, id, { id: 0, method: 'initialize', params })
    await deliver(session, id, { method: 'notifications/initialized' })
    return session
  }

  #keep(id: string, session: Session): void {
    const isNew = !this.#sessions.delete(id)
    this.#sessions.set(id, session)
    if (!isNew) return
    const { perPrincipal, perTenant, total } = this.#options.limits
    this.#closeOldest(perPrincipal, ({ owner }) => isSameOwner(owner, session.owner))
    this.#closeOldest(perTenant, ({ owner }) => owner.tenant === session.owner.tenant)
    this.#closeOldest(total, () => true)
  }

  #closeOldest(most: number, isCounted: (session: Session) => boolean): void {
    const counted = [...this.#sessions].filter(([, session]) => isCounted(session))
    for (const [id, { server }] of counted.slice(0, Math.max(0, counted.length - most))) {
      this.#sessions.delete(id)
      void server.close()
    }
  }
}

const Opening = z.object({
  owner: z.string(),
  at: z.number(),
  nonce: z.string(),
  protocol: z.string(),
  client: z.object({ name: z.string(), version: z.string() }),
  capabilities: z.record(z.string(), z.unknown()),
})
type Opening = z.infer<typeof Opening>

const VALID_MS = 30 * 86_400_000
// Capabilities beyond this would make the header larger than proxies accept.
const MAX_CAPABILITIES = 2_000
const MAX_NAME = 64

function sealId(
  params: { readonly [name: string]: unknown },
  owner: Owner,
  key: string,
  clock: Pick<Clock, 'now'>,
): string {
  const { capabilities, clientInfo, protocolVersion } = params as {
    readonly capabilities?: Readonly<Record<string, unknown>>
    readonly clientInfo?: { readonly name?: unknown; readonly version?: unknown }
    readonly protocolVersion?: unknown
  }
  const opening: Opening = {
    owner: digestOf(owner),
    at: clock.now(),
    nonce: randomUUID(),
    protocol: String(protocolVersion).slice(0, MAX_NAME),
    client: {
      name: String(clientInfo?.name).slice(0, MAX_NAME),
      version: String(clientInfo?.version).slice(0, MAX_NAME),
    },
    capabilities: shorten(capabilities ?? {}),
  }
  const body = Buffer.from(JSON.stringify(opening)).toString('base64url')
  return `${body}.${macOf(body, key)}`
}

/** What a session id says; undefined when it is forged, too old, or of another principal. */
function openId(
  id: string,
  owner: Owner,
  key: string,
  clock: Pick<Clock, 'now'>,
): Opening | undefined {
  const [body = '', mac = '', ...rest] = id.split('.')
  if (rest.length > 0 || !isSame(mac, macOf(body, key))) return undefined
  const opening = Opening.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  const isOwn = opening.owner === digestOf(owner)
  return isOwn && clock.now() - opening.at < VALID_MS ? opening : undefined
}

// A client whose capabilities do not fit is not asked in the middle of a call.
function shorten(capabilities: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.stringify(capabilities).length > MAX_CAPABILITIES ? {} : { ...capabilities }
}

function digestOf({ tenant, principal }: Owner): string {
  return sha256(JSON.stringify([tenant, principal])).slice(0, 32)
}

function isSameOwner(left: Owner, right: Owner): boolean {
  return left.tenant === right.tenant && left.principal === right.principal
}

function macOf(body: string, key: string): string {
  return createHmac('sha256', key).update(`mcp-session:${body}`).digest('base64url')
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const MOST_ENDED = 10_000

function remember(ended: Set<string>, id: string): void {
  ended.add(id)
  const [oldest] = ended
  if (ended.size > MOST_ENDED && oldest !== undefined) ended.delete(oldest)
}

/** Hands a message to a session as its client did when it opened it. */
async function deliver({ transport }: Session, id: string, message: object): Promise<void> {
  const isOpening = 'id' in message
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(isOpening ? {} : { 'mcp-session-id': id }),
  }
  const request = new Request('http://127.0.0.1/', { method: 'POST', headers })
  const answer = await transport.handleRequest(request, {
    parsedBody: { jsonrpc: '2.0', ...message },
  })
  // The answer was given to the client long ago; reading it to its end frees the stream.
  await answer.text()
}

function refuse(response: ServerResponse, status: 400 | 404): void {
  const message =
    status === 404
      ? 'There is no such session. Send initialize again.'
      : 'Send initialize first to open a session.'
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }))
}
