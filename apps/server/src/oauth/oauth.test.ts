import { systemCaller } from '@surehand/identity'
import {
  allowInsecureRequests,
  discoveryRequest,
  processDiscoveryResponse,
  processResourceDiscoveryResponse,
  resourceDiscoveryRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  askFor,
  callMcp,
  codeForm,
  connect,
  decideOn,
  mcpStatus,
  openConsent,
  openCookieBrowser,
  REDIRECT_URI,
  register,
  registerClient,
  requestTokens,
  signedInBrowser,
  startOAuthServer,
} from '../fixtures/oauth-world.ts'
import type { RunningServer } from '../serve/serve.ts'

let serving: RunningServer
let url: string
let tokens: { readonly ann: string; readonly agent: string }

beforeAll(async () => {
  serving = await startOAuthServer({ oauthRegistrationsPerAddress: 1_000 })
  url = serving.addresses.publicUrl
  tokens = serving.welcome.demoTokens as typeof tokens
})
afterAll(() => serving.stop())

const asAnn = () => signedInBrowser(url, tokens.ann)
const system = systemCaller('home')

async function ownToken(principal: string, form: object = {}): Promise<string> {
  const { principals, tokens: made } = serving.app.identityApi
  await principals.put(system, principal, { roles: ['user', 'power_user'] })
  return (await made.create(system, { principal, name: 'own', ...form })).token
}

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
    const bob = await ownToken('bob')
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

