import { type FakeClock, fakeClock } from '@surehand/conformance'
import { type Caller, memoryStores, type Stores, ToolError } from '@surehand/core'
import { type AdminStore, systemEntropy } from '@surehand/core/ports'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { securedSend } from './account-fetch.ts'
import type { CredentialForm } from './credential-form.ts'
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from './testing/authorization-server.ts'
import type { GrantsOptions } from './testing/grants.ts'
import {
  ann,
  bob,
  callBy,
  exchangeOverFetch,
  httpOverFetch,
  keyOf,
  needs,
  rejectionOf,
  requestTo,
  root,
  setCredential,
} from './testing/vault-world.ts'
import { createVault, type Vault } from './vault.ts'

const signal = new AbortController().signal
const BACK = 'https://app.example/consent'
const HOUR_MS = 3_600_000

let clock: FakeClock
let stores: Stores
let server: AuthorizationServer
let vault: Vault
let servers: AuthorizationServer[]

const anotherVault = (store: AdminStore = stores.admin, http = httpOverFetch): Vault =>
  createVault({ store, keys: [keyOf('a')], clock, entropy: systemEntropy(), http })

/** Lets requests reach the server, and holds their answers back until they are released. */
function holdAnswers(): { readonly http: typeof httpOverFetch; readonly release: () => void } {
  const held = Promise.withResolvers<void>()
  return {
    async http(request) {
      const answer = await httpOverFetch(request)
      await held.promise
      return answer
    },
    release: held.resolve,
  }
}

async function startServer(options: Partial<GrantsOptions> = {}): Promise<void> {
  server = await startAuthorizationServer({ clients: CLIENTS, clock, ...options })
  servers.push(server)
}

beforeEach(async () => {
  servers = []
  clock = fakeClock()
  stores = memoryStores({ clock })
  vault = anotherVault()
  await startServer()
})
afterEach(() => Promise.all(servers.map((one) => one.stop())))

const CLIENTS = [
  { id: 'machine:1', secret: 'machine secret+&%', auth: 'basic' },
  { id: 'poster', secret: 'poster-secret', auth: 'post' },
  { id: 'web', secret: 'web-secret', auth: 'basic' },
  { id: 'native', auth: 'none' },
] as const

const machine = (changes = {}): CredentialForm => ({
  kind: 'clientCredentials',
  origins: [server.url],
  tokenUrl: `${server.url}/token`,
  clientId: 'machine:1',
  clientSecret: 'machine secret+&%',
  scopes: ['orders.read'],
  ...changes,
})

const web = (changes = {}): CredentialForm => ({
  kind: 'authorizationCode',
  origins: [server.url],
  authorizeUrl: `${server.url}/authorize?access_type=offline`,
  tokenUrl: `${server.url}/token`,
  clientId: 'web',
  clientSecret: 'web-secret',
  scopes: ['orders.read', 'orders.write'],
  for: 'principal',
  ...changes,
})

async function tokenFor(caller: Caller, by = vault): Promise<string> {
  const { request } = await by.applySecurity(
    requestTo(`${server.url}/api/me`, [needs.oauth]),
    callBy(caller),
    { signal },
  )
  return request.headers.authorization ?? ''
}

async function consent(by: Caller, of = vault): Promise<void> {
  const { url } = await of.beginAuthorization(by, 'shop.oauth', { redirectUri: BACK })
  await of.finishAuthorization(by, await server.consent(url))
}

const send = (by = vault) => securedSend({ vault: by, exchange: exchangeOverFetch })

