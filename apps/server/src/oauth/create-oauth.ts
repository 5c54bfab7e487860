import { type Caller, ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { Clock, Maybe } from '@surehand/core/ports'
import type { Edge } from '@surehand/edge'
import { type Egress, fetchThrough } from '@surehand/egress'
import type { ClientRequest, HttpOAuth, NodeExchange, NodeHandler } from '@surehand/http'
import type { IssuedAccess, SignedIn } from '@surehand/identity'
import type Provider from 'oidc-provider'
import { errors } from 'oidc-provider'
import type { App } from '../app.ts'
import type { Addresses } from '../serve/addresses.ts'
import { readClientMetadata } from './client-metadata.ts'
import { type Consents, createConsents } from './consents.ts'
import { type Entries, storedEntries } from './entries.ts'
import { ACCESS_TOKEN, createProvider, EVERY_TOOL, MAX_DESCRIPTION_BYTES } from './provider.ts'
import { createOAuthHandler, errorPage, type OAuthLimits, takeFetch } from './serve-oauth.ts'

/** The authorization server for MCP clients that are given nothing but the server's address. */
export type OAuth = {
  readonly handle: NodeHandler
  /** For the consent page. */
  readonly requests: HttpOAuth
  /** Whose access token it is; undefined for any other text. */
  readonly authenticate: (bearer: string) => Maybe<SignedIn | undefined>
}

export type OAuthOptions = {
  readonly app: Pick<App, 'config' | 'keys' | 'stores' | 'runtime' | 'identity'>
  readonly addresses: Addresses
  /** The resource that tokens are issued for. */
  readonly resource: string
  readonly edge: Edge
  readonly egress: Egress
  readonly clock: Clock
  readonly onError: (thrown: unknown) => void
}

const DAY_MS = 86_400_000

export function createOAuth(options: OAuthOptions): OAuth {
  const { app, addresses, resource, edge, egress, clock, onError } = options
  const { config, keys, stores, identity, runtime } = app
  const lifeMs = config.oauthDays * DAY_MS
  const consents = createConsents({
    admin: stores.admin,
    values: stores.values,
    identity,
    clock,
    lifeMs,
    resource,
  })
  const entries = storedEntries({
    values: stores.values,
    home: config.home,
    now: () => clock.now(),
    onGrantEnded: (id, accountId) => {
      const { tenant, principal } = readAccount(accountId)
      return consents.end(tenant, id, principal)
    },
  })
  const limits: OAuthLimits = {
    store: stores.limits,
    registrationsPerAddress: config.oauthRegistrationsPerAddress,
    registrationsInAll: config.oauthRegistrationsInAll,
  }
  const scopes = (): readonly string[] => [EVERY_TOOL, ...capabilitiesOf(runtime)]
  const provider = createProvider({
    issuer: addresses.publicUrl,
    resource,
    scopes,
    adapter: entries.adapter,
    keys: keys.oauth,
    consentSeconds: Math.floor(lifeMs / 1_000),
    corsOrigins: config.corsOrigins,
    fetch: fetchDescription(egress, config.home),
    mayFetch: () => takeFetch(limits),
    isAlive: async (accountId, grantId) =>
      grantId === undefined
        ? isEnabled(identity.directory, accountId)
        : consents.isAlive(readAccount(accountId).tenant, grantId),
    renderError: errorPage,
  })
  provider.on('server_error', (_, error) => onError(error))
  // Koa's own event, which the types of the library leave out. Without a listener Koa prints it.
  provider.on('error' as 'server_error', onError)
  return {
    handle: createOAuthHandler({
      serve: provider.callback(),
      publicUrl: addresses.publicUrl,
      sites: {
        hosts: new Set(addresses.hosts),
        origins: new Set([addresses.publicUrl, ...config.corsOrigins]),
      },
      scopes,
      limits,
      edge,
      clock,
      onError,
    }),
    requests: clientRequests({ provider, consents, entries, scopes, resource, lifeMs, clock }),
    authenticate: (bearer) =>
      identity.authenticateClient(bearer, (text) => findAccess(provider, text, resource)),
  }
}

async function findAccess(
  provider: Provider,
  bearer: string,
  resource: string,
): Promise<IssuedAccess | undefined> {
  if (!ACCESS_TOKEN.test(bearer)) return undefined
  const token = await provider.AccessToken.find(bearer)
  // A token that was issued for another resource, by a former address of this server, is not for us.
  if (token?.grantId === undefined || token.exp === undefined || token.aud !== resource)
    return undefined
  const { tenant } = readAccount(token.accountId)
  return { tenant, token: token.grantId, expiresAt: token.exp * 1_000 }
}

type RequestContext = {
  readonly provider: Provider
  readonly consents: Consents
  readonly entries: Entries
  readonly scopes: () => readonly string[]
  readonly resource: string
  readonly lifeMs: number
  readonly clock: Clock
}

function clientRequests(context: RequestContext): HttpOAuth {
  const { provider, consents } = context
  return {
    connections: (by) => consents.list(by),
    async disconnect(by, id) {
      // Only their own: the list has no other.
      if (!(await consents.list(by)).some((one) => one.id === id))
        throw new ToolError(
          'TOOL_RESOURCE_NOT_FOUND',
          'This connection has ended already, or it is not yours. Open the list again.',
        )
      await consents.end(by.tenant, id, by.principal)
    },
    find: async (id, exchange) => (await readRequest(context, id, exchange))?.asked,
    async decide(id, verdict, by, exchange) {
      const { request, response } = exchange
      const found = await readRequest(context, id, exchange)
      if (found === undefined)
        throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'This request has ended. Connect again.')
      const result =
        verdict === 'deny'
          ? { error: 'access_denied', error_description: 'the person denied the request' }
          : await allow(context, by, found.asked)
      return provider.interactionResult(request, response, result, {
        mergeWithLastSubmission: false,
      })
    },
  }
}

