import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, root, type TestServer } from './fixtures/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

/** Signs a person in; returns the cookie. */
async function signIn(token: string, userAgent = FIREFOX): Promise<string> {
  const response = await fetch(`${server.url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ token, next: '/approvals' }),
    headers: { origin: server.url, 'user-agent': userAgent },
    redirect: 'manual',
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

type Listed = {
  readonly id: string
  readonly client: string
  readonly is_current: boolean
  readonly last_used_at: string
}
type Answer = {
  readonly status: number
  readonly data: { readonly items: readonly Listed[]; readonly next_cursor: string | null }
  readonly error?: { readonly code: string }
}

type Who = { readonly cookie: string } | { readonly token: string }

async function send(who: Who, method: string, path: string): Promise<Answer> {
  const response = await fetch(server.url + path, {
    method,
    headers:
      'token' in who
        ? { authorization: `Bearer ${who.token}` }
        : { cookie: who.cookie, origin: server.url, 'surehand-page': 'console' },
  })
  return { ...((await response.json()) as Answer), status: response.status }
}

const list = async (who: Who, principal = ''): Promise<readonly Listed[]> =>
  (await send(who, 'GET', `/v1/sessions${principal && `?principal=${principal}`}`)).data.items
const statusOf = async (cookie: string): Promise<number> =>
  (await send({ cookie }, 'GET', '/v1/session')).status

/** A session's own event stream; `ended` resolves when the server closes it. */
async function openStream(cookie: string): Promise<{ readonly ended: Promise<void> }> {
  const response = await fetch(`${server.url}/v1/inbox/events`, {
    headers: { cookie, 'surehand-page': 'console' },
  })
  expect(response.status).toBe(200)
  const read = async (): Promise<void> => {
    for await (const _ of response.body as ReadableStream<Uint8Array>);
  }
  return { ended: read() }
}

describe('the sessions of a person', () => {
  test('are listed with the kind of client, and the one that asks is marked', async () => {
    const [cookie, other] = [
      await signIn(server.tokens.ann),
      await signIn(server.tokens.ann, PHONE),
    ]
    const listed = await list({ cookie })
    expect(listed).toMatchObject([
      { client: 'Safari on iPhone', signed_in_with: 'token', is_current: false },
      { client: 'Firefox on Linux', signed_in_with: 'token', is_current: true },
    ])
    expect(listed.map(({ id }) => id)).toEqual((await list({ cookie: other })).map(({ id }) => id))
    // Neither the id in the cookie nor anything else that opens the session.
    const payload = Buffer.from(cookie.split('=')[1]?.split('.')[0] ?? '', 'base64url')
    const { id } = JSON.parse(payload.toString()) as { readonly id: string }
    expect(JSON.stringify(listed)).not.toContain(id)
    const first = await send({ cookie }, 'GET', '/v1/sessions?limit=1')
    expect(first.data.items).toEqual([listed[0]])
    const next = `/v1/sessions?limit=1&cursor=${first.data.next_cursor}`
    expect((await send({ cookie }, 'GET', next)).data).toEqual({
      items: [listed[1]],
      next_cursor: null,
    })
  })

  test('end at once, streams included, while the others go on', async () => {
    const [cookie, other] = [await signIn(server.tokens.bob), await signIn(server.tokens.bob)]
    const stream = await openStream(other)
    const ended = (await list({ cookie })).find(({ is_current }) => !is_current)?.id ?? ''
    expect(await send({ cookie }, 'DELETE', `/v1/sessions/${ended}`)).toMatchObject({
      status: 200,
      data: { id: ended, ended: true },
    })
    expect([await statusOf(other), await statusOf(cookie)]).toEqual([401, 200])
    await stream.ended
    expect(await list({ cookie })).toHaveLength(1)
    expect((await send({ cookie }, 'DELETE', `/v1/sessions/${ended}`)).status).toBe(404)
    const records = await server.stores.audit.list({ tenant: 'home', toolName: 'session' })
    expect(records).toMatchObject([{ phase: 'change', outcome: 'ended', principal: 'bob' }])
  })

  test('end all but the one that asks', async () => {
    const cookies = [
      await signIn(server.tokens.kim),
      await signIn(server.tokens.kim),
      await signIn(server.tokens.kim),
    ]
    const answer = await send({ cookie: cookies[1] ?? '' }, 'DELETE', '/v1/sessions')
    expect(answer.data).toEqual({ ended: 2 })
    expect(await Promise.all(cookies.map(statusOf))).toEqual([401, 200, 401])
    // With a token no session asks: all of them end.
    const all = await send({ token: server.tokens.kim }, 'DELETE', '/v1/sessions')
    expect(all.data).toEqual({ ended: 1 })
    expect(await statusOf(cookies[1] ?? '')).toBe(401)
  })

  test('are off the list after signing out, and when their token was revoked', async () => {
    const made = await server.identityApi.tokens.create(root, { principal: 'bob', name: 'short' })
    const [first, second] = [await signIn(made.token), await signIn(made.token)]
    const before = (await list({ token: server.tokens.bob })).length
    await fetch(`${server.url}/sign-out`, {
      method: 'POST',
      headers: { cookie: first, origin: server.url },
      redirect: 'manual',
    })
    expect(await list({ token: server.tokens.bob })).toHaveLength(before - 1)
    await server.identityApi.tokens.revoke(root, made.id)
    await expect.poll(() => statusOf(second)).toBe(401)
    expect(await list({ token: server.tokens.bob })).toHaveLength(before - 2)
  })

  test('are seen and ended by administrators of their tenant, and by no one else', async () => {
    const cookie = await signIn(server.tokens.ann)
    const [{ id = '' } = {}] = await list({ cookie })
    const paths = [
      ['GET', '/v1/sessions?principal=ann'],
      ['DELETE', `/v1/sessions/${id}?principal=ann`],
      ['DELETE', '/v1/sessions?principal=ann'],
    ] as const
    for (const [method, path] of paths)
      expect((await send({ token: server.tokens.bob }, method, path)).status).toBe(403)
    for (const token of [server.tokens.bot, server.tokens.narrow])
      for (const [method, path] of paths)
        expect((await send({ token }, method, path)).status).toBe(403)
    // The administrator of another tenant has an "ann" of their own.
    expect(await list({ token: server.tokens.foreigner }, 'ann')).toEqual([])
    const foreign = await send({ token: server.tokens.foreigner }, ...paths[1])
    expect(foreign.status).toBe(404)
    expect(await statusOf(cookie)).toBe(200)
    const root = { token: server.tokens.root }
    expect((await list(root, 'ann')).map((one) => one.id)).toContain(id)
    expect((await send(root, ...paths[1])).status).toBe(200)
    expect(await statusOf(cookie)).toBe(401)
  })

  test('are a hundred at most: the one that was not used for the longest time ends', async () => {
    const globex = { ...root, tenant: 'globex' }
    await server.identityApi.principals.put(globex, 'mia', { roles: ['user'] })
    const { token } = await server.identityApi.tokens.create(globex, {
      principal: 'mia',
      name: 'many',
    })
    const oldest = await signIn(token)
    for (let count = 0; count < 100; count++) await signIn(token)
    expect(await list({ token })).toHaveLength(100)
    expect(await statusOf(oldest)).toBe(401)
  })
})

describe('a tenant that the root administrator disables', () => {
  const setDisabled = async (disabled: boolean): Promise<number> => {
    const tenants = await send({ token: server.tokens.root }, 'GET', '/v1/tenants')
    const [globex] = tenants.data.items as unknown as readonly { readonly version: number }[]
    const changed = await server.send(
      'PUT',
      '/v1/tenants/globex',
      { name: 'Globex', disabled },
      { token: server.tokens.root, headers: { 'if-match': `"${globex?.version}"` } },
    )
    return changed.status
  }

  test('loses its sessions and streams, keeps them on the list, and has them again', async () => {
    const [cookie, other] = [await signIn(server.tokens.foreigner), await signIn(server.tokens.ann)]
    const stream = await openStream(cookie)
    expect(await list({ cookie }, 'ann')).toHaveLength(1)
    expect(await setDisabled(true)).toBe(200)
    await stream.ended
    expect([await statusOf(cookie), await statusOf(other)]).toEqual([401, 200])
    const tokens = await send({ token: server.tokens.foreigner }, 'GET', '/v1/tokens')
    expect(tokens.status).toBe(401)
    expect(await setDisabled(false)).toBe(200)
    await expect.poll(() => statusOf(cookie)).toBe(200)
    expect(await list({ cookie }, 'ann')).toHaveLength(1)
  })

  test('does not let its administrators see the tokens and tenants of others', async () => {
    const token = server.tokens.foreigner
    const listed = (await send({ token }, 'GET', '/v1/tokens')).data.items as unknown as readonly {
      readonly record: { readonly principal: string }
    }[]
    expect(new Set(listed.map(({ record }) => record.principal))).toEqual(new Set(['ann', 'mia']))
    expect((await send({ token }, 'GET', '/v1/tenants')).status).toBe(403)
  })
})

describe('the last use', () => {
  type Token = { readonly id: string; readonly lastUsedAt: number | null }
  const tokens = async (): Promise<readonly Token[]> =>
    (await send({ token: server.tokens.root }, 'GET', '/v1/tokens')).data
      .items as unknown as readonly Token[]

  test('of a token is listed, soon after it was used and not before', async () => {
    const made = await server.identityApi.tokens.create(root, { principal: 'bob', name: 'used' })
    const lastUsed = async () => (await tokens()).find(({ id }) => id === made.id)?.lastUsedAt
    expect(await lastUsed()).toBeNull()
    const before = Date.now()
    await server.get('/v1/session', made.token)
    await expect.poll(lastUsed).toBeGreaterThanOrEqual(before)
    expect(await lastUsed()).toBeLessThanOrEqual(Date.now())
  })
})