describe('client credentials', () => {
  test.each([
    ['in a header', {}],
    ['in the body', { clientId: 'poster', clientSecret: 'poster-secret', auth: 'post' }],
  ])(
    '%s get a token that the API accepts, requested once for all calls until it expires',
    async (_, changes) => {
      await setCredential(vault, 'shop.oauth', machine(changes))
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          send()(requestTo(`${server.url}/api/me`, [needs.oauth]), callBy(ann), signal),
        ),
      )
      expect([answers.map(({ status }) => status), server.requestedGrants()]).toEqual([
        [200, 200, 200, 200, 200],
        ['client_credentials'],
      ])
    },
  )

  test('request a new token half a minute before the old one expires, not earlier', async () => {
    await setCredential(vault, 'shop.oauth', machine())
    const first = await tokenFor(ann)
    await clock.advance(HOUR_MS - 30_001)
    expect(await tokenFor(bob)).toBe(first)
    await clock.advance(1)
    expect([(await tokenFor(bob)) === first, server.requestedGrants().length]).toEqual([false, 2])
  })

  test('share their token across nodes', async () => {
    await setCredential(vault, 'shop.oauth', machine())
    expect(await tokenFor(ann, anotherVault())).toBe(await tokenFor(ann))
    expect(server.requestedGrants()).toEqual(['client_credentials'])
  })

  test('that the server rejects are reported, and nothing is sent', async () => {
    await setCredential(vault, 'shop.oauth', machine({ clientSecret: 'wrong-secret' }))
    expect(await rejectionOf(tokenFor(ann))).toMatchObject({
      code: 'TOOL_API_KEY_INVALID',
      effect: 'none',
      details: { reason: 'invalid_client' },
    })
    await setCredential(vault, 'shop.oauth', machine())
    expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
  })

  test('get a new token after the API rejected the old one, even before it expires', async () => {
    await setCredential(vault, 'shop.oauth', machine())
    await tokenFor(ann)
    server.revoke()
    const statuses = []
    for (let time = 0; time < 2; time++)
      statuses.push(
        (await send()(requestTo(`${server.url}/api/me`, [needs.oauth]), callBy(ann), signal))
          .status,
      )
    expect(statuses).toEqual([401, 200])
  })

  test('of a new client do not use the token of the old client', async () => {
    await setCredential(vault, 'shop.oauth', machine())
    const first = await tokenFor(ann)
    await setCredential(
      vault,
      'shop.oauth',
      machine({ clientId: 'poster', clientSecret: 'poster-secret', auth: 'post' }),
    )
    expect(await tokenFor(ann)).not.toBe(first)
  })
})

describe('a token endpoint', () => {
  test.each([
    ['500', 'TOOL_EXTERNAL_SERVICE_ERROR'],
    ['429', 'TOOL_RATE_LIMIT_EXCEEDED'],
    ['malformed', 'TOOL_EXTERNAL_SERVICE_ERROR'],
    ['reset', 'TOOL_NETWORK_ERROR'],
  ] as const)(
    'that fails (%s) leaves no effect, and the next call requests a token again',
    async (kind, code) => {
      await setCredential(vault, 'shop.oauth', machine())
      server.fail({ kind })
      expect(await rejectionOf(tokenFor(ann))).toMatchObject({ code, effect: 'none' })
      expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
    },
  )

  test('that does not answer times out, and the next call requests a token again', async () => {
    await setCredential(vault, 'shop.oauth', machine())
    server.fail({ kind: 'hang', when: 'after' })
    const waiting = rejectionOf(tokenFor(ann))
    await expect.poll(() => server.effects()).toHaveLength(1)
    await clock.advance(15_000)
    expect(await waiting).toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT', effect: 'none' })
    expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
  })

  test('that is slow receives one request for all waiting callers, and cancelling one does not cancel the others', async () => {
    await setCredential(vault, 'shop.oauth', machine())
    const answers = holdAnswers()
    const slow = anotherVault(stores.admin, answers.http)
    const leaver = new AbortController()
    const leaving = rejectionOf(
      slow.applySecurity(requestTo(server.url, [needs.oauth]), callBy(ann), {
        signal: leaver.signal,
      }),
    )
    const others = [tokenFor(ann, slow), tokenFor(bob, slow), tokenFor(root, slow)]
    await expect.poll(() => server.effects()).toHaveLength(1)
    leaver.abort()
    expect((await leaving).code).toBe('TOOL_CANCELLED')
    answers.release()
    expect(new Set(await Promise.all(others)).size).toBe(1)
    expect(server.requestedGrants()).toHaveLength(1)
  })

  test('that egress forbids is reported with the reason of egress', async () => {
    await setCredential(vault, 'shop.oauth', machine())
    const shut = anotherVault(stores.admin, async () => {
      throw new ToolError(
        'TOOL_INSUFFICIENT_PERMISSIONS',
        '127.0.0.1 is not allowed for this tenant.',
        {
          suggestions: ['Open it.'],
        },
      )
    })
    expect(await rejectionOf(tokenFor(ann, shut))).toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
      effect: 'none',
      message:
        'Nothing was sent: the token endpoint of "shop.oauth" could not be reached. 127.0.0.1 is not allowed for this tenant.',
      suggestions: ['Open it.'],
    })
  })

  test('that redirects is not followed', async () => {
    await setCredential(vault, 'shop.oauth', machine({ tokenUrl: `${server.url}/authorize` }))
    const asked: string[] = []
    const moved = anotherVault(stores.admin, async ({ url, redirect }) => {
      asked.push(`${url} ${redirect}`)
      return { status: 307, body: '' }
    })
    expect(await rejectionOf(tokenFor(ann, moved))).toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
      effect: 'none',
    })
    expect(asked).toEqual([`${server.url}/authorize stop`])
  })
})

