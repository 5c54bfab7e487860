import type { EffectLog } from './effect-log.ts'

/** A request as an emulated vendor receives it. Header names are in lower case. */
export type EmulatorRequest = {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body as it arrived, for uploads. */
  readonly bytes: Uint8Array
  readonly json: () => unknown
}

/** The response of a vendor. An `effect` is written to the log before the response is sent. */
export type EmulatorReply = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Strings and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
  readonly effect?: unknown
  /**
   * Keeps the response open after its head, for server-sent events. Returns what to do when the
   * client has gone.
   */
  readonly stream?: (write: (text: string) => void) => () => void
}

export type EmulatorRoute = {
  readonly method: string
  /** `/v1/charges/:id`: a segment with a colon is a parameter. */
  readonly path: string
  /**
   * Synchronous, so that no other request comes between looking up a key in the log and writing the
   * effect.
   */
  readonly handle: (request: EmulatorRequest, log: EffectLog) => EmulatorReply
}

export type RouteMatch = {
  readonly route: EmulatorRoute
  readonly params: Readonly<Record<string, string>>
}

/** The first route for this method and path. */
export function matchRoute(
  routes: readonly EmulatorRoute[],
  method: string,
  path: string,
): RouteMatch | undefined {
  for (const route of routes) {
    const params = route.method === method ? matchPath(route.path, path) : undefined
    if (params !== undefined) return { route, params }
  }
  return undefined
}

function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: [string, string][] = []
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    if (segment.startsWith(':') && value !== '')
      params.push([segment.slice(1), decodeURIComponent(value)])
    else if (segment !== value) return undefined
  }
  return Object.fromEntries(params)
}
