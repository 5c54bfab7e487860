import {
  type Caller,
  createRuntime,
  isToolError,
  memoryStores,
  type Runtime,
  type Stores,
} from '@surehand/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { createIdentity, type Identity } from './identity.ts'
import { createIdentityApi, type IdentityApi, systemCaller } from './identity-api.ts'

const root: Caller = {
  tenant: 'home',
  principal: 'root',
  actor: 'user',
  roles: ['admin'],
  capabilities: [],
}

let nowMs = 0
let stores: Stores
let runtime: Runtime
let identity: Identity
let api: IdentityApi
const clock = { now: () => nowMs, ticks: () => nowMs, after: () => () => undefined }

beforeEach(async () => {
  nowMs = Date.parse('2026-02-01T10:00:00Z')
  stores = memoryStores({ clock })
  identity = createIdentity({ store: stores.admin, clock, home: 'home' })
  runtime = createRuntime({ packs: [], stores, clock, currentCaller: identity.currentCaller })
  api = createIdentityApi({
    administration: runtime.administration,
    directory: identity.directory,
    clock,
    home: 'home',
  })
  await api.principals.put(root, 'ann', {
    roles: ['user'],
    capabilities: ['lamps.read', 'lamps.make'],
  })
})

async function codeOf(answer: Promise<unknown>): Promise<string | undefined> {
  const thrown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  )
  return isToolError(thrown) ? thrown.code : undefined
}

