import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import type { App } from '../app.ts'
import type { Metrics } from './metrics.ts'

const PATIENCE_MS = 2_000

export type Health = {
  /**
   * Answers health and metrics paths under the given Host headers, and under the address that the
   * request came to, as probes send it; false where the path is another.
   */
  readonly serve: (
    request: IncomingMessage,
    response: ServerResponse,
    hosts: readonly string[],
  ) => boolean
  /** From now on `/readyz` fails: no new requests should be sent here. */
  readonly drain: () => void
}

/**
 * Liveness, readiness and metrics for monitoring. They need no credentials and reveal nothing that
 * would.
 */
export function createHealth(app: App, metrics: Metrics): Health {
  let isDraining = false

  async function ready(response: ServerResponse): Promise<void> {
    const store = await isStoreReachable(app)
    const isReady = store && !isDraining
    answer(response, isReady ? 200 : 503, {
      ready: isReady,
      store: store ? 'ok' : 'unreachable',
      draining: isDraining,
    })
  }

  return {
    serve(request, response, hosts) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      if (!PATHS.has(request.url ?? '')) return false
      // A page of another site whose name leads here (DNS rebinding) sends that name.
      if (!isServedHost(request, hosts)) {
        answer(response, 421, { error: 'This host is not served here.' })
        return true
      }
      switch (request.url) {
        case '/healthz':
          answer(response, 200, { alive: true })
          return true
        case '/readyz':
          void ready(response)
          return true
        case '/metrics':
          if (mayRead(request, app))
            response
              .writeHead(200, { 'content-type': 'text/plain; version=0.0.4' })
              .end(metrics.text())
          else
            answer(response, 401, {
              error: 'Send the metrics token (the setting metricsToken) as a bearer token.',
            })
          return true
        default:
          return false
      }
    },
    drain() {
      isDraining = true
    },
  }
}

const PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

function isServedHost({ headers, socket }: IncomingMessage, hosts: readonly string[]): boolean {
  const host = headers.host?.toLowerCase() ?? ''
  if (hosts.includes(host)) return true
  const address = (socket.localAddress ?? '').replace('::ffff:', '')
  const literal = isIPv6(address) ? `[${address}]` : address
  return host === literal || host === `${literal}:${socket.localPort}`
}

async function isStoreReachable({ stores, config }: App): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS)
  })
  const looked = Promise.resolve(stores.admin.version(config.home)).then(
    () => true,
    () => false,
  )
  return Promise.race([looked, late]).finally(() => clearTimeout(timer))
}

// Without a token, only requests from this machine that came through no proxy.
function mayRead(request: IncomingMessage, { config: { metricsToken } }: App): boolean {
  if (metricsToken !== undefined) return request.headers.authorization === `Bearer ${metricsToken}`
  const address = request.socket.remoteAddress ?? ''
  const isHere =
    address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')
  return (
    isHere &&
    request.headers['x-forwarded-for'] === undefined &&
    request.headers.forwarded === undefined
  )
}

function answer(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(status === 503 ? { 'retry-after': '2' } : {}),
    })
    .end(JSON.stringify(body))
}
