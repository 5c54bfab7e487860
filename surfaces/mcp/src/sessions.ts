import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { McpServer } from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'
import type { Clock } from '@surehand/core/ports'
import type { FastPathResponse } from '@surehand/edge'
import { type AuthenticatedMessage, openSdkSession, type SdkSession } from './sdk-session.ts'
import { isSameOwner, type Owner, openId, sealId } from './session-id.ts'
import {
  areSessionHeaders,
  createInitializeAnswers,
  eventResponse,
  type Initialize,
  type InitializeAnswers,
  isInitialize,
  isInitialized,
  readInitialize,
} from './session-opening.ts'

type Session = {
  readonly id: string
  readonly owner: Owner
  /** What the client has sent while the SDK's server was not open: the server is told it first. */
  missed: readonly object[]
  /** Opened by the first request that is not answered without it. */
  sdk: Promise<SdkSession> | undefined
}

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

/** Opening a session takes as long as several calls, and counts as so many further requests. */
export const SESSION_COST = 3

/** Resolves when a session may be opened for the client. */
export type OpeningTurn = () => Promise<void>

export type SessionExchange = {
  readonly request: AuthenticatedMessage
  readonly response: ServerResponse
  /** Undefined where the request has none. */
  readonly body: unknown
  readonly caller: Caller
  readonly turn: OpeningTurn
}

/** An answer that needs no server of the SDK. */
export type OwnAnswer = {
  readonly opensSession: boolean
  readonly respond: (turn: OpeningTurn) => Promise<FastPathResponse>
}

/**
 * The sessions of 2025 clients. A session id says all that a node must know to continue the session,
 * signed with the key that the nodes share, so any of them serves any session.
 *
 * Sessions are opened without the SDK, whose server takes longer to open than a call takes: it is
 * opened for the first request that it must serve, and told then what the client has sent before.
 */
export class Sessions {
  readonly #options: SessionOptions
  readonly #key: string
  readonly #answers: InitializeAnswers
  // In the order of last use: the first entry is the least recently used session.
  readonly #sessions = new Map<string, Session>()
  readonly #ended = new Set<string>()

  constructor(options: SessionOptions) {
    this.#options = options
    this.#key = options.key ?? randomBytes(32).toString('base64url')
    this.#answers = createInitializeAnswers(options.openServer)
  }

  async serve({ request, response, body, caller, turn }: SessionExchange): Promise<void> {
    const { headers } = request
    const own = this.findAnswer(body, { headers, caller })
    if (own !== undefined) return send(response, await own.respond(turn))
    const sent = headers['mcp-session-id']
    const session =
      sent === undefined ? this.#create(body, caller) : this.#find(String(sent), caller)
    if (session === undefined) return refuse(response, sent === undefined ? 400 : 404)
    this.#keep(session)
    const sdk = await this.#openSdk(session, turn)
    // A client that has left meanwhile does not want its call made.
    if (!response.destroyed) await sdk.serve(request, response, body)
  }

  /** The answer to a message that needs no server of the SDK; undefined for all others. */
  findAnswer(
    message: unknown,
    { headers, caller }: Pick<SessionExchange, 'caller'> & Pick<IncomingMessage, 'headers'>,
  ): OwnAnswer | undefined {
    if (!areSessionHeaders(headers)) return undefined
    const sent = headers['mcp-session-id']
    if (sent === undefined) {
      const opening = readInitialize(message)
      if (opening === undefined) return undefined
      return { opensSession: true, respond: (turn) => this.#initialize(opening, caller, turn) }
    }
    const session = isInitialized(message) ? this.#find(String(sent), caller) : undefined
    if (session === undefined || session.sdk !== undefined) return undefined
    return { opensSession: false, respond: () => this.#accept(session, message) }
  }

  toolsChanged(): void {
    this.#answers.forget()
    for (const { sdk } of this.#sessions.values())
      sdk?.then(({ server }) => server.sendToolListChanged(), ignore)
  }

  promptsChanged(): void {
    this.#answers.forget()
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()]
    this.#sessions.clear()
    await Promise.all(sessions.map(closeSdk))
  }

  async #initialize(
    message: Initialize,
    caller: Caller,
    turn: OpeningTurn,
  ): Promise<FastPathResponse> {
    await turn()
    const text = await this.#answers.write(message)
    const session = this.#sessionOf(message.params, caller, [message])
    this.#keep(session)
    return eventResponse(session.id, text)
  }

  async #accept(session: Session, message: unknown): Promise<FastPathResponse> {
    this.#keep(session)
    const [opening] = session.missed
    // Once is enough, however often the client says it.
    if (opening !== undefined) session.missed = [opening, message as object]
    return { status: 202, headers: { 'content-length': '0' }, text: '' }
  }