describe('a token response that deviates from RFC 6749', () => {
  const answering = (status: number, body: object) =>
    anotherVault(stores.admin, async () => ({ status, body: JSON.stringify(body) }))
  beforeEach(() => setCredential(vault, 'shop.oauth', machine()))

  test.each([
    ['without a token type', { access_token: 'access-1' }],
    ['with a lifetime as text', { access_token: 'access-1', expires_in: '3600' }],
    [
      'with null for missing fields',
      { access_token: 'access-1', refresh_token: null, scope: null },
    ],
    ['with an ID token, which is ignored', { access_token: 'access-1', id_token: 'not.a.jwt' }],
  ])('%s is accepted', async (_, body) => {
    expect(await tokenFor(ann, answering(201, body))).toBe('Bearer access-1')
  })

  test('with status 200 and an error code of GitHub is a rejection', async () => {
    expect(
      await rejectionOf(tokenFor(ann, answering(200, { error: 'incorrect_client_credentials' }))),
    ).toMatchObject({ code: 'TOOL_API_KEY_INVALID', details: { reason: 'invalid_client' } })
  })

  test.each([
    ['of another token type', { access_token: 'access-1', token_type: 'mac' }],
    ['with a token that breaks a header', { access_token: 'access\r\nhost: evil' }],
    ['with a negative lifetime', { access_token: 'access-1', expires_in: -1 }],
  ])('%s is refused, without its text in the error', async (_, body) => {
    const error = await rejectionOf(tokenFor(ann, answering(200, body)))
    expect(error).toMatchObject({ code: 'TOOL_EXTERNAL_SERVICE_ERROR', effect: 'none' })
    expect([error.message, error.cause]).toEqual([expect.not.stringContaining('access'), undefined])
  })
})

