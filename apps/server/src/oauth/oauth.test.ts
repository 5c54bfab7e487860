import { systemCaller } from '@surehand/identity'
import {
  allowInsecureRequests,
  discoveryRequest,
  processDiscoveryResponse,
  processResourceDiscoveryResponse,
  resourceDiscoveryRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import {
  askFor,
  callMcp,
  codeForm,
  connect,
  decideOn,
  mcpStatus,
  openCookieBrowser,
  openOAuthServer,
  ownToken,
  register,
  registerClient,
  requestTokens,
  signedInBrowser,
  startOAuthServer,
} from '../fixtures/oauth-world.ts'

const { serving, url, tokens } = await openOAuthServer({ oauthRegistrationsPerAddress: 1_000 })

const asAnn = () => signedInBrowser(url, tokens.ann)
const system = systemCaller('home')

describe('metadata', () => {
  test('is what an independent client expects of a protected resource and its server', async () => {
    const insecure = { [allowInsecureRequests]: true }
    const refused = await callMcp(url, 'nobody', 'tools/list', {})
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp", scope="tools", error="invalid_token"`,
    )
    const resource = new URL(`${url}/mcp`)
    const described = await processResourceDiscoveryResponse(
      resource,
      await resourceDiscoveryRequest(resource, insecure),
    )
    expect(described).toMatchObject({
      resource: resource.href,
      authorization_servers: [url],
      scopes_supported: ['tools'],
    })
    const issuer = new URL(url)
    const server = await processDiscoveryResponse(
      issuer,
      await discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    )
    expect(server).toEqual({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      registration_endpoint: `${url}/oauth/register`,
      revocation_endpoint: `${url}/oauth/revoke`,
      scopes_supported: expect.arrayContaining(['tools', 'shop.buy', 'shop.read']),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })

  test('an answer that names another issuer is refused by that client, and ours names us', async () => {
    const client = await registerClient(url)
    const redirected = await decideOn(await asAnn(), await askFor(url, client))
    const of = (issuer: string) =>
      validateAuthResponse(
        { issuer, authorization_response_iss_parameter_supported: true },
        { client_id: client },
        redirected,
        'a-state',
      )
    expect(of(url).get('code')).toMatch(/^[\w-]{43}$/)
    expect(() => of('https://other.example')).toThrow(/iss/)
  })
})

describe('a connected client', () => {
  test('acts for the person as an agent, and the audit names both', async () => {
    const { access_token, expires_in, client, scope } = await connect(url, await asAnn())
    expect({ expires_in, scope }).toEqual({ expires_in: 600, scope: 'tools' })
    expect(access_token).toMatch(/^sho_/)
    const answer = await callMcp(url, access_token, 'tools/call', {
      name: 'shop__buy',
      arguments: { productId: 'tea', quantity: 1 },
    })
    // She approves what her agents buy, and this is one.
    expect(await answer.text()).toContain('TOOL_APPROVAL_REQUIRED')
    const records = await serving.app.stores.audit.list({ tenant: 'home' })
    const consent = records.find(
      ({ outcome, error }) => outcome === 'consented' && error.includes(client),
    )
    expect(consent).toMatchObject({ principal: 'ann', actor: 'user', surface: 'oauth' })
    const call = records.findLast(({ tool_name }) => tool_name === 'shop.buy')
    expect(call).toMatchObject({
      principal: 'ann',
      actor: 'ai_agent',
      surface: `mcp oauth:${consent?.tool_name.slice('token:'.length)}`,
    })
  })

  test('is limited to the scopes that it asked for', async () => {
    const { access_token, scope } = await connect(url, await asAnn(), { scope: 'openid shop.read' })
    expect(scope).toBe('shop.read')
    const bought = await callMcp(url, access_token, 'tools/call', {
      name: 'shop__buy',
      arguments: { productId: 'tea', quantity: 1 },
    })
    expect(await bought.text()).toMatch(/TOOL_(?:CAPABILITY_MISSING|NOT_FOUND|INSUFFICIENT)/)
    expect(await mcpStatus(url, access_token)).toBe(200)
  })

  test('its token is for MCP alone: no other surface and no page accepts it', async () => {
    const { access_token } = await connect(url, await asAnn())
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await fetch(`${url}/v1/tools`, { headers })).status).toBe(401)
    const page = await openCookieBrowser().post(`${url}/sign-in`, { token: access_token })
    expect(page.status).toBe(401)
  })

  test('a refresh token is used once; its second use ends the connection', async () => {
    const { access_token, refresh_token, client } = await connect(url, await asAnn())
    const form = { grant_type: 'refresh_token', client_id: client, refresh_token }
    const renewed = await requestTokens(url, form)
    expect(renewed.status).toBe(200)
    expect(renewed.tokens.refresh_token).not.toBe(refresh_token)
    expect(await mcpStatus(url, renewed.tokens.access_token)).toBe(200)
    expect((await requestTokens(url, form)).tokens.error).toBe('invalid_grant')
    for (const token of [access_token, renewed.tokens.access_token])
      await expect.poll(() => mcpStatus(url, token)).toBe(401)
    const last = { ...form, refresh_token: renewed.tokens.refresh_token }
    expect((await requestTokens(url, last)).tokens.error).toBe('invalid_grant')
  })

  test('of two refreshes at once at most one succeeds, and neither lasts', async () => {
    const { refresh_token, client } = await connect(url, await asAnn())
    const form = { grant_type: 'refresh_token', client_id: client, refresh_token }
    const both = await Promise.all([requestTokens(url, form), requestTokens(url, form)])
    const renewed = both.filter(({ status }) => status === 200)
    expect(renewed.length).toBeLessThanOrEqual(1)
    for (const one of renewed)
      await expect.poll(() => mcpStatus(url, one.tokens.access_token)).toBe(401)
  })

  test.each(['access_token', 'refresh_token'] as const)(
    'revoking its %s ends everything, and its open stream',
    async (kind) => {
      const connected = await connect(url, await asAnn())
      const { access_token, refresh_token, client } = connected
      const stream = await openStream(access_token)
      const revoked = await fetch(`${url}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: client, token: connected[kind] }),
      })
      expect(revoked.status).toBe(200)
      await stream.ended
      await expect.poll(() => mcpStatus(url, access_token)).toBe(401)
      const form = { grant_type: 'refresh_token', client_id: client, refresh_token }
      expect((await requestTokens(url, form)).tokens.error).toBe('invalid_grant')
    },
  )

  test('is not ended by another client that knows its token', async () => {
    const { access_token, refresh_token, client } = await connect(url, await asAnn())
    const body = new URLSearchParams({ client_id: await registerClient(url), token: access_token })
    await fetch(`${url}/oauth/revoke`, { method: 'POST', body })
    const form = { grant_type: 'refresh_token', client_id: client, refresh_token }
    const { status, tokens: renewed } = await requestTokens(url, form)
    expect([status, await mcpStatus(url, renewed.access_token)]).toEqual([200, 200])
  })

  test('ends when an administrator revokes its token', async () => {
    const { access_token, refresh_token, client } = await connect(url, await asAnn())
    const listed = await serving.app.identityApi.tokens.list(system)
    const found = listed.find(({ record }) => record.oauth?.client === client)
    expect(found?.record).toMatchObject({ principal: 'ann', actor: 'ai_agent', name: 'Tests' })
    await serving.app.identityApi.tokens.revoke(system, found?.id ?? '')
    await expect.poll(() => mcpStatus(url, access_token)).toBe(401)
    const form = { grant_type: 'refresh_token', client_id: client, refresh_token }
    expect((await requestTokens(url, form)).tokens.error).toBe('invalid_grant')
  })

  test('ends when the person is disabled, and its stream with it', async () => {
    const bob = await ownToken(serving, 'bob')
    const { access_token, refresh_token, client } = await connect(
      url,
      await signedInBrowser(url, bob),
    )
    const stream = await openStream(access_token)
    const { principals } = serving.app.identityApi
    const before = (await principals.list(system)).find(({ id }) => id === 'bob')
    await principals.put(system, 'bob', { roles: ['user'], disabled: true }, before?.version)
    await stream.ended
    await expect.poll(() => mcpStatus(url, access_token)).toBe(401)
    const form = { grant_type: 'refresh_token', client_id: client, refresh_token }
    expect((await requestTokens(url, form)).tokens.error).toBe('invalid_grant')
  })

  test('a second consent to the same client replaces the first', async () => {
    const browser = await asAnn()
    const { access_token, client } = await connect(url, browser)
    const asked = await askFor(url, client)
    const { tokens: later } = await requestTokens(
      url,
      codeForm(asked, await decideOn(browser, asked)),
    )
    expect(await mcpStatus(url, later.access_token)).toBe(200)
    await expect.poll(() => mcpStatus(url, access_token)).toBe(401)
  })
})

/** A stream of events; `ended` when the server has closed it. */
async function openStream(token: string): Promise<{ readonly ended: Promise<void> }> {
  const started = await callMcp(url, token, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'tests', version: '1' },
  })
  const session = started.headers.get('mcp-session-id') ?? ''
  await started.text()
  const response = await fetch(`${url}/mcp`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      'mcp-session-id': session,
    },
  })
  expect(response.status).toBe(200)
  // The connection is cut, which the reader learns as an error.
  return {
    ended: response.text().then(
      () => undefined,
      () => undefined,
    ),
  }
}

test('clients register so often from one address, and no more', async () => {
  const other = await startOAuthServer({ oauthRegistrationsPerAddress: 2 })
  try {
    const at = other.addresses.publicUrl
    const statuses = []
    for (let index = 0; index < 3; index++) statuses.push((await register(at)).status)
    expect(statuses).toEqual([201, 201, 429])
  } finally {
    await other.stop()
  }
})

test('without https, OAuth is refused at the start; without the setting, there is none', async () => {
  await expect(startOAuthServer({ publicUrl: 'http://tools.example' })).rejects.toThrow(
    /OAuth needs https/,
  )
  const off = await startOAuthServer({ oauth: false })
  try {
    const at = off.addresses.publicUrl
    expect((await fetch(`${at}/.well-known/oauth-authorization-server`)).status).toBe(404)
    expect((await register(at)).status).toBe(404)
  } finally {
    await off.stop()
  }
})
