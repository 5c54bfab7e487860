import { expect, test } from 'vitest'
import {
  askFor,
  codeForm,
  connect,
  decideOn,
  mcpStatus,
  openConsent,
  openCookieBrowser,
  openOAuthServer,
  ownToken,
  REDIRECT_URI,
  register,
  registerClient,
  requestTokens,
  signedInBrowser,
} from '../fixtures/oauth-world.ts'

const { serving, url, tokens } = await openOAuthServer({ oauthRegistrationsPerAddress: 1_000 })

const asAnn = () => signedInBrowser(url, tokens.ann)

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
  const carl = await signedInBrowser(url, await ownToken(serving, 'carl'))
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
  await browser.post(`${url}/sign-in`, { token: await ownToken(serving, 'dora') })
  expect((await browser.post(page, { seal, verdict: 'allow' })).status).toBe(403)
})

test('an agent cannot consent, nor a sign-in that is limited to some capabilities', async () => {
  const agent = await openCookieBrowser().post(`${url}/sign-in`, { token: tokens.agent })
  expect(agent.status).toBe(401)
  const limited = await signedInBrowser(
    url,
    await ownToken(serving, 'eve', { scopes: ['shop.read'] }),
  )
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
