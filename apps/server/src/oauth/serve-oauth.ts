import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { isToolError, type ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { Clock, LimitStore } from '@surehand/core/ports'
import {
  type AllowedSites,
  checkHeaders,
  type Edge,
  edgeError,
  fromNode,
  httpStatusOf,
  readBody,
  retryAfterSeconds,
} from '@surehand/edge'
import { html, type NodeHandler, page } from '@surehand/http'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { readClientMetadata } from './client-metadata.ts'
import { EVERY_TOOL, PATHS } from './provider.ts'

export type OAuthLimits = {
  readonly store: LimitStore
  /** In an hour. */
  readonly registrationsPerAddress: number
  /** In a day. */
  readonly registrationsInAll: number
}

export type OAuthHandlerOptions = {
  /** The library's listener. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => unknown
  readonly publicUrl: string
  readonly sites: AllowedSites
  readonly scopes: () => readonly string[]
  readonly limits: OAuthLimits
  readonly edge: Edge
  readonly clock: Clock
  readonly onError: (thrown: unknown) => void
}

const MAX_BODY_BYTES = 16_384
const MAX_QUERY_LENGTH = 8_192
const BODY_TIMEOUT_MS = 10_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
// Each request stores something for ten minutes at most; one address needs a few of them.
const REQUESTS_PER_ADDRESS = 60
const REQUESTS_IN_ALL = 5_000
const TOKENS_PER_ADDRESS = 600
const FETCHES_IN_ALL = 300

/** Answers the paths of the authorization server, behind the same checks as the other surfaces. */
export function createOAuthHandler(options: OAuthHandlerOptions): NodeHandler {
  return (request, response) => {
    serveOAuth(request, response, options).catch((thrown: unknown) => {
      if (!isToolError(thrown)) options.onError(thrown)
      refuse(request, response, thrown)
    })
  }
}

async function serveOAuth(
  request: IncomingMessage,
  response: ServerResponse,
  options: OAuthHandlerOptions,
): Promise<void> {
  const received = fromNode(request, options.edge)
  checkHeaders(received, options.sites)
  const { pathname, search } = new URL(request.url ?? '/', options.publicUrl)
  const address = options.edge.addressOf(received)
  const { limits } = options
  const asked = `${request.method} ${pathname}`
  if (asked === `GET ${PATHS.authorize}`) {
    if (search.length > MAX_QUERY_LENGTH)
      throw edgeError('malformed', 'The address of this request is too long.')
    await take(limits, 'requests', [
      [address, REQUESTS_PER_ADDRESS, 10 * MINUTE_MS],
      ['', REQUESTS_IN_ALL, 10 * MINUTE_MS],
    ])
    return forward(options, request, response, { query: completeQuery(search, options.scopes()) })
  }
  if (request.method !== 'POST') return forward(options, request, response, { query: search })
  const given = await readBody(received, {
    maxBytes: MAX_BODY_BYTES,
    timeoutMs: BODY_TIMEOUT_MS,
    clock: options.clock,
  })
  if (pathname !== PATHS.register) {
    await take(limits, 'tokens', [[address, TOKENS_PER_ADDRESS, 10 * MINUTE_MS]])
    return forward(options, request, response, { query: search, body: given })
  }
  const read = readClientMetadata(parseJson(given))
  if ('problem' in read) return sendJson(response, 400, read.problem)
  await take(limits, 'registrations', [
    [address, limits.registrationsPerAddress, HOUR_MS],
    ['', limits.registrationsInAll, DAY_MS],
  ])
  return forward(options, request, response, {
    query: '',
    body: Buffer.from(JSON.stringify(read.metadata)),
  })
}

/**
 * A client may ask for scopes of OpenID, or for none: then it is asked to use every tool that the
 * person lets agents use. A person is asked in any case, so other prompts add nothing.
 */
function completeQuery(search: string, known: readonly string[]): string {
  const query = new URLSearchParams(search)
  const scopes = (query.get('scope') ?? '').split(' ').filter((name) => known.includes(name))
  query.set('scope', scopes.length === 0 ? EVERY_TOOL : scopes.join(' '))
  if (query.get('prompt') !== 'none') query.delete('prompt')
  // The answer is in the query of the redirect, as the metadata says.
  query.delete('response_mode')
  return `?${query}`
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

type Forwarded = { readonly query: string; readonly body?: Buffer }

/** Hands a request to the library, with what was read and checked of it and nothing else. */
function forward(
  { serve, publicUrl }: OAuthHandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  { query, body }: Forwarded,
): void {
  const { protocol, host } = new URL(publicUrl)
  const { pathname } = new URL(request.url ?? '/', publicUrl)
  const { accept, origin, cookie, 'content-type': type, ...other } = request.headers
  const headers = {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(accept === undefined ? {} : { accept }),
    ...(origin === undefined ? {} : { origin }),
    // Of an earlier request, the library's session must not be taken for the person's.
    ...(cookie === undefined ? {} : { cookie: keepResumeCookies(cookie) }),
    ...(other.authorization === undefined ? {} : { authorization: other.authorization }),
    ...(body === undefined
      ? {}
      : { 'content-type': type, 'content-length': String(body.byteLength) }),
    ...corsPreflight(other),
  }
  const { method, socket, httpVersion } = request
  const url = `${pathname}${query}`
  const stream = Readable.from(body === undefined ? [] : [body])
  // The library reads these members of a request, and its body as a stream.
  serve(Object.assign(stream, { method, url, headers, socket, httpVersion }) as never, response)
}

function corsPreflight(headers: IncomingMessage['headers']): Record<string, string> {
  const names = ['access-control-request-method', 'access-control-request-headers'] as const
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

function keepResumeCookies(cookies: string): string {
  return cookies
    .split(';')
    .filter((pair) => pair.trim().startsWith('surehand_oauth_resume'))
    .join(';')
}

type Rule = readonly [who: string, max: number, windowMs: number]

async function take({ store }: OAuthLimits, what: string, rules: readonly Rule[]): Promise<void> {
  const taken = await store.take(
    rules.map(([who, max, windowMs]) => ({ key: `oauth-${what}:${who}`, max, windowMs })),
  )
  if (!taken.ok)
    throw edgeError('too_many_requests', 'Too many requests of this kind. Wait before you go on.', {
      retry_after_ms: taken.retryAfterMs ?? MINUTE_MS,
    })
}

/** Whether another description of a client may be fetched now. */
export async function takeFetch({ store }: OAuthLimits): Promise<boolean> {
  const bucket = { key: 'oauth-fetches:', max: FETCHES_IN_ALL, windowMs: 10 * MINUTE_MS }
  return (await store.take([bucket])).ok
}

function refuse(request: IncomingMessage, response: ServerResponse, thrown: unknown): void {
  if (response.headersSent) {
    response.end()
    return
  }
  const error: ToolError | undefined = isToolError(thrown) ? thrown : undefined
  const status = error === undefined ? 500 : httpStatusOf(error)
  const message = error?.message ?? 'Something unexpected failed on the server. Try again later.'
  const seconds = error === undefined ? undefined : retryAfterSeconds(error)
  if (seconds !== undefined) response.setHeader('retry-after', String(seconds))
  if (status === 408 || status === 413) response.setHeader('connection', 'close')
  if (request.method === 'GET' && request.url?.startsWith(PATHS.authorize))
    void sendPage(response, problemPage(message, status))
  else
    sendJson(response, status, {
      error: status === 429 || status >= 500 ? 'temporarily_unavailable' : 'invalid_request',
      error_description: message,
    })
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body))
}

async function sendPage(response: ServerResponse, shown: Response): Promise<void> {
  response.writeHead(shown.status, Object.fromEntries(shown.headers)).end(await shown.text())
}

function problemPage(message: string, status: number): Response {
  const body = html`<main><h1>The client cannot be connected</h1><p class="danger" role="alert">${visibleText(message)}</p><p>Nothing was allowed. Remove this server from the client, then add it again.</p></main>`
  return page(body, { title: 'Not connected', status })
}

/** Shows what is wrong with a request that must not be sent back to the client. */
export async function errorPage(context: KoaContextWithOIDC, out: ErrorOut): Promise<void> {
  const shown = problemPage(`${out.error_description ?? out.error}.`, context.status)
  for (const [name, value] of shown.headers) context.set(name, value)
  context.body = await shown.text()
}
