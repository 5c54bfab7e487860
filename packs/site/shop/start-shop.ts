import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { BOOKING_ROUTES } from './api/booking-routes.ts'
import { CART_ROUTES } from './api/cart-routes.ts'
import { CATALOG_ROUTES } from './api/catalog-routes.ts'
import { ORDER_ROUTES } from './api/order-routes.ts'
import { ASSET_ROUTES } from './assets/asset-routes.ts'
import { DISCOVERY_ROUTES } from './discovery/discovery-routes.ts'
import { GRAPHQL_ROUTES } from './graphql/graphql-routes.ts'
import { PAGE_ROUTES } from './pages/page-routes.ts'
import { Refusal } from './refusal.ts'
import { fillShelves } from './selling/stock.ts'
import type { Shop, ShopSettings } from './shop.ts'
import { openStore } from './store/open-store.ts'
import { html } from './web/html.ts'
import { problem } from './web/respond.ts'
import { createRouter, type Match, type Route } from './web/route.ts'
import { readVisitor, sessionCookie } from './web/visitor.ts'

export const ROUTES: readonly Route[] = [
  ...PAGE_ROUTES,
  ...CATALOG_ROUTES,
  ...CART_ROUTES,
  ...ORDER_ROUTES,
  ...BOOKING_ROUTES,
  ...GRAPHQL_ROUTES,
  ...DISCOVERY_ROUTES,
  ...ASSET_ROUTES,
]

export type ShopOptions = Partial<ShopSettings> & {
  /** 0 chooses a free port. */
  readonly port: number
  /** Where the database is; `:memory:` stores nothing. */
  readonly folder: string
  readonly now: () => number
  readonly newId: (prefix: string) => string
  /** Where visitors reach the shop, if not at 127.0.0.1. */
  readonly publicUrl?: string
  /** Receives what is a bug of the shop; visitors see a code only. */
  readonly onError?: (thrown: unknown) => void
}

export type RunningShop = {
  readonly url: string
  readonly port: number
  /** Puts a script on every page from now on. */
  readonly embed: (script: NonNullable<ShopSettings['embed']>) => void
  readonly stop: () => Promise<void>
}

/** Starts the shop on 127.0.0.1. */
export async function startShop(options: ShopOptions): Promise<RunningShop> {
  const { port, folder, now, newId, publicUrl, onError = () => {} } = options
  const store = openStore(folder)
  fillShelves(store)
  store.run(
    "insert into secrets (name, value) values ('csrf', ?) on conflict do nothing",
    newId('secret'),
  )
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      onError(thrown)
      response.destroy()
    })
  })
  server.once('error', reject)
  server.listen(port, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const url = publicUrl ?? `http://127.0.0.1:${bound}`
  let settings = settingsOf(options)
  const shop: Shop = {
    ...{ store, now, newId, origin: url },
    get settings() {
      return settings
    },
  }
  answer = createAnswer(shop, onError)
  return {
    url,
    port: bound,
    embed(script) {
      settings = { ...settings, embed: script }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      store.close()
    },
  }
}

function settingsOf(options: ShopOptions): ShopSettings {
  const { returnOrigins = [], embed, ownerKey, requestsPerMinute = 60_000 } = options
  return {
    returnOrigins,
    requestsPerMinute,
    ...(embed !== undefined && { embed }),
    ...(ownerKey !== undefined && { ownerKey }),
  }
}

function createAnswer(shop: Shop, onError: (thrown: unknown) => void) {
  const findRoute = createRouter(ROUTES)
  const requireCapacity = createRequestLimit(shop)
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? '/', shop.origin)
    const isApi = url.pathname.startsWith('/api/') || url.pathname === '/graphql'
    let response: Response
    try {
      requireCapacity(incoming.socket.remoteAddress ?? '')
      const match = findRoute(incoming.method ?? 'GET', url.pathname)
      response = await answerRoute(shop, match, await readRequest(incoming, url))
    } catch (thrown) {
      response = answerRefusal(shop, thrown, isApi)
      if (!(thrown instanceof Refusal)) onError(thrown)
    }
    await sendResponse(outgoing, withSecurityHeaders(shop, response), incoming.method ?? 'GET')
  }
}