describe('an authorization', () => {
  test('uses S256 and gets each person a token of their own', async () => {
    await setCredential(vault, 'shop.oauth', web())
    const { url } = await vault.beginAuthorization(ann, 'shop.oauth', { redirectUri: BACK })
    const asked = new URL(url).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      access_type: 'offline',
      response_type: 'code',
      client_id: 'web',
      redirect_uri: BACK,
      scope: 'orders.read orders.write',
      code_challenge_method: 'S256',
    })
    expect(await vault.finishAuthorization(ann, await server.consent(url))).toEqual({
      credential: 'shop.oauth',
      for: 'principal',
      scopes: ['orders.read', 'orders.write'],
    })
    await consent(bob)
    expect(await tokenFor(ann)).not.toBe(await tokenFor(bob))
  })

  test('with another code verifier is rejected by the server', async () => {
    await setCredential(vault, 'shop.oauth', web())
    const first = await server.consent(
      (await vault.beginAuthorization(ann, 'shop.oauth', { redirectUri: BACK })).url,
    )
    const second = await server.consent(
      (await vault.beginAuthorization(ann, 'shop.oauth', { redirectUri: BACK })).url,
    )
    // The code of the first authorization with the verifier of the second.
    expect(
      await rejectionOf(vault.finishAuthorization(ann, { state: second.state, code: first.code })),
    ).toMatchObject({
      details: { reason: 'invalid_grant' },
    })
  })

  test('of a public client needs no secret', async () => {
    await setCredential(vault, 'shop.oauth', {
      kind: 'authorizationCode',
      origins: [server.url],
      authorizeUrl: `${server.url}/authorize`,
      tokenUrl: `${server.url}/token`,
      clientId: 'native',
      for: 'principal',
    })
    await consent(ann)
    expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
  })

  test('for the whole tenant is given by an administrator and used by everyone', async () => {
    await setCredential(vault, 'shop.oauth', web({ for: 'tenant' }))
    expect((await rejectionOf(consent(ann))).code).toBe('TOOL_ROLE_NOT_AUTHORIZED')
    await consent(root)
    expect(await tokenFor(ann)).toBe(await tokenFor(bob))
  })

  test('that was never given is reported with what to do, before anything is sent', async () => {
    await setCredential(vault, 'shop.oauth', web())
    await consent(bob)
    expect(await rejectionOf(tokenFor(ann))).toMatchObject({
      code: 'TOOL_GATE_CLOSED',
      effect: 'none',
      details: {
        source_code: 'consent_required',
        command: 'surehand credentials authorize shop.oauth',
      },
    })
  })

  test('that was withdrawn is no longer used', async () => {
    await setCredential(vault, 'shop.oauth', web())
    await consent(ann)
    await vault.withdrawConsent(ann, 'shop.oauth')
    expect((await rejectionOf(tokenFor(ann))).code).toBe('TOOL_GATE_CLOSED')
  })

  test('that the person denies requests no tokens', async () => {
    await setCredential(vault, 'shop.oauth', web())
    const { state } = await vault.beginAuthorization(ann, 'shop.oauth', { redirectUri: BACK })
    expect(
      (await rejectionOf(vault.finishAuthorization(ann, { state, error: 'access_denied' }))).code,
    ).toBe('TOOL_GATE_CLOSED')
    expect(server.requestedGrants()).toEqual([])
  })

  test('cannot be started by an agent, nor with a plain HTTP redirect URI', async () => {
    await setCredential(vault, 'shop.oauth', web())
    expect(
      (
        await rejectionOf(
          vault.beginAuthorization({ ...ann, actor: 'ai_agent' }, 'shop.oauth', {
            redirectUri: BACK,
          }),
        )
      ).code,
    ).toBe('TOOL_INSUFFICIENT_PERMISSIONS')
    expect(
      (
        await rejectionOf(
          vault.beginAuthorization(ann, 'shop.oauth', { redirectUri: 'http://app.example/' }),
        )
      ).code,
    ).toBe('TOOL_INVALID_FIELD_VALUE')
  })
})

describe('a state', () => {
  const startAndConsent = async (by = ann) =>
    server.consent((await vault.beginAuthorization(by, 'shop.oauth', { redirectUri: BACK })).url)
  const refusal = {
    code: 'TOOL_RESOURCE_ACCESS_DENIED',
    effect: 'none',
    details: { source_code: 'consent_state_refused' },
  }
  beforeEach(() => setCredential(vault, 'shop.oauth', web()))

  test('works once', async () => {
    const back = await startAndConsent()
    await vault.finishAuthorization(ann, back)
    expect(await rejectionOf(vault.finishAuthorization(ann, back))).toMatchObject(refusal)
  })

  test('works once when several nodes receive it at the same time', async () => {
    const back = await startAndConsent()
    const ends = await Promise.allSettled(
      [vault, anotherVault(), anotherVault()].map((one) => one.finishAuthorization(ann, back)),
    )
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(server.requestedGrants()).toEqual(['authorization_code'])
  })

  test('of one person is refused from another person, another tenant and an agent', async () => {
    const back = await startAndConsent()
    expect(await rejectionOf(vault.finishAuthorization(bob, back))).toMatchObject(refusal)
    expect(
      await rejectionOf(vault.finishAuthorization({ ...ann, tenant: 'other' }, back)),
    ).toMatchObject(refusal)
    expect(
      (await rejectionOf(vault.finishAuthorization({ ...ann, actor: 'ai_agent' }, back))).code,
    ).toBe('TOOL_INSUFFICIENT_PERMISSIONS')
    expect(server.requestedGrants()).toEqual([])
    await vault.finishAuthorization(ann, back)
  })

  test('that was forged, or changed at any character, is refused', async () => {
    const { state, code } = await startAndConsent()
    const [body = '', signature = ''] = state.split('.')
    const expected = JSON.parse(Buffer.from(body, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...expected, principal: 'bob' })).toString(
      'base64url',
    )
    expect(
      await rejectionOf(vault.finishAuthorization(bob, { state: `${forged}.${signature}`, code })),
    ).toMatchObject(refusal)
    for (const [index, character] of [...state].entries()) {
      const changed =
        state.slice(0, index) + (character === 'A' ? 'B' : 'A') + state.slice(index + 1)
      expect(
        await rejectionOf(vault.finishAuthorization(ann, { state: changed, code })),
      ).toMatchObject(refusal)
    }
    for (const made of ['', '.', body, `${body}.`, `${state}.`, 'x'.repeat(10_000)])
      expect(
        await rejectionOf(vault.finishAuthorization(ann, { state: made, code })),
      ).toMatchObject(refusal)
    expect(server.requestedGrants()).toEqual([])
  })

  test('expires after ten minutes', async () => {
    const back = await startAndConsent()
    await clock.advance(10 * 60_000)
    expect(await rejectionOf(vault.finishAuthorization(ann, back))).toMatchObject(refusal)
  })

  test('is refused after a newer authorization was started, or the client was changed', async () => {
    const older = await startAndConsent()
    const newer = await startAndConsent()
    expect(await rejectionOf(vault.finishAuthorization(ann, older))).toMatchObject(refusal)
    await setCredential(vault, 'shop.oauth', web({ tokenUrl: `${server.url}/token2` }))
    expect(await rejectionOf(vault.finishAuthorization(ann, newer))).toMatchObject(refusal)
    expect(server.requestedGrants()).toEqual([])
  })
})

