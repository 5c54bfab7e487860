import { createPrivateKey } from 'node:crypto'
import Provider, {
  type AdapterFactory,
  type Configuration,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider'

/** The paths of the authorization server. The consent page is one of the HTTP surface. */
export const PATHS = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

/** The scope of a client that may use every tool that its person lets agents use. */
export const EVERY_TOOL = 'tools'

/** Texts that are seen in a log or a leaked file are recognized by their beginning. */
export const ACCESS_TOKEN = /^sho_[\w-]{43}$/

export type ProviderOptions = {
  readonly issuer: string
  readonly resource: string
  /** Capabilities that a client may be limited to, and `EVERY_TOOL`. */
  readonly scopes: () => readonly string[]
  readonly adapter: AdapterFactory
  /** Secret keys of the installation; the first signs, all verify. */
  readonly keys: readonly Uint8Array[]
  readonly consentSeconds: number
  readonly corsOrigins: readonly string[]
  /** Fetches the description that a client publishes under its id. */
  readonly fetch: NonNullable<Configuration['fetch']>
  readonly mayFetch: (clientId: string) => Promise<boolean>
  /** Whether the person may still be acted for, and the consent has not ended. */
  readonly isAlive: (accountId: string, grantId: string | undefined) => Promise<boolean>
  readonly renderError: NonNullable<Configuration['renderError']>
}

const ACCESS_SECONDS = 10 * 60
const REFRESH_SECONDS = 30 * 86_400
/** How long a person has to sign in and decide. */
const DECIDE_SECONDS = 10 * 60
const CODE_SECONDS = 60

/** The library's authorization server, with everything off that MCP clients do not need. */
export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.issuer, configure(options))
  // The scheme and host of an address come from the headers that `serveOAuth` sets.
  provider.proxy = true
  addPrefix(provider.AccessToken.prototype, 'sho_')
  addPrefix(provider.RefreshToken.prototype, 'shr_')
  provider.use(async (context, next) => {
    await next()
    dropSessionCookie(context.response)
    if (context.path === PATHS.metadata && context.status === 200)
      context.body = toMetadata(context.body as Metadata, options)
  })
  return provider
}

/** Makes the texts of a kind of token begin with a prefix; the class is this provider's alone. */
function addPrefix(prototype: object, prefix: string): void {
  // The types of the library leave the method out.
  const { generateTokenId } = prototype as { readonly generateTokenId: () => string }
  Object.assign(prototype, {
    generateTokenId(this: object) {
      return `${prefix}${generateTokenId.call(this)}`
    },
  })
}

type Metadata = Readonly<Record<string, unknown>>

// The library describes an OpenID provider: identity tokens, claims and keys, which are not offered.
function toMetadata(described: Metadata, { issuer, scopes }: ProviderOptions): Metadata {
  const {
    authorization_endpoint,
    token_endpoint,
    registration_endpoint,
    revocation_endpoint,
    grant_types_supported,
  } = described
  return {
    issuer,
    authorization_endpoint,
    token_endpoint,
    registration_endpoint,
    revocation_endpoint,
    scopes_supported: scopes(),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}

const SESSION_COOKIE = 'surehand_oauth_session'

// People are signed in by the session of the pages alone, so the library's own session is not sent.
function dropSessionCookie(response: KoaContextWithOIDC['response']): void {
  const sent = [response.headers['set-cookie'] ?? []].flat()
  const kept = sent.filter((cookie) => !cookie.startsWith(SESSION_COOKIE))
  if (kept.length === sent.length) return
  if (kept.length === 0) response.remove('set-cookie')
  else response.set('set-cookie', kept)
}

function configure(options: ProviderOptions): Configuration {
  const { adapter, keys, corsOrigins, isAlive } = options
  return {
    adapter,
    jwks: { keys: [signingKey(keys[0] ?? new Uint8Array())] },
    cookies: {
      keys: keys.map((key) => Buffer.from(key).toString('base64url')),
      names: {
        session: SESSION_COOKIE,
        interaction: 'surehand_oauth_request',
        resume: 'surehand_oauth_resume',
      },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: {
      authorization: PATHS.authorize,
      token: PATHS.token,
      registration: PATHS.register,
      revocation: PATHS.revoke,
    },
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
    },
    scopes: [],
    pkce: { required: () => true },
    ttl: {
      AccessToken: ACCESS_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      Grant: options.consentSeconds,
      Interaction: DECIDE_SECONDS,
      Session: DECIDE_SECONDS,
    },
    clockTolerance: 0,
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: (_, origin) => corsOrigins.includes(origin),
    interactions: {
      policy: [decision()],
      url: (_, { uid }) => `/oauth/consent/${uid}`,
    },
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId)
    },
    // Both would otherwise depend on scopes and settings of OpenID.
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    // Whichever token a client revokes, it is done: everything that was issued with it ends.
    revokeGrantPolicy: () => true,
    async findAccount(_, accountId, token) {
      const grantId = token !== undefined && 'grantId' in token ? token.grantId : undefined
      if (!(await isAlive(accountId, grantId))) return undefined
      return { accountId, claims: async () => ({ sub: accountId }) }
    },
    fetch: options.fetch,
    fetchResponseBodyLimits: { 'client_id metadata document': MAX_DESCRIPTION_BYTES },
    renderError: options.renderError,
    features: features(options),
  }
}

function features({
  resource,
  scopes,
  mayFetch,
}: ProviderOptions): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    revocation: {
      enabled: true,
      allowedPolicy: async (_, client, token) => token.clientId === client.clientId,
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: async (_, clientId) => mayFetch(clientId),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resource,
      useGrantedResource: async () => true,
      async getResourceServerInfo(_, asked) {
        if (asked !== resource) throw new errors.InvalidTarget(`the resource here is ${resource}`)
        return {
          audience: resource,
          scope: scopes().join(' '),
          accessTokenFormat: 'opaque',
          accessTokenTTL: ACCESS_SECONDS,
        }
      },
    },
  }
}

export const MAX_DESCRIPTION_BYTES = 20_480

// A person decides on every request: the library would not ask for what was consented to before.
function decision(): interactionPolicy.Prompt {
  return new interactionPolicy.Prompt(
    { name: 'consent' },
    new interactionPolicy.Check(
      'decision',
      'a person decides',
      'interaction_required',
      (context) =>
        context.oidc.result?.consent === undefined
          ? interactionPolicy.Check.REQUEST_PROMPT
          : interactionPolicy.Check.NO_NEED_TO_PROMPT,
    ),
  )
}

// RFC 8410: the beginning of an Ed25519 private key in PKCS #8, before its 32 bytes.
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

// Nothing is signed with it, because access tokens are looked up. The library does not start
// without a key, and would use one that is published with it.
function signingKey(seed: Uint8Array): JWK {
  const der = Buffer.concat([ED25519, seed])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
    format: 'jwk',
  }) as JWK
}
