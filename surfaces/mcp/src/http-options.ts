import type { SessionLimits } from './sessions.ts'

/** Options of MCP over HTTP. */
export type McpHttpOptions = {
  /** Host headers that are served, with their ports: `127.0.0.1:4114`. */
  readonly hosts: readonly string[]
  /**
   * Origins whose pages may call, exactly: `https://console.example.com`. Requests without an
   * Origin header do not come from a page.
   */
  readonly origins?: readonly string[]
  /**
   * The URL of the endpoint, which is also its resource identifier in OAuth:
   * `https://tools.example.com/mcp`.
   */
  readonly resource: string
  /** The authorization servers that issue tokens for it. */
  readonly authorizationServers?: readonly string[]
  readonly scopes?: readonly string[]
  /** A limit for every message. Default: each message may be as large as its tool's input. */
  readonly maxBodyBytes?: number
  /**
   * How large a message may be that does not name its tool in the header `Mcp-Name`, as those of
   * 2025 clients. Default: 2 MB.
   */
  readonly maxUnnamedBytes?: number
  /** How long a body may take to arrive. Default: 10 s. */
  readonly bodyTimeoutMs?: number
  /**
   * How many sessions of 2025 clients are kept open; the least recently used one is closed first,
   * and opened again when its client comes back. Default: 100 of a principal, 500 of a tenant, 1,000
   * of all.
   */
  readonly sessions?: Partial<SessionLimits>
}

export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The URL of the metadata: RFC 9728 puts the well-known part before the path of the resource. */
export function metadataUrl({ resource }: McpHttpOptions): URL {
  const { origin, pathname, search } = new URL(resource)
  return new URL(`${origin}${METADATA_PATH}${pathname === '/' ? '' : pathname}${search}`)
}

/**
 * RFC 9728: what a client must know to get a token. Empty lists are left out, as the RFC demands.
 */
export function resourceMetadata({
  resource,
  authorizationServers = [],
  scopes = [],
}: McpHttpOptions): Readonly<Record<string, unknown>> {
  return {
    resource,
    ...(authorizationServers.length === 0 ? {} : { authorization_servers: authorizationServers }),
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  }
}

/** The WWW-Authenticate header for a request without a valid token: where the metadata is. */
export function challenge(options: McpHttpOptions, token: string | undefined): string {
  const { scopes = [] } = options
  return [
    `Bearer resource_metadata="${metadataUrl(options).href}"`,
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    ...(token === undefined ? [] : ['error="invalid_token"']),
  ].join(', ')
}