describe('attacks', () => {
  test.each([
    ['another host', 'http://evil.example/callback'],
    ['another path', 'http://localhost:7357/other'],
    ['a longer path', `${REDIRECT_URI}/../other`],
    ['a user name', 'http://localhost:7357@evil.example/callback'],
    ['a fragment', `${REDIRECT_URI}#x`],
    ['another scheme', 'javascript:alert(1)'],
    ['nothing', undefined],
  ])('a redirect to %s is answered with a page and goes nowhere', async (_, redirect_uri) => {
    const asked = await askFor(url, await registerClient(url), { redirect_uri })
    const answer = await (await asAnn()).get(asked.address)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(await answer.text()).toContain('cannot be connected')
  })

  test.each([
    'http://evil.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user@good.example/callback',
    'https://good.example/callback#x',
    'https://good.example\\@evil.example/',
    'https://*.example/callback',
    'not an address',
  ])('a client cannot register the redirect URI %s', async (uri) => {
    const answer = await register(url, { redirect_uris: [uri] })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_redirect_uri' })
  })

  test('a program on this computer may listen on another port, at no other path or host', async () => {
    const client = await registerClient(url)
    const at = (redirect_uri: string) => askFor(url, client, { redirect_uri })
    const other = await at('http://localhost:9999/callback')
    expect((await (await asAnn()).get(other.address)).status).toBe(303)
    const foreign = await at('http://127.0.0.1:7357/callback')
    expect((await (await asAnn()).get(foreign.address)).status).toBe(400)
  })

  test('a code is exchanged once; its second use ends what the first got', async () => {
    const asked = await askFor(url, await registerClient(url))
    const form = codeForm(asked, await decideOn(await asAnn(), asked))
    const { tokens: first } = await requestTokens(url, form)
    expect(await mcpStatus(url, first.access_token)).toBe(200)
    expect((await requestTokens(url, form)).tokens.error).toBe('invalid_grant')
    await expect.poll(() => mcpStatus(url, first.access_token)).toBe(401)
  })

  test('a code is good for its client, its verifier and its redirect URI only', async () => {
    const asked = await askFor(url, await registerClient(url))
    const form = codeForm(asked, await decideOn(await asAnn(), asked))
    const { code_verifier: _, ...without } = form
    for (const wrong of [
      { ...form, client_id: await registerClient(url) },
      { ...form, code_verifier: 'x'.repeat(43) },
      { ...form, redirect_uri: 'http://localhost:9999/callback' },
      without,
    ])
      expect((await requestTokens(url, wrong)).tokens.error).toMatch(/invalid_(?:grant|request)/)
  })

  test.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['a challenge without its method', { code_challenge_method: undefined }],
    ['tokens in the address', { response_type: 'token' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
    ['this server, but not MCP', { resource: 'RESOURCE' }],
  ])('a request with %s is refused before a person is asked', async (_, changes) => {
    const named = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, value === 'RESOURCE' ? url : value]),
    )
    const asked = await askFor(url, await registerClient(url), named)
    const answer = await (await asAnn()).get(asked.address)
    const location = answer.headers.get('location') ?? ''
    expect(location, `${answer.status} ${location}`).not.toContain('/oauth/consent/')
    if (location !== '') {
      expect(location).toMatch(/^http:\/\/localhost:7357\/callback[?#]/)
      expect(location).toMatch(/[?#&]error=(?:invalid|unsupported)/)
    }
  })

  test('a token for another resource is not issued by the token endpoint either', async () => {
    const asked = await askFor(url, await registerClient(url))
    const form = codeForm(asked, await decideOn(await asAnn(), asked))
    const other = await requestTokens(url, { ...form, resource: 'https://other.example/mcp' })
    expect(other.tokens.error).toBe('invalid_target')
  })

  test('nobody else consents: not another browser, another session, another site, or no one', async () => {
    const asked = await askFor(url, await registerClient(url))
    const victim = await asAnn()
    const { page, seal, text } = await openConsent(victim, asked)
    expect(text).toContain('act for you?')
    const carl = await signedInBrowser(url, await ownToken('carl'))
    const lured = await carl.get(page)
    expect(lured.status).toBe(404)
    expect((await carl.post(page, { seal, verdict: 'allow' })).status).toBe(404)
    const unknown = await openCookieBrowser().post(page, { seal, verdict: 'allow' })
    expect(unknown.status).toBe(401)
    expect((await victim.post(page, { seal: 'guessed', verdict: 'allow' })).status).toBe(403)
    const foreign = await fetch(page, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ seal, verdict: 'allow' }),
    })
    expect(foreign.status).toBe(403)
    // Nothing of that counted: the person still decides.
    expect((await decideOn(victim, asked, 'deny')).searchParams.get('error')).toBe('access_denied')
  })

  test('a form that was shown to one person is not sent by the next one in the same browser', async () => {
    const asked = await askFor(url, await registerClient(url))
    const browser = await asAnn()
    const { page, seal } = await openConsent(browser, asked)
    await browser.post(`${url}/sign-in`, { token: await ownToken('dora') })
    expect((await browser.post(page, { seal, verdict: 'allow' })).status).toBe(403)
  })

  test('an agent cannot consent, nor a sign-in that is limited to some capabilities', async () => {
    const agent = await openCookieBrowser().post(`${url}/sign-in`, { token: tokens.agent })
    expect(agent.status).toBe(401)
    const limited = await signedInBrowser(url, await ownToken('eve', { scopes: ['shop.read'] }))
    const asked = await askFor(url, await registerClient(url))
    const { page, seal } = await openConsent(limited, asked)
    const answer = await limited.post(page, { seal, verdict: 'allow' })
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('limited to some capabilities')
  })

  test('a decided request is not decided again', async () => {
    const asked = await askFor(url, await registerClient(url))
    const browser = await asAnn()
    const { page, seal } = await openConsent(browser, asked)
    expect((await browser.post(page, { seal, verdict: 'deny' })).status).toBe(303)
    expect((await browser.post(page, { seal, verdict: 'allow' })).status).toBe(404)
  })

  test('a hostile name is shown as what it is, and no script or image of a client is', async () => {
    const client_name = '<script>alert(1)</script>\u202eyarP\u200b'
    const client = await registerClient(url, {
      client_name,
      logo_uri: 'https://evil.example/x.png',
    })
    const { text } = await openConsent(await asAnn(), await askFor(url, client))
    expect(text).toContain('&lt;script&gt;')
    expect(text).toContain('⟨U+202E⟩')
    expect(text).toContain('⟨U+200B⟩')
    expect(text).toContain('contains invisible characters')
    expect(text).not.toContain('evil.example')
  })

  test('the consent page lets its form lead to the client and nowhere else', async () => {
    const policyFor = async (redirect_uri: string): Promise<string> => {
      const client = await registerClient(url, { redirect_uris: [redirect_uri] })
      const browser = await asAnn()
      const { page } = await openConsent(browser, await askFor(url, client, { redirect_uri }))
      return (await browser.get(page)).headers.get('content-security-policy') ?? ''
    }
    expect(await policyFor(REDIRECT_URI)).toContain("form-action 'self' http://localhost:7357;")
    expect(await policyFor('https://app.example/cb?x=1')).toContain(
      "form-action 'self' https://app.example;",
    )
    expect(await policyFor('cursor://auth/callback')).toContain("form-action 'self' cursor:;")
  })

  test('after signing in, nobody is sent to another site', async () => {
    const browser = openCookieBrowser()
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
      const answer = await browser.post(`${url}/sign-in`, { token: tokens.ann, next })
      expect(answer.headers.get('location')).toBe('/approvals')
    }
  })

  test('registrations that are too large, or no registrations, are refused', async () => {
    const statusOf = async (metadata: object) => (await register(url, metadata)).status
    expect(await statusOf({ client_name: 'x'.repeat(20_000) })).toBe(413)
    expect(await statusOf({ client_name: 'x'.repeat(201) })).toBe(400)
    expect(await statusOf({ redirect_uris: Array(11).fill(REDIRECT_URI) })).toBe(400)
    expect(await statusOf({ redirect_uris: [] })).toBe(400)
    expect(await statusOf({ grant_types: ['client_credentials'] })).toBe(400)
    const text = await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[',
    })
    expect(text.status).toBe(400)
  })

  test('no secret and no further right is given to a client that asks for them', async () => {
    const answer = await register(url, {
      token_endpoint_auth_method: 'client_secret_post',
      application_type: 'web',
      jwks_uri: 'https://evil.example/keys',
    })
    const registered = (await answer.json()) as Record<string, unknown>
    expect(registered).toMatchObject({ token_endpoint_auth_method: 'none' })
    expect(registered).not.toHaveProperty('client_secret')
    expect(registered).not.toHaveProperty('jwks_uri')
  })

  test('what the database holds is no token', async () => {
    const { access_token, refresh_token } = await connect(url, await asAnn())
    const stored = await serving.app.stores.values.list('home', 'surehand.oauth:')
    const text = JSON.stringify(stored)
    expect(text).toContain('AccessToken')
    for (const secret of [access_token, refresh_token]) expect(text).not.toContain(secret.slice(4))
  })
})

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
