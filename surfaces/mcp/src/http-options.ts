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
  readonly maxBodyBytes?: number
  /** How many 2025 sessions are kept; the one that was silent longest goes first. */
  readonly maxSessions?: number
}

export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** RFC 9728: what a client must know to get a token. */
export function resourceMetadata({ resource, authorizationServers = [], scopes }: McpHttpOptions): Readonly<Record<string, unknown>> {
  return {
    resource,
    authorization_servers: authorizationServers,
    ...(scopes === undefined ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  }
}

/** The way to the metadata, for whoever came without a token that holds. */
export function challenge({ resource }: McpHttpOptions, token: string | undefined): string {
  const { origin, pathname } = new URL(resource)
  const metadata = `${origin}${METADATA_PATH}${pathname === '/' ? '' : pathname}`
  return `Bearer resource_metadata="${metadata}"${token === undefined ? '' : ', error="invalid_token"'}`
}