  /** A session for an `initialize` that the SDK answers itself. */
  #create(message: unknown, caller: Caller): Session | undefined {
    return isInitialize(message) ? this.#sessionOf(message.params, caller, []) : undefined
  }

  #sessionOf(
    params: Initialize['params'],
    { tenant, principal }: Caller,
    missed: readonly object[],
  ): Session {
    const owner = { tenant, principal }
    const id = sealId(params, { owner, key: this.#key, clock: this.#options.clock })
    return { id, owner, missed, sdk: undefined }
  }

  #find(id: string, { tenant, principal }: Caller): Session | undefined {
    const owner = { tenant, principal }
    const known = this.#sessions.get(id)
    // A session id is not a credential: for another principal the session does not exist.
    if (known !== undefined) return isSameOwner(known.owner, owner) ? known : undefined
    const opening = this.#ended.has(id)
      ? undefined
      : openId(id, { owner, key: this.#key, clock: this.#options.clock })
    if (opening === undefined) return undefined
    // A session that another process opened, or that was closed here to make room.
    const params = {
      protocolVersion: opening.protocol,
      capabilities: opening.capabilities,
      clientInfo: opening.client,
    }
    return { id, owner, missed: [{ ...OPENING, params }, INITIALIZED], sdk: undefined }
  }

  #openSdk(session: Session, turn: OpeningTurn): Promise<SdkSession> {
    session.sdk ??= this.#connect(session, turn).catch((thrown: unknown) => {
      session.sdk = undefined
      throw thrown
    })
    return session.sdk
  }

  async #connect(session: Session, turn: OpeningTurn): Promise<SdkSession> {
    const { id } = session
    await turn()
    const sdk = await openSdkSession(this.#options.openServer(), {
      id,
      onEnded: () => {
        this.#sessions.delete(id)
        remember(this.#ended, id)
      },
    })
    for (const message of session.missed) await sdk.deliver(message)
    session.missed = []
    return sdk
  }

  #keep(session: Session): void {
    const isNew = !this.#sessions.delete(session.id)
    this.#sessions.set(session.id, session)
    if (!isNew) return
    const { perPrincipal, perTenant, total } = this.#options.limits
    this.#closeOldest(perPrincipal, ({ owner }) => isSameOwner(owner, session.owner))
    this.#closeOldest(perTenant, ({ owner }) => owner.tenant === session.owner.tenant)
    this.#closeOldest(total, () => true)
  }

  #closeOldest(most: number, isCounted: (session: Session) => boolean): void {
    let excess = -most
    for (const session of this.#sessions.values()) if (isCounted(session)) excess++
    for (const session of this.#sessions.values()) {
      if (excess <= 0) return
      if (!isCounted(session)) continue
      excess--
      this.#sessions.delete(session.id)
      void closeSdk(session)
    }
  }
}

const OPENING = { jsonrpc: '2.0', id: 0, method: 'initialize' }
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }
const MOST_ENDED = 10_000

function remember(ended: Set<string>, id: string): void {
  ended.add(id)
  const [oldest] = ended
  if (ended.size > MOST_ENDED && oldest !== undefined) ended.delete(oldest)
}

async function closeSdk({ sdk }: Session): Promise<void> {
  await sdk?.then(({ server }) => server.close(), ignore)
}

function ignore(): void {
  // The request for which the SDK's server was opened reports that it could not be.
}

function refuse(response: ServerResponse, status: 400 | 404): void {
  const message =
    status === 404
      ? 'There is no such session. Send initialize again.'
      : 'Send initialize first to open a session.'
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }))
}

function send(response: ServerResponse, { status, headers, text }: FastPathResponse): void {
  if (!response.destroyed) response.writeHead(status, headers).end(text)
}