async function allow(
  { provider, consents, entries, resource, lifeMs }: RequestContext,
  by: Caller,
  { client, scopes, isUnlimited }: ClientRequest,
) {
  const consent = await consents.give(by, {
    id: client.id,
    name: visibleText(client.name ?? client.id),
    scopes: isUnlimited ? undefined : scopes,
  })
  await entries.keepClient(client.id, lifeMs)
  const accountId = `${by.tenant}/${by.principal}`
  const grant = new provider.Grant({ accountId, clientId: client.id })
  // The grant has the id of the consent's record: revoking either ends the other.
  grant.jti = consent.id
  grant.addResourceScope(resource, scopes.join(' '))
  return { login: { accountId, remember: false }, consent: { grantId: await grant.save() } }
}

async function readRequest(
  { provider, scopes, lifeMs, clock }: RequestContext,
  id: string,
  { request, response }: NodeExchange,
): Promise<{ readonly asked: ClientRequest } | undefined> {
  // Found by its cookie: only the browser that began the request may decide on it.
  const interaction = await provider.interactionDetails(request, response).catch(ignoreMissing)
  if (interaction === undefined || interaction.uid !== id || interaction.result !== undefined)
    return undefined
  const { client_id, redirect_uri, scope } = interaction.params
  const client = await provider.Client.find(String(client_id)).catch(ignoreMissing)
  if (client === undefined) return undefined
  const known = new Set(scopes())
  const asked = String(scope)
    .split(' ')
    .filter((name) => known.has(name))
  return {
    asked: {
      client: {
        id: client.clientId,
        name: client.clientName,
        publishedBy: URL.parse(client.clientId)?.host,
      },
      redirectUri: String(redirect_uri),
      scopes: asked,
      isUnlimited: asked.includes(EVERY_TOOL),
      expiresAt: clock.now() + lifeMs,
    },
  }
}

// The library throws for what has expired, or belongs to another browser.
function ignoreMissing(thrown: unknown): undefined {
  if (!(thrown instanceof errors.OIDCProviderError)) throw thrown
}

function readAccount(accountId: string): { readonly tenant: string; readonly principal: string } {
  // The name of a tenant has no slash.
  const end = accountId.indexOf('/')
  return { tenant: accountId.slice(0, end), principal: accountId.slice(end + 1) }
}

async function isEnabled(
  directory: App['identity']['directory'],
  accountId: string,
): Promise<boolean> {
  const { tenant, principal } = readAccount(accountId)
  if (!(await directory.isOpen(tenant))) return false
  return (await directory.principal(tenant, principal))?.disabled === false
}

function capabilitiesOf(runtime: App['runtime']): readonly string[] {
  const named = runtime
    .tools()
    .flatMap(({ contract }) => contract.capabilities.map(({ name }) => name))
  return [...new Set(named)].sort()
}

/** Fetches what a client publishes about itself through egress, and reads it as a registration. */
function fetchDescription(egress: Egress, home: string): typeof fetch {
  const get = fetchThrough(egress, { tenant: home, maxBytes: MAX_DESCRIPTION_BYTES })
  return async (url, init) => {
    const answer = await get(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: init?.signal ?? null,
    })
    if (answer.status !== 200) return answer
    const given: unknown = await answer.json()
    const read = readClientMetadata(given)
    if ('problem' in read) throw new TypeError(read.problem.error_description)
    const { client_id } = given as { readonly client_id?: unknown }
    const headers = new Headers({ 'content-type': 'application/json' })
    for (const name of ['cache-control', 'expires']) {
      const value = answer.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    return new Response(JSON.stringify({ ...read.metadata, client_id }), { headers })
  }
}