describe('a token', () => {
  test('identifies the caller with the permissions they have today', async () => {
    const { token, id } = await api.tokens.create(root, { principal: 'ann', name: 'laptop' })
    expect(await identity.authenticate(token)).toEqual({
      credential: `home/${id}`,
      token: id,
      caller: {
        tenant: 'home',
        principal: 'ann',
        actor: 'user',
        roles: ['user'],
        capabilities: ['lamps.read', 'lamps.make'],
        session: `token:${id}`,
      },
    })
  })

  test('of an agent acts for its principal, with its scopes and the delegated capabilities', async () => {
    await api.principals.put(root, 'bob', { roles: ['user'], delegated: ['lamps.*'] })
    const { token } = await api.tokens.create(root, {
      principal: 'bob',
      name: 'bot',
      actor: 'ai_agent',
      scopes: ['lamps.read'],
    })
    expect((await identity.authenticate(token))?.caller).toMatchObject({
      principal: 'bob',
      actor: 'ai_agent',
      scopes: ['lamps.read'],
      delegated: ['lamps.*'],
    })
  })

  test("that is limited to some scopes does not have its holder's admin role", async () => {
    await api.principals.put(root, 'boss', { roles: ['admin'] })
    const narrow = await api.tokens.create(root, {
      principal: 'boss',
      name: 'ci',
      scopes: ['lamps.read'],
    })
    const wide = await api.tokens.create(root, { principal: 'boss', name: 'desktop' })
    const [guest, owner] = [
      await identity.authenticate(narrow.token),
      await identity.authenticate(wide.token),
    ]
    expect([guest?.caller.roles, owner?.caller.roles]).toEqual([['power_user'], ['admin']])
    expect(await codeOf(api.tokens.list(guest?.caller as Caller))).toBe('TOOL_ROLE_NOT_AUTHORIZED')
  })

  test('is stored as a hash: its secret is nowhere in the store, and its hash in no list', async () => {
    const { token, lastFour } = await api.tokens.create(root, { principal: 'ann', name: 'laptop' })
    const kept = JSON.stringify(await stores.admin.list('home', 'token'))
    expect(kept).not.toContain(token.slice(-43))
    expect(token.endsWith(lastFour)).toBe(true)
    expect(JSON.stringify(await api.tokens.list(root))).not.toContain('hash')
  })

  test.each([
    ['another secret', (token: string) => token.slice(0, -43) + 'A'.repeat(43)],
    ['a cut secret', (token: string) => token.slice(0, -1)],
    [
      'another tenant',
      (token: string) =>
        token.replace(/^sh_[^_]+/, `sh_${Buffer.from('globex').toString('base64url')}`),
    ],
    ['another id', (token: string) => token.replace(/_[0-9a-z]{26}_/, `_${'0'.repeat(26)}_`)],
    ['nothing', () => ''],
    ['a link for a token', (token: string) => token.replace('sh_', 'shl_')],
    ['a megabyte', () => `sh_${'a'.repeat(1_000_000)}`],
  ])('forged with %s is refused', async (_, forge) => {
    const { token } = await api.tokens.create(root, { principal: 'ann', name: 'laptop' })
    expect(await identity.authenticate(forge(token))).toBeUndefined()
  })

  test('of one tenant is not valid in another that has the same person', async () => {
    await api.tenants.put(root, 'globex', { name: 'Globex' })
    await api.principals.put(systemCaller('globex'), 'ann', { roles: ['admin'] })
    const { token } = await api.tokens.create(root, { principal: 'ann', name: 'laptop' })
    expect((await identity.authenticate(token))?.caller).toMatchObject({
      tenant: 'home',
      roles: ['user'],
    })
  })

  test('is refused from the millisecond of its expiry', async () => {
    const { token } = await api.tokens.create(root, {
      principal: 'ann',
      name: 'short',
      expiresInSeconds: 60,
    })
    nowMs += 59_999
    expect(await identity.authenticate(token)).toBeDefined()
    nowMs += 1
    expect(await identity.authenticate(token)).toBeUndefined()
  })

  test('that was revoked on another node is refused a second later', async () => {
    const { token, id } = await api.tokens.create(root, { principal: 'ann', name: 'laptop' })
    const other = createIdentity({ store: stores.admin, clock, home: 'home' })
    expect(await other.authenticate(token)).toBeDefined()
    await api.tokens.revoke(root, id)
    nowMs += 1_000
    expect(await other.authenticate(token)).toBeUndefined()
  })

  test('is refused after its principal or its tenant was disabled', async () => {
    await api.tenants.put(root, 'globex', { name: 'Globex' })
    const globexAdmin = systemCaller('globex')
    await api.principals.put(globexAdmin, 'eve', {})
    const { token } = await api.tokens.create(globexAdmin, { principal: 'eve', name: 'x' })
    expect(await identity.authenticate(token)).toBeDefined()
    await api.principals.put(globexAdmin, 'eve', { disabled: true }, 1)
    nowMs += 1_000
    expect(await identity.authenticate(token)).toBeUndefined()
    await api.principals.put(globexAdmin, 'eve', {}, 2)
    await api.tenants.put(root, 'globex', { name: 'Globex', disabled: true }, 1)
    nowMs += 1_000
    expect(await identity.authenticate(token)).toBeUndefined()
  })

  test('is read from the store once while nothing changes', async () => {
    const { token } = await api.tokens.create(root, { principal: 'ann', name: 'laptop' })
    let looks = 0
    const counted = {
      ...stores.admin,
      get: (...where: Parameters<typeof stores.admin.get>) => {
        looks++
        return stores.admin.get(...where)
      },
    }
    const fresh = createIdentity({ store: counted, clock, home: 'home' })
    await fresh.authenticate(token)
    const first = looks
    await api.tenants.list(root)
    nowMs += 600
    await fresh.authenticate(token)
    // The home tenant, which has no record, is read again; token and principal are not.
    expect(looks - first).toBeLessThanOrEqual(1)
  })

  describe('that is cached', () => {
    // The first request reads the tenants, and the second one is cached.
    async function cacheToken(
      form: object = {},
    ): Promise<{ readonly token: string; readonly id: string }> {
      const made = await api.tokens.create(root, { principal: 'ann', name: 'laptop', ...form })
      await identity.authenticate(made.token)
      await identity.authenticate(made.token)
      expect(identity.authenticate(made.token)).toMatchObject({ caller: { principal: 'ann' } })
      return made
    }

    test('is answered synchronously with the same caller', async () => {
      const { token, id } = await cacheToken()
      expect(identity.authenticate(token)).toEqual(
        await createIdentity({ store: stores.admin, clock, home: 'home' }).authenticate(token),
      )
      expect(identity.authenticate(token)).toMatchObject({ credential: `home/${id}`, token: id })
    })

    test('is refused after it was revoked, as soon as its tenant is read again', async () => {
      const { token, id } = await cacheToken()
      await api.tokens.revoke(root, id)
      nowMs += 500
      expect(await identity.authenticate(token)).toBeUndefined()
    })

    test('is refused from the millisecond of its expiry', async () => {
      const { token, id } = await cacheToken({ expiresInSeconds: 1 })
      nowMs += 999
      await identity.authenticate(token)
      await identity.authenticate(token)
      expect(identity.authenticate(token)).toMatchObject({ token: id })
      nowMs += 1
      expect(await identity.authenticate(token)).toBeUndefined()
    })

    test('has the new permissions of its principal after the next read, and is refused once they are disabled', async () => {
      const { token } = await cacheToken()
      await api.principals.put(root, 'ann', { roles: ['guest'] }, 1)
      nowMs += 500
      expect((await identity.authenticate(token))?.caller).toMatchObject({
        roles: ['guest'],
        capabilities: [],
      })
      await api.principals.put(root, 'ann', { disabled: true }, 2)
      nowMs += 500
      expect(await identity.authenticate(token)).toBeUndefined()
    })

    test('is refused after its tenant was disabled, which the home tenant records', async () => {
      await api.tenants.put(root, 'globex', { name: 'Globex' })
      await api.principals.put(systemCaller('globex'), 'eve', {})
      const { token } = await api.tokens.create(systemCaller('globex'), {
        principal: 'eve',
        name: 'x',
      })
      await identity.directory.isOpen('globex')
      nowMs += 400
      await identity.authenticate(token)
      await identity.authenticate(token)
      await api.tenants.put(root, 'globex', { name: 'Globex', disabled: true }, 1)
      nowMs += 100
      expect(await identity.authenticate(token)).toBeUndefined()
    })

    test('does not accept a token that differs in the last character', async () => {
      const { token } = await cacheToken()
      expect(
        await identity.authenticate(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
      ).toBeUndefined()
    })
  })

  test('is refused while the store is unavailable', async () => {
    const { token } = await api.tokens.create(root, { principal: 'ann', name: 'laptop' })
    let isDown = false
    const fresh = createIdentity({
      store: {
        ...stores.admin,
        version: (tenant) => {
          if (isDown) throw new Error('gone')
          return stores.admin.version(tenant)
        },
      },
      clock,
      home: 'home',
    })
    expect(await fresh.authenticate(token)).toBeDefined()
    isDown = true
    nowMs += 1_000
    await expect(fresh.authenticate(token)).rejects.toThrow('gone')
  })
})

describe('an issuer', () => {
  const claims: Caller = {
    tenant: 'home',
    principal: 'eve',
    actor: 'user',
    roles: ['admin', 'user'],
    capabilities: [],
    session: 'jwt:1',
  }
  const admitCaller = async (claimed: Partial<Caller>): Promise<Caller | undefined> => {
    const issued = createIdentity({
      store: stores.admin,
      clock,
      home: 'home',
      jwt: { read: async () => ({ caller: { ...claims, ...claimed }, expiresAt: nowMs + 1_000 }) },
      isReserved: (principal) => principal.startsWith('market:'),
    })
    const { caller } = (await issued.authenticate('a.b.c')) ?? {}
    if (caller === undefined || caller.actor === 'ai_agent') return caller
    // The session that a page opens with the token has the same limits.
    const { tenant, principal, roles, scopes } = caller
    const session = { id: 's', tenant, principal, expiresAt: nowMs + 1_000 }
    const inPage = await issued.authenticateSession({
      ...session,
      claimed: { roles, ...(scopes && { scopes }) },
    })
    expect(inPage).toEqual({ ...caller, session: 'jwt:s' })
    expect(await issued.currentCaller(caller)).toEqual(caller)
    return caller
  }

  test.each<[string, readonly string[] | undefined, readonly string[]]>([
    ['no scope', undefined, ['admin', 'user']],
    ['the scope of everything', ['*'], ['admin', 'user']],
    ['a scope', ['lamps.read'], ['power_user', 'user']],
    ['an empty scope', [], ['power_user', 'user']],
  ])('who names %s claims these roles', async (_, scopes, roles) => {
    expect((await admitCaller({ ...(scopes && { scopes }) }))?.roles).toEqual(roles)
  })

  test('hands an agent no more than its principal has delegated here', async () => {
    await api.principals.put(root, 'eve', { delegated: [] })
    expect(await admitCaller({ actor: 'ai_agent' })).toMatchObject({ delegated: [] })
    await api.principals.put(root, 'eli', { delegated: ['lamps.*', 'oil.read'] })
    expect(
      await admitCaller({
        principal: 'eli',
        actor: 'ai_agent',
        delegated: ['lamps.read', 'tea.read'],
      }),
    ).toMatchObject({ delegated: ['lamps.read'] })
  })

  test.each([
    'a b',
    'ann\u200b',
    'änn',
    '',
    'x'.repeat(129),
    '.',
    '..',
    'system',
    'anonymous',
    'market:client-1',
  ])('names nobody who could not be disabled here: "%s"', async (principal) => {
    expect(await admitCaller({ principal })).toBeUndefined()
  })

  test.each(['auth0|65a1', 'ann@issuer.example', 'https://issuer.example/users/7', '00u1.b-c_d'])(
    'names %s, who can be disabled',
    async (principal) => {
      expect(await admitCaller({ principal })).toBeDefined()
      await api.principals.put(root, principal, { disabled: true })
      nowMs += 1_000
      expect(await admitCaller({ principal })).toBeUndefined()
    },
  )
})

describe('administration', () => {
  test('of tokens, principals and tenants requires an administrator who is a person', async () => {
    const user: Caller = { ...root, principal: 'ann', roles: ['user'] }
    const agent: Caller = { ...root, actor: 'ai_agent' }
    expect(await codeOf(api.tokens.create(user, { principal: 'ann', name: 'x' }))).toBe(
      'TOOL_ROLE_NOT_AUTHORIZED',
    )
    expect(await codeOf(api.principals.put(agent, 'ann', { roles: ['admin'] }, 1))).toBe(
      'TOOL_INSUFFICIENT_PERMISSIONS',
    )
    expect(await codeOf(api.tenants.put({ ...root, tenant: 'globex' }, 'x', { name: 'X' }))).toBe(
      'TOOL_INSUFFICIENT_PERMISSIONS',
    )
  })

  test('is recorded in the audit', async () => {
    await api.tokens.create(root, { principal: 'ann', name: 'laptop' })
    const records = await stores.audit.list({ tenant: 'home' })
    expect(records.filter(({ tool_name }) => tool_name.startsWith('token:'))).toMatchObject([
      { principal: 'root', outcome: 'set' },
    ])
  })

  test('with an old version is refused, and so is a token for an unknown principal', async () => {
    expect(await codeOf(api.principals.put(root, 'ann', {}, 7))).toBe(
      'TOOL_RESOURCE_ALREADY_EXISTS',
    )
    expect(await codeOf(api.tokens.create(root, { principal: 'unknown', name: 'x' }))).toBe(
      'TOOL_RESOURCE_NOT_FOUND',
    )
    expect(await codeOf(api.principals.put(root, 'a b', {}))).toBe('TOOL_INVALID_INPUT')
  })

  test('cannot disable the home tenant', async () => {
    expect(await codeOf(api.tenants.put(root, 'home', { name: 'Home', disabled: true }))).toBe(
      'TOOL_GATE_CLOSED',
    )
  })
})

describe('the current permissions of a stored caller', () => {
  const storedCaller = async (): Promise<Caller> => {
    const { token } = await api.tokens.create(root, { principal: 'ann', name: 'laptop' })
    return (await identity.authenticate(token))?.caller as Caller
  }

  test('are those that were claimed then and are granted today', async () => {
    const caller = await storedCaller()
    expect(await identity.currentCaller(caller)).toEqual(caller)
    await api.principals.put(
      root,
      'ann',
      { roles: ['user', 'admin'], capabilities: ['lamps.r*', 'lamps.make', 'more.*'] },
      1,
    )
    nowMs += 1_000
    expect(await identity.currentCaller(caller)).toMatchObject({
      roles: ['user'],
      capabilities: ['lamps.make'],
    })
  })

  test('of a wider grant and a narrower claim are the narrower', async () => {
    const caller = await storedCaller()
    await api.principals.put(root, 'ann', { roles: ['user'], capabilities: ['lamps.*'] }, 1)
    nowMs += 1_000
    expect((await identity.currentCaller(caller))?.capabilities).toEqual([
      'lamps.read',
      'lamps.make',
    ])
    expect(
      (await identity.currentCaller({ ...caller, capabilities: ['*'] }))?.capabilities,
    ).toEqual(['lamps.*'])
  })

  test('are none for a disabled or unknown principal, or a revoked token', async () => {
    const caller = await storedCaller()
    await api.tokens.revoke(root, caller.session?.slice('token:'.length) ?? '')
    nowMs += 1_000
    expect(await identity.currentCaller(caller)).toBeUndefined()
    expect(await identity.currentCaller({ ...caller, session: 'page:1' })).toBeDefined()
    await api.principals.put(root, 'ann', { disabled: true }, 1)
    nowMs += 1_000
    expect(await identity.currentCaller({ ...caller, session: 'page:1' })).toBeUndefined()
    expect(await identity.currentCaller({ ...caller, principal: 'ghost' })).toBeUndefined()
  })
})

describe('a sign-in link', () => {
  const link = () =>
    api.links.create(systemCaller('home'), {
      principal: 'first',
      roles: ['admin'],
      lifeSeconds: 900,
    })

  test('signs the first administrator in, once', async () => {
    const text = await link()
    expect(await api.links.redeem(text)).toEqual({ tenant: 'home', principal: 'first' })
    expect(await api.links.redeem(text)).toBeUndefined()
    expect(
      await identity.authenticateSession({
        id: 's',
        tenant: 'home',
        principal: 'first',
        expiresAt: nowMs + 1,
      }),
    ).toMatchObject({
      roles: ['admin'],
      session: 'page:s',
    })
  })

  test('accepts one of two requests at the same time', async () => {
    const text = await link()
    const both = await Promise.all([api.links.redeem(text), api.links.redeem(text)])
    expect(both.filter((signedIn) => signedIn !== undefined)).toHaveLength(1)
  })

  test('is refused when it has expired, was forged or is from another tenant', async () => {
    const text = await link()
    expect(await api.links.redeem(text.slice(0, -43) + 'B'.repeat(43))).toBeUndefined()
    expect(
      await api.links.redeem(
        text.replace(/^shl_[^_]+/, `shl_${Buffer.from('globex').toString('base64url')}`),
      ),
    ).toBeUndefined()
    nowMs += 900_000
    expect(await api.links.redeem(text)).toBeUndefined()
  })
})
