/** What the HTTP door is opened for. */
export type McpHttpOptions = {
  /** Host headers, exactly and with their ports: `127.0.0.1:4114`. */
  readonly hosts: readonly string[]
  /** Origins of pages that may call, exactly: `https://console.example.com`. A request without an Origin comes from no page. */
  readonly origins?: readonly string[]
  /** The endpoint's own address, as tokens name it: `https://tools.example.com/mcp`. */
  readonly resource: string
  /** Who hands out tokens for it. */
  readonly authorizationServers?: readonly string[]
  readonly scopes?: readonly string[]
  /** Without it, what the largest input of any tool needs. */
  readonly maxBodyBytes?: number
  /** How long a body may take to arrive. */
  readonly bodyTimeoutMs?: number
  /** How many 2025 sessions are kept; the one that was silent longest goes first. */
  readonly maxSessions?: number
}

export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Where the metadata is found: RFC 9728 puts the well-known part before the resource's own path. */
export function metadataUrl({ resource }: McpHttpOptions): URL {
  const { origin, pathname, search } = new URL(resource)
  return new URL(`${origin}${METADATA_PATH}${pathname === '/' ? '' : pathname}${search}`)
}

/** RFC 9728: what a client must know to get a token. Lists without an entry are left out, as it demands. */
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

/** The way to the metadata, for whoever came without a token that holds. */
export function challenge(options: McpHttpOptions, token: string | undefined): string {
  const { scopes = [] } = options
  return [
    `Bearer resource_metadata="${metadataUrl(options).href}"`,
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    ...(token === undefined ? [] : ['error="invalid_token"']),
  ].join(', ')
}