describe('a refresh token', () => {
  beforeEach(async () => {
    await setCredential(vault, 'shop.oauth', web())
    await consent(ann)
    await clock.advance(HOUR_MS)
  })
  const refreshes = () => server.requestedGrants().filter((kind) => kind === 'refresh_token').length

  test('that rotates is stored, so that the API accepts the token hour after hour', async () => {
    for (let hour = 1; hour <= 5; hour++) {
      const answer = await send()(
        requestTo(`${server.url}/api/me`, [needs.oauth]),
        callBy(ann),
        signal,
      )
      expect([answer.status, refreshes()]).toEqual([200, hour])
      await clock.advance(HOUR_MS)
    }
  })

  test('is used once for many calls of many nodes at the same time', async () => {
    const nodes = [vault, anotherVault(), anotherVault(), anotherVault()]
    server.fail({ kind: 'slow', delayMs: 50, when: 'after' })
    const all = Promise.all(
      nodes.flatMap((node) => Array.from({ length: 5 }, () => tokenFor(ann, node))),
    )
    const ticking = setInterval(() => void clock.advance(50), 5)
    const tokens = await all.finally(() => clearInterval(ticking))
    expect([new Set(tokens).size, refreshes()]).toEqual([1, 1])
    await clock.advance(HOUR_MS)
    expect(await tokenFor(ann)).not.toBe(tokens[0])
  })

  test('is not lost when a reseal runs during the renewal', async () => {
    const answers = holdAnswers()
    const rotated = createVault({
      store: stores.admin,
      keys: [keyOf('b'), keyOf('a')],
      clock,
      entropy: systemEntropy(),
      http: answers.http,
    })
    const renewing = tokenFor(ann, rotated)
    await expect.poll(() => refreshes()).toBe(1)
    expect(await rotated.reseal('home')).toMatchObject({ unopened: [] })
    answers.release()
    await renewing
    await clock.advance(HOUR_MS)
    expect(await tokenFor(ann, rotated)).toMatch(/^Bearer access-/)
  })

  test.each([
    [
      'that rotates is reported as lost',
      'rotating',
      { code: 'TOOL_STORAGE_ERROR', effect: 'none', details: { source_code: 'tokens_not_kept' } },
    ],
    ['that lasts is still there', 'lasting', undefined],
  ] as const)(
    '%s when a reseal during the renewal uses a key that this node does not have',
    async (_, rotation, expected) => {
      await startServer({ rotation })
      await setCredential(vault, 'shop.oauth', web())
      await consent(ann)
      await clock.advance(HOUR_MS)
      const answers = holdAnswers()
      const rotated = createVault({
        store: stores.admin,
        keys: [keyOf('b'), keyOf('a')],
        clock,
        entropy: systemEntropy(),
        http: httpOverFetch,
      })
      const renewing = tokenFor(ann, anotherVault(stores.admin, answers.http)).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      await expect.poll(() => refreshes()).toBe(1)
      await rotated.reseal('home')
      answers.release()
      const ended = await renewing
      await clock.advance(HOUR_MS)
      if (expected === undefined)
        expect([ended, await tokenFor(ann, rotated)]).toEqual([
          undefined,
          expect.stringMatching(/^Bearer access-/),
        ])
      else
        expect([ended, (await rejectionOf(tokenFor(ann, rotated))).code]).toMatchObject([
          expected,
          'TOOL_GATE_CLOSED',
        ])
    },
  )

  test('is renewed by another node after the lease of a node that died', async () => {
    const dying = anotherVault(stores.admin, () => new Promise(() => undefined))
    void tokenFor(ann, dying).catch(() => undefined)
    await expect
      .poll(async () => JSON.stringify(await stores.admin.list('home', 'credential')))
      .toContain('lease')
    const later = fakeClock(clock.now() + 30_000)
    const other = createVault({
      store: stores.admin,
      keys: [keyOf('a')],
      clock: later,
      entropy: systemEntropy(),
      http: httpOverFetch,
    })
    expect(await tokenFor(ann, other)).toMatch(/^Bearer access-/)
    expect(refreshes()).toBe(1)
  })

  test('of a node that was paused beyond its lease is still stored, because it is newer', async () => {
    const answers = holdAnswers()
    const paused = anotherVault(stores.admin, answers.http)
    const first = tokenFor(ann, paused)
    await expect.poll(() => refreshes()).toBe(1)
    const later = fakeClock(clock.now() + 30_000)
    const other = createVault({
      store: stores.admin,
      keys: [keyOf('a')],
      clock: later,
      entropy: systemEntropy(),
      http: httpOverFetch,
    })
    expect((await rejectionOf(tokenFor(ann, other))).code).toBe('TOOL_GATE_CLOSED')
    answers.release()
    const kept = await first
    expect(await tokenFor(ann, other)).toBe(kept)
  })

  test('survives a store that is unavailable for a moment when the token is stored', async () => {
    let failures = 0
    const shaky: AdminStore = {
      ...stores.admin,
      change: (change, entry) => {
        if (entry.outcome !== 'renewed' || failures++ >= 2)
          return stores.admin.change(change, entry)
        throw new Error('out of reach')
      },
    }
    const renewing = tokenFor(ann, anotherVault(shaky))
    await expect.poll(() => failures).toBe(1)
    await clock.advance(1_000)
    expect(await renewing).toMatch(/^Bearer access-/)
    await clock.advance(HOUR_MS)
    expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
  })

  test('that the server rejects requires a new consent, is not tried again, and works after the consent', async () => {
    server.revoke()
    for (let time = 0; time < 3; time++)
      expect(await rejectionOf(tokenFor(ann))).toMatchObject({
        code: 'TOOL_GATE_CLOSED',
        effect: 'none',
        details: { source_code: 'consent_required' },
      })
    expect(refreshes()).toBe(1)
    await consent(ann)
    expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
  })

  test('that does not rotate is kept although the server does not repeat it', async () => {
    await startServer({ rotation: 'lasting' })
    await setCredential(vault, 'shop.oauth', web())
    await consent(ann)
    for (let hour = 0; hour < 3; hour++) {
      await clock.advance(HOUR_MS)
      expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
    }
  })

  test('that is missing leads to a consent request once the access token has expired', async () => {
    const without = anotherVault(stores.admin, async (request) => {
      const answer = await httpOverFetch(request)
      return {
        ...answer,
        body: JSON.stringify({ ...JSON.parse(answer.body), refresh_token: undefined }),
      }
    })
    await consent(bob, without)
    expect(await tokenFor(bob)).toMatch(/^Bearer access-/)
    await clock.advance(HOUR_MS)
    expect((await rejectionOf(tokenFor(bob))).code).toBe('TOOL_GATE_CLOSED')
    expect(refreshes()).toBe(0)
  })
})
