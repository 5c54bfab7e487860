import { type FakeClock, fakeClock } from '@surehand/conformance'
import { type Caller, memoryStores, type Stores, ToolError } from '@surehand/core'
import { type AdminStore, systemEntropy } from '@surehand/core/ports'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CredentialForm } from './credential-form.ts'
import { securedSend } from './secured-send.ts'
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from './testing/authorization-server.ts'
import type { GrantsOptions } from './testing/grants.ts'
import {
  ann,
  bob,
  callBy,
  errorOf,
  exchangeOverFetch,
  give,
  httpOverFetch,
  keyOf,
  needs,
  requestTo,
  root,
} from './testing/vault-world.ts'
import { createVault, type Vault } from './vault.ts'

const signal = new AbortController().signal
const BACK = 'https://house.example/consent'
const HOUR_MS = 3_600_000

let clock: FakeClock
let stores: Stores
let server: AuthorizationServer
let vault: Vault
let servers: AuthorizationServer[]

const anotherVault = (store: AdminStore = stores.admin, http = httpOverFetch): Vault =>
  createVault({ store, keys: [keyOf('a')], clock, chance: systemEntropy(), http })

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
  await of.finishAuthorization(by, await server.agree(url))
}

const send = (by = vault) => securedSend({ vault: by, exchange: exchangeOverFetch })

describe('client credentials', () => {
  test.each([
    ['in a header', {}],
    ['in the body', { clientId: 'poster', clientSecret: 'poster-secret', auth: 'post' }],
  ])(
    '%s get a token that the API takes, once for all calls until it runs out',
    async (_, changes) => {
      await give(vault, 'shop.oauth', machine(changes))
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          send()(requestTo(`${server.url}/api/me`, [needs.oauth]), callBy(ann), signal),
        ),
      )
      expect([answers.map(({ status }) => status), server.asked()]).toEqual([
        [200, 200, 200, 200, 200],
        ['client_credentials'],
      ])
    },
  )

  test('are asked for again half a minute before their token runs out, not before', async () => {
    await give(vault, 'shop.oauth', machine())
    const first = await tokenFor(ann)
    await clock.advance(HOUR_MS - 30_001)
    expect(await tokenFor(bob)).toBe(first)
    await clock.advance(1)
    expect([(await tokenFor(bob)) === first, server.asked().length]).toEqual([false, 2])
  })

  test('share their token over nodes', async () => {
    await give(vault, 'shop.oauth', machine())
    expect(await tokenFor(ann, anotherVault())).toBe(await tokenFor(ann))
    expect(server.asked()).toEqual(['client_credentials'])
  })

  test('that the server refuses are told so, with nothing sent', async () => {
    await give(vault, 'shop.oauth', machine({ clientSecret: 'wrong-secret' }))
    expect(await errorOf(tokenFor(ann))).toMatchObject({
      code: 'TOOL_API_KEY_INVALID',
      effect: 'none',
      details: { reason: 'invalid_client' },
    })
    await give(vault, 'shop.oauth', machine())
    expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
  })

  test('get a new token after the API refused the old one, whatever its date says', async () => {
    await give(vault, 'shop.oauth', machine())
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

  test('of another client do not go on with the old one’s token', async () => {
    await give(vault, 'shop.oauth', machine())
    const first = await tokenFor(ann)
    await give(
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
    'that fails (%s) leaves nothing done, and the next call asks again',
    async (kind, code) => {
      await give(vault, 'shop.oauth', machine())
      server.fail({ kind })
      expect(await errorOf(tokenFor(ann))).toMatchObject({ code, effect: 'none' })
      expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
    },
  )

  test('that does not answer is given up, and the next call asks again', async () => {
    await give(vault, 'shop.oauth', machine())
    server.fail({ kind: 'hang', when: 'after' })
    const waiting = errorOf(tokenFor(ann))
    await vi.waitFor(() => expect(server.effects()).toHaveLength(1))
    await clock.advance(15_000)
    expect(await waiting).toMatchObject({ code: 'TOOL_EXECUTION_TIMEOUT', effect: 'none' })
    expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
  })

  test('that is slow is asked once by all who wait; who leaves does not take the others along', async () => {
    await give(vault, 'shop.oauth', machine())
    server.fail({ kind: 'slow', delayMs: 100, when: 'after' })
    const leaver = new AbortController()
    const leaving = errorOf(
      vault.applySecurity(requestTo(server.url, [needs.oauth]), callBy(ann), {
        signal: leaver.signal,
      }),
    )
    const others = [tokenFor(ann), tokenFor(bob), tokenFor(root)]
    await vi.waitFor(() => expect(server.effects()).toHaveLength(1))
    leaver.abort()
    expect((await leaving).code).toBe('TOOL_CANCELLED')
    expect(new Set(await Promise.all(others)).size).toBe(1)
    expect(server.asked()).toHaveLength(1)
  })

  test('that may not be asked is told in the words of who forbids it', async () => {
    await give(vault, 'shop.oauth', machine())
    const shut = anotherVault(stores.admin, async () => {
      throw new ToolError('TOOL_INSUFFICIENT_PERMISSIONS', '127.0.0.1 is not open to this house.', {
        suggestions: ['Open it.'],
      })
    })
    expect(await errorOf(tokenFor(ann, shut))).toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
      effect: 'none',
      message:
        'Nothing was sent: the token endpoint of "shop.oauth" could not be asked. 127.0.0.1 is not open to this house.',
      suggestions: ['Open it.'],
    })
  })

  test('that sends us elsewhere is not followed', async () => {
    await give(vault, 'shop.oauth', machine({ tokenUrl: `${server.url}/authorize` }))
    const asked: string[] = []
    const moved = anotherVault(stores.admin, async ({ url, redirect }) => {
      asked.push(`${url} ${redirect}`)
      return { status: 307, body: '' }
    })
    expect(await errorOf(tokenFor(ann, moved))).toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
      effect: 'none',
    })
    expect(asked).toEqual([`${server.url}/authorize stop`])
  })
})