async function answerRoute(shop: Shop, { route, params }: Match, request: Request) {
  const visitor = readVisitor(shop, request)
  const url = new URL(request.url)
  const response = await route.handle({ shop, request, url, params, visitor })
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
  if (visitor.isNew && isPage)
    response.headers.append('set-cookie', sessionCookie(shop, visitor.session))
  return response
}

function answerRefusal(shop: Shop, thrown: unknown, isApi: boolean): Response {
  if (thrown instanceof Refusal) return isApi ? problem(thrown) : refusalPage(shop, thrown)
  return new Response('The shop has a problem. Try again in a minute.\n', {
    status: 500,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}

const MINUTE_MS = 60_000
const MAX_ADDRESSES = 10_000

/** Counts the requests of each address in fixed minutes. */
function createRequestLimit({ now, settings }: Shop): (address: string) => void {
  const counts = new Map<string, number>()
  let minute = 0
  return (address) => {
    const current = Math.floor(now() / MINUTE_MS)
    if (current !== minute || counts.size > MAX_ADDRESSES) {
      counts.clear()
      minute = current
    }
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    if (count > settings.requestsPerMinute)
      throw new Refusal('too_many_requests', 'Too many requests from this address. Wait a minute.')
  }
}

/** The page for what cannot be done. It is small: the request may not even have a visitor. */
function refusalPage({ origin }: Shop, { status, title, message }: Refusal): Response {
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Thorn &amp; Thimble</title><meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/assets/shop.css"></head>
<body class="refusal"><main id="main"><p class="eyebrow">${status}</p><h1>${title}</h1><p class="lead">${message}</p>
<p><a class="button" href="${origin}/" data-action="nav.home">To the front page</a> <a class="button quiet" href="/cart" data-action="cart.open">To the cart</a></p></main></body></html>
`
  return new Response(markup, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}

const MAX_BODY_BYTES = 2 * 1024 * 1024

/** The web's request for one of node:http; its body has arrived whole. */
export async function readRequest(incoming: IncomingMessage, url: URL): Promise<Request> {
  const method = incoming.method ?? 'GET'
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers })
  const body = await readBytes(incoming)
  return new Request(url, { method, headers, body: body.length === 0 ? null : body })
}

async function readBytes(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES)
      throw new Refusal('too_large', 'A request may have 2 MB. Send a smaller file.')
    chunks.push(chunk)
  }
  return Uint8Array.from(Buffer.concat(chunks))
}

export async function sendResponse(
  outgoing: ServerResponse,
  response: Response,
  method: string,
): Promise<void> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.writeHead(response.status, { ...headers, 'content-length': body.length })
  outgoing.end(method === 'HEAD' ? undefined : body)
}

/**
 * A policy without inline scripts or styles. Return addresses are allowed in form-action, because
 * browsers apply it to the redirect after a payment, too.
 */
export function contentSecurityPolicy({ settings }: Shop): string {
  const { embed, returnOrigins } = settings
  const embedOrigin = embed === undefined ? '' : ` ${new URL(embed.script).origin}`
  return [
    "default-src 'none'",
    `script-src 'self' 'inline-speculation-rules'${embedOrigin}`,
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${embedOrigin}`,
    `frame-src 'self'${embedOrigin}`,
    `form-action ${["'self'", ...returnOrigins].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function withSecurityHeaders(shop: Shop, response: Response): Response {
  const { headers } = response
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'same-origin')
  if (headers.get('content-type')?.startsWith('text/html') === true) {
    headers.set('content-security-policy', contentSecurityPolicy(shop))
    headers.set('cache-control', 'no-store')
    headers.set('cross-origin-opener-policy', 'same-origin')
  }
  return response
}
