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
import { houseCaller, type IdentityDesk, identityDesk } from './identity-desk.ts'

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
let desk: IdentityDesk
const clock = { now: () => nowMs, ticks: () => nowMs, after: () => () => undefined }

beforeEach(async () => {
  nowMs = Date.parse('2026-02-01T10:00:00Z')
  stores = memoryStores({ clock })
  identity = createIdentity({ store: stores.admin, clock, home: 'home' })
  runtime = createRuntime({ packs: [], stores, clock, standing: identity.standing })
  desk = identityDesk({
    administration: runtime.administration,
    directory: identity.directory,
    clock,
    home: 'home',
  })
  await desk.principals.put(root, 'ann', {
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
  test('says who is calling, with what they hold today', async () => {
    const { token, id } = await desk.tokens.create(root, { principal: 'ann', name: 'laptop' })
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

  test('of an agent acts for its principal, with scopes and what was delegated', async () => {
    await desk.principals.put(root, 'bob', { roles: ['user'], delegated: ['lamps.*'] })
    const { token } = await desk.tokens.create(root, {
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

  test("for a few scopes leaves its holder's right to administer at home", async () => {
    await desk.principals.put(root, 'boss', { roles: ['admin'] })
    const narrow = await desk.tokens.create(root, {
      principal: 'boss',
      name: 'ci',
      scopes: ['lamps.read'],
    })
    const wide = await desk.tokens.create(root, { principal: 'boss', name: 'desk' })
    const [guest, owner] = [
      await identity.authenticate(narrow.token),
      await identity.authenticate(wide.token),
    ]
    expect([guest?.caller.roles, owner?.caller.roles]).toEqual([['power_user'], ['admin']])
    expect(await codeOf(desk.tokens.list(guest?.caller as Caller))).toBe('TOOL_ROLE_NOT_AUTHORIZED')
  })

  test('is kept as a hash: its secret stands nowhere in the store, and its hash in no list', async () => {
    const { token, lastFour } = await desk.tokens.create(root, { principal: 'ann', name: 'laptop' })
    const kept = JSON.stringify(await stores.admin.list('home', 'token'))
    expect(kept).not.toContain(token.slice(-43))
    expect(token.endsWith(lastFour)).toBe(true)
    expect(JSON.stringify(await desk.tokens.list(root))).not.toContain('hash')
  })

  test.each([
    ['another secret', (token: string) => token.slice(0, -43) + 'A'.repeat(43)],
    ['a cut secret', (token: string) => token.slice(0, -1)],
    [
      'another house',
      (token: string) =>
        token.replace(/^sh_[^_]+/, `sh_${Buffer.from('globex').toString('base64url')}`),
    ],
    ['another id', (token: string) => token.replace(/_[0-9a-z]{26}_/, `_${'0'.repeat(26)}_`)],
    ['nothing', () => ''],
    ['a link for a token', (token: string) => token.replace('sh_', 'shl_')],
    ['a megabyte', () => `sh_${'a'.repeat(1_000_000)}`],
  ])('forged with %s is nobody', async (_, forge) => {
    const { token } = await desk.tokens.create(root, { principal: 'ann', name: 'laptop' })
    expect(await identity.authenticate(forge(token))).toBeUndefined()
  })

  test('of one house opens no other, though both know the same person', async () => {
    await desk.tenants.put(root, 'globex', { name: 'Globex' })
    await desk.principals.put(houseCaller('globex'), 'ann', { roles: ['admin'] })
    const { token } = await desk.tokens.create(root, { principal: 'ann', name: 'laptop' })
    expect((await identity.authenticate(token))?.caller).toMatchObject({
      tenant: 'home',
      roles: ['user'],
    })
  })

  test('ends when it expires, to the millisecond', async () => {
    const { token } = await desk.tokens.create(root, {
      principal: 'ann',
      name: 'short',
      expiresInSeconds: 60,
    })
    nowMs += 59_999
    expect(await identity.authenticate(token)).toBeDefined()
    nowMs += 1
    expect(await identity.authenticate(token)).toBeUndefined()
  })

  test('that was revoked on another node is nobody a second later', async () => {
    const { token, id } = await desk.tokens.create(root, { principal: 'ann', name: 'laptop' })
    const other = createIdentity({ store: stores.admin, clock, home: 'home' })
    expect(await other.authenticate(token)).toBeDefined()
    await desk.tokens.revoke(root, id)
    nowMs += 1_000
    expect(await other.authenticate(token)).toBeUndefined()
  })

  test('ends with its principal and with its house', async () => {
    await desk.tenants.put(root, 'globex', { name: 'Globex' })
    const ruler = houseCaller('globex')
    await desk.principals.put(ruler, 'eve', {})
    const { token } = await desk.tokens.create(ruler, { principal: 'eve', name: 'x' })
    expect(await identity.authenticate(token)).toBeDefined()
    await desk.principals.put(ruler, 'eve', { disabled: true }, 1)
    nowMs += 1_000
    expect(await identity.authenticate(token)).toBeUndefined()
    await desk.principals.put(ruler, 'eve', {}, 2)
    await desk.tenants.put(root, 'globex', { name: 'Globex', disabled: true }, 1)
    nowMs += 1_000
    expect(await identity.authenticate(token)).toBeUndefined()
  })

  test('is looked up once while nothing changes', async () => {
    const { token } = await desk.tokens.create(root, { principal: 'ann', name: 'laptop' })
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
    await desk.tenants.list(root)
    nowMs += 600
    await fresh.authenticate(token)
    // the house without a record of its own is asked for again; token and principal are not
    expect(looks - first).toBeLessThanOrEqual(1)
  })

  describe('that was just looked at', () => {
    // the first look finds out about the houses, the second one is remembered
    async function known(
      form: object = {},
    ): Promise<{ readonly token: string; readonly id: string }> {
      const made = await desk.tokens.create(root, { principal: 'ann', name: 'laptop', ...form })
      await identity.authenticate(made.token)
      await identity.authenticate(made.token)
      expect(identity.authenticate(made.token)).toMatchObject({ caller: { principal: 'ann' } })
      return made
    }

    test('is not waited for, and says the same', async () => {
      const { token, id } = await known()
      expect(identity.authenticate(token)).toEqual(
        await createIdentity({ store: stores.admin, clock, home: 'home' }).authenticate(token),
      )
      expect(identity.authenticate(token)).toMatchObject({ credential: `home/${id}`, token: id })
    })

    test('is nobody when it was revoked, as soon as its house is looked at again', async () => {
      const { token, id } = await known()
      await desk.tokens.revoke(root, id)
      nowMs += 500
      expect(await identity.authenticate(token)).toBeUndefined()
    })

    test('is nobody from the millisecond in which it expires', async () => {
      const { token, id } = await known({ expiresInSeconds: 1 })
      nowMs += 999
      await identity.authenticate(token)
      await identity.authenticate(token)
      expect(identity.authenticate(token)).toMatchObject({ token: id })
      nowMs += 1
      expect(await identity.authenticate(token)).toBeUndefined()
    })

    test('holds what its principal holds at the next look, and ends with them', async () => {
      const { token } = await known()
      await desk.principals.put(root, 'ann', { roles: ['guest'] }, 1)
      nowMs += 500
      expect((await identity.authenticate(token))?.caller).toMatchObject({
        roles: ['guest'],
        capabilities: [],
      })
      await desk.principals.put(root, 'ann', { disabled: true }, 2)
      nowMs += 500
      expect(await identity.authenticate(token)).toBeUndefined()
    })

    test('ends with its house, whose list of houses is looked at on its own', async () => {
      await desk.tenants.put(root, 'globex', { name: 'Globex' })
      await desk.principals.put(houseCaller('globex'), 'eve', {})
      const { token } = await desk.tokens.create(houseCaller('globex'), {
        principal: 'eve',
        name: 'x',
      })
      await identity.directory.isOpen('globex')
      nowMs += 400
      await identity.authenticate(token)
      await identity.authenticate(token)
      await desk.tenants.put(root, 'globex', { name: 'Globex', disabled: true }, 1)
      nowMs += 100
      expect(await identity.authenticate(token)).toBeUndefined()
    })

    test('makes nobody of those who know all but its last character', async () => {
      const { token } = await known()
      expect(
        await identity.authenticate(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
      ).toBeUndefined()
    })
  })

  test('lets nobody in while the store is out of reach', async () => {
    const { token } = await desk.tokens.create(root, { principal: 'ann', name: 'laptop' })
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

describe('administration', () => {
  test('of tokens, people and houses is for administrators who are people', async () => {
    const user: Caller = { ...root, principal: 'ann', roles: ['user'] }
    const agent: Caller = { ...root, actor: 'ai_agent' }
    expect(await codeOf(desk.tokens.create(user, { principal: 'ann', name: 'x' }))).toBe(
      'TOOL_ROLE_NOT_AUTHORIZED',
    )
    expect(await codeOf(desk.principals.put(agent, 'ann', { roles: ['admin'] }, 1))).toBe(
      'TOOL_INSUFFICIENT_PERMISSIONS',
    )
    expect(await codeOf(desk.tenants.put({ ...root, tenant: 'globex' }, 'x', { name: 'X' }))).toBe(
      'TOOL_INSUFFICIENT_PERMISSIONS',
    )
  })

  test('is recorded', async () => {
    await desk.tokens.create(root, { principal: 'ann', name: 'laptop' })
    const records = await stores.audit.list({ tenant: 'home' })
    expect(records.filter(({ tool_name }) => tool_name.startsWith('token:'))).toMatchObject([
      { principal: 'root', outcome: 'set' },
    ])
  })

  test('with an old version is refused, and so is a token for nobody', async () => {
    expect(await codeOf(desk.principals.put(root, 'ann', {}, 7))).toBe(
      'TOOL_RESOURCE_ALREADY_EXISTS',
    )
    expect(await codeOf(desk.tokens.create(root, { principal: 'nobody', name: 'x' }))).toBe(
      'TOOL_RESOURCE_NOT_FOUND',
    )
    expect(await codeOf(desk.principals.put(root, 'a b', {}))).toBe('TOOL_INVALID_INPUT')
  })

  test('can not close the first house', async () => {
    expect(await codeOf(desk.tenants.put(root, 'home', { name: 'Home', disabled: true }))).toBe(
      'TOOL_GATE_CLOSED',
    )
  })
})

describe('standing', () => {
  const stored = async (): Promise<Caller> => {
    const { token } = await desk.tokens.create(root, { principal: 'ann', name: 'laptop' })
    return (await identity.authenticate(token))?.caller as Caller
  }

  test('is what was claimed then and is granted today', async () => {
    const caller = await stored()
    expect(await identity.standing(caller)).toEqual(caller)
    await desk.principals.put(
      root,
      'ann',
      { roles: ['user', 'admin'], capabilities: ['lamps.r*', 'lamps.make', 'more.*'] },
      1,
    )
    nowMs += 1_000
    expect(await identity.standing(caller)).toMatchObject({
      roles: ['user'],
      capabilities: ['lamps.make'],
    })
  })

  test('of a wider grant and a narrower claim is the narrower', async () => {
    const caller = await stored()
    await desk.principals.put(root, 'ann', { roles: ['user'], capabilities: ['lamps.*'] }, 1)
    nowMs += 1_000
    expect((await identity.standing(caller))?.capabilities).toEqual(['lamps.read', 'lamps.make'])
    expect((await identity.standing({ ...caller, capabilities: ['*'] }))?.capabilities).toEqual([
      'lamps.*',
    ])
  })

  test('is none for whoever was disabled, whose token was revoked, or whom nobody knows', async () => {
    const caller = await stored()
    await desk.tokens.revoke(root, caller.session?.slice('token:'.length) ?? '')
    nowMs += 1_000
    expect(await identity.standing(caller)).toBeUndefined()
    expect(await identity.standing({ ...caller, session: 'page:1' })).toBeDefined()
    await desk.principals.put(root, 'ann', { disabled: true }, 1)
    nowMs += 1_000
    expect(await identity.standing({ ...caller, session: 'page:1' })).toBeUndefined()
    expect(await identity.standing({ ...caller, principal: 'ghost' })).toBeUndefined()
  })
})

describe('a sign-in link', () => {
  const link = () =>
    desk.links.create(houseCaller('home'), {
      principal: 'first',
      roles: ['admin'],
      lifeSeconds: 900,
    })

  test('signs the first administrator in, once', async () => {
    const text = await link()
    expect(await desk.links.redeem(text)).toEqual({ tenant: 'home', principal: 'first' })
    expect(await desk.links.redeem(text)).toBeUndefined()
    expect(
      await identity.ofSession({
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

  test('lets one of two through who come at once', async () => {
    const text = await link()
    const both = await Promise.all([desk.links.redeem(text), desk.links.redeem(text)])
    expect(both.filter((signedIn) => signedIn !== undefined)).toHaveLength(1)
  })

  test('is worth nothing when it is late, forged or from another house', async () => {
    const text = await link()
    expect(await desk.links.redeem(text.slice(0, -43) + 'B'.repeat(43))).toBeUndefined()
    expect(
      await desk.links.redeem(
        text.replace(/^shl_[^_]+/, `shl_${Buffer.from('globex').toString('base64url')}`),
      ),
    ).toBeUndefined()
    nowMs += 900_000
    expect(await desk.links.redeem(text)).toBeUndefined()
  })
})