describe('an authorization', () => {
  test('asks with S256 and gets each person a token of their own', async () => {
    await give(vault, 'shop.oauth', web())
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
    expect(await vault.finishAuthorization(ann, await server.agree(url))).toEqual({
      credential: 'shop.oauth',
      for: 'principal',
      scopes: ['orders.read', 'orders.write'],
    })
    await consent(bob)
    expect(await tokenFor(ann)).not.toBe(await tokenFor(bob))
  })

  test('with another verifier is refused by the server', async () => {
    await give(vault, 'shop.oauth', web())
    const first = await server.agree(
      (await vault.beginAuthorization(ann, 'shop.oauth', { redirectUri: BACK })).url,
    )
    const second = await server.agree(
      (await vault.beginAuthorization(ann, 'shop.oauth', { redirectUri: BACK })).url,
    )
    // the code of the first beginning with the verifier of the second
    expect(
      await errorOf(vault.finishAuthorization(ann, { state: second.state, code: first.code })),
    ).toMatchObject({
      details: { reason: 'invalid_grant' },
    })
  })

  test('of a public client needs no secret', async () => {
    await give(vault, 'shop.oauth', {
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

  test('for the whole house is given by an administrator and serves everybody', async () => {
    await give(vault, 'shop.oauth', web({ for: 'tenant' }))
    expect((await errorOf(consent(ann))).code).toBe('TOOL_ROLE_NOT_AUTHORIZED')
    await consent(root)
    expect(await tokenFor(ann)).toBe(await tokenFor(bob))
  })

  test('that was never given is named, with what to do, before anything is sent', async () => {
    await give(vault, 'shop.oauth', web())
    await consent(bob)
    expect(await errorOf(tokenFor(ann))).toMatchObject({
      code: 'TOOL_GATE_CLOSED',
      effect: 'none',
      details: {
        source_code: 'consent_required',
        command: 'surehand credentials authorize shop.oauth',
      },
    })
  })

  test('that is withdrawn is not used any more', async () => {
    await give(vault, 'shop.oauth', web())
    await consent(ann)
    await vault.withdrawConsent(ann, 'shop.oauth')
    expect((await errorOf(tokenFor(ann))).code).toBe('TOOL_GATE_CLOSED')
  })

  test('that the person denies is none', async () => {
    await give(vault, 'shop.oauth', web())
    const { state } = await vault.beginAuthorization(ann, 'shop.oauth', { redirectUri: BACK })
    expect(
      (await errorOf(vault.finishAuthorization(ann, { state, error: 'access_denied' }))).code,
    ).toBe('TOOL_GATE_CLOSED')
    expect(server.asked()).toEqual([])
  })

  test('is not begun by an agent, nor with an address under plain HTTP', async () => {
    await give(vault, 'shop.oauth', web())
    expect(
      (
        await errorOf(
          vault.beginAuthorization({ ...ann, actor: 'ai_agent' }, 'shop.oauth', {
            redirectUri: BACK,
          }),
        )
      ).code,
    ).toBe('TOOL_INSUFFICIENT_PERMISSIONS')
    expect(
      (
        await errorOf(
          vault.beginAuthorization(ann, 'shop.oauth', { redirectUri: 'http://house.example/' }),
        )
      ).code,
    ).toBe('TOOL_INVALID_FIELD_VALUE')
  })
})

describe('a state', () => {
  const begun = async (by = ann) =>
    server.agree((await vault.beginAuthorization(by, 'shop.oauth', { redirectUri: BACK })).url)
  const refusal = {
    code: 'TOOL_RESOURCE_ACCESS_DENIED',
    effect: 'none',
    details: { source_code: 'consent_state_refused' },
  }
  beforeEach(() => give(vault, 'shop.oauth', web()))

  test('works once', async () => {
    const back = await begun()
    await vault.finishAuthorization(ann, back)
    expect(await errorOf(vault.finishAuthorization(ann, back))).toMatchObject(refusal)
  })

  test('works once when it comes to two nodes at the same time', async () => {
    const back = await begun()
    const ends = await Promise.allSettled(
      [vault, anotherVault(), anotherVault()].map((one) => one.finishAuthorization(ann, back)),
    )
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(server.asked()).toEqual(['authorization_code'])
  })

  test('of one person is refused from another, from another house and from an agent', async () => {
    const back = await begun()
    expect(await errorOf(vault.finishAuthorization(bob, back))).toMatchObject(refusal)
    expect(
      await errorOf(vault.finishAuthorization({ ...ann, tenant: 'other' }, back)),
    ).toMatchObject(refusal)
    expect(
      (await errorOf(vault.finishAuthorization({ ...ann, actor: 'ai_agent' }, back))).code,
    ).toBe('TOOL_INSUFFICIENT_PERMISSIONS')
    expect(server.asked()).toEqual([])
    await vault.finishAuthorization(ann, back)
  })

  test('that was changed or made up is refused, at every character', async () => {
    const { state, code } = await begun()
    const [body = '', signature = ''] = state.split('.')
    const told = JSON.parse(Buffer.from(body, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...told, principal: 'bob' })).toString('base64url')
    expect(
      await errorOf(vault.finishAuthorization(bob, { state: `${forged}.${signature}`, code })),
    ).toMatchObject(refusal)
    for (const [index, character] of [...state].entries()) {
      const changed =
        state.slice(0, index) + (character === 'A' ? 'B' : 'A') + state.slice(index + 1)
      expect(await errorOf(vault.finishAuthorization(ann, { state: changed, code }))).toMatchObject(
        refusal,
      )
    }
    for (const made of ['', '.', body, `${body}.`, `${state}.`, 'x'.repeat(10_000)])
      expect(await errorOf(vault.finishAuthorization(ann, { state: made, code }))).toMatchObject(
        refusal,
      )
    expect(server.asked()).toEqual([])
  })

  test('runs out after ten minutes', async () => {
    const back = await begun()
    await clock.advance(10 * 60_000)
    expect(await errorOf(vault.finishAuthorization(ann, back))).toMatchObject(refusal)
  })

  test('is refused when a newer one was begun, or when the client changed meanwhile', async () => {
    const older = await begun()
    const newer = await begun()
    expect(await errorOf(vault.finishAuthorization(ann, older))).toMatchObject(refusal)
    await give(vault, 'shop.oauth', web({ tokenUrl: `${server.url}/token2` }))
    expect(await errorOf(vault.finishAuthorization(ann, newer))).toMatchObject(refusal)
    expect(server.asked()).toEqual([])
  })
})

describe('a refresh token', () => {
  beforeEach(async () => {
    await give(vault, 'shop.oauth', web())
    await consent(ann)
    await clock.advance(HOUR_MS)
  })
  const refreshes = () => server.asked().filter((kind) => kind === 'refresh_token').length

  test('that rotates is kept: hour after hour the API takes the token', async () => {
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

  test('is used once by many calls of many nodes at the same time', async () => {
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

  test('is not lost when everything is sealed anew while it is renewed', async () => {
    server.fail({ kind: 'slow', delayMs: 100, when: 'after' })
    const rotated = createVault({
      store: stores.admin,
      keys: [keyOf('b'), keyOf('a')],
      clock,
      chance: systemEntropy(),
      http: httpOverFetch,
    })
    const renewing = tokenFor(ann, rotated)
    await vi.waitFor(() => expect(refreshes()).toBe(1))
    expect(await rotated.reseal('home')).toMatchObject({ unopened: [] })
    await renewing
    await clock.advance(HOUR_MS)
    expect(await tokenFor(ann, rotated)).toMatch(/^Bearer access-/)
  })

  test.each([
    [
      'that rotates is told to be lost',
      'rotating',
      { code: 'TOOL_STORAGE_ERROR', effect: 'none', details: { source_code: 'tokens_not_kept' } },
    ],
    ['that lasts is still there', 'lasting', undefined],
  ] as const)(
    '%s when it is sealed anew, while it is renewed, with a key that this node does not have',
    async (_, rotation, told) => {
      await startServer({ rotation })
      await give(vault, 'shop.oauth', web())
      await consent(ann)
      await clock.advance(HOUR_MS)
      server.fail({ kind: 'slow', delayMs: 100, when: 'after' })
      const rotated = createVault({
        store: stores.admin,
        keys: [keyOf('b'), keyOf('a')],
        clock,
        chance: systemEntropy(),
        http: httpOverFetch,
      })
      const renewing = tokenFor(ann).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      await vi.waitFor(() => expect(refreshes()).toBe(1))
      await rotated.reseal('home')
      const ended = await renewing
      await clock.advance(HOUR_MS)
      if (told === undefined)
        expect([ended, await tokenFor(ann, rotated)]).toEqual([
          undefined,
          expect.stringMatching(/^Bearer access-/),
        ])
      else
        expect([ended, (await errorOf(tokenFor(ann, rotated))).code]).toMatchObject([
          told,
          'TOOL_GATE_CLOSED',
        ])
    },
  )

  test('is renewed by another node when the first one died over it, after its lease', async () => {
    const dying = anotherVault(stores.admin, () => new Promise(() => undefined))
    void tokenFor(ann, dying).catch(() => undefined)
    await vi.waitFor(async () =>
      expect(JSON.stringify(await stores.admin.list('home', 'credential'))).toContain('lease'),
    )
    const later = fakeClock(clock.now() + 30_000)
    const other = createVault({
      store: stores.admin,
      keys: [keyOf('a')],
      clock: later,
      chance: systemEntropy(),
      http: httpOverFetch,
    })
    expect(await tokenFor(ann, other)).toMatch(/^Bearer access-/)
    expect(refreshes()).toBe(1)
  })

  test('of a node that was paused over its lease is still kept: it is the newer one', async () => {
    const held = Promise.withResolvers<void>()
    const paused = anotherVault(stores.admin, async (request) => {
      const answer = await httpOverFetch(request)
      await held.promise
      return answer
    })
    const first = tokenFor(ann, paused)
    await vi.waitFor(() => expect(refreshes()).toBe(1))
    const later = fakeClock(clock.now() + 30_000)
    const other = createVault({
      store: stores.admin,
      keys: [keyOf('a')],
      clock: later,
      chance: systemEntropy(),
      http: httpOverFetch,
    })
    expect((await errorOf(tokenFor(ann, other))).code).toBe('TOOL_GATE_CLOSED')
    held.resolve()
    const kept = await first
    expect(await tokenFor(ann, other)).toBe(kept)
  })

  test('survives a store that is out of reach for a moment when it is to be kept', async () => {
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
    await vi.waitFor(() => expect(failures).toBe(1))
    await clock.advance(1_000)
    expect(await renewing).toMatch(/^Bearer access-/)
    await clock.advance(HOUR_MS)
    expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
  })

  test('that the server does not take any more means consent again, is not tried again, and consent mends it', async () => {
    server.revoke()
    for (let time = 0; time < 3; time++)
      expect(await errorOf(tokenFor(ann))).toMatchObject({
        code: 'TOOL_GATE_CLOSED',
        effect: 'none',
        details: { source_code: 'consent_required' },
      })
    expect(refreshes()).toBe(1)
    await consent(ann)
    expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
  })

  test('that lasts is kept though the server does not repeat it', async () => {
    await startServer({ rotation: 'lasting' })
    await give(vault, 'shop.oauth', web())
    await consent(ann)
    for (let hour = 0; hour < 3; hour++) {
      await clock.advance(HOUR_MS)
      expect(await tokenFor(ann)).toMatch(/^Bearer access-/)
    }
  })

  test('is not there: when its token has run out, consent is asked for', async () => {
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
    expect((await errorOf(tokenFor(bob))).code).toBe('TOOL_GATE_CLOSED')
    expect(refreshes()).toBe(0)
  })
})
