import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

async function signIn(token: string): Promise<string> {
  const response = await fetch(`${server.url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ token, next: '/approvals' }),
    headers: { origin: server.url },
    redirect: 'manual',
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

type Sent = {
  readonly method?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A request as a page of this server sends it, unless a header says otherwise. */
async function sendAs(cookie: string, path: string, { method = 'GET', body, headers }: Sent = {}) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      cookie,
      'surehand-page': 'console',
      'sec-fetch-site': 'same-origin',
      ...(method === 'GET' ? {} : { origin: server.url, 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data, error, metadata } = (await response.json()) as {
    readonly data: Readonly<Record<string, unknown>>
    readonly error?: { readonly details?: { readonly source_code?: string } }
    readonly metadata: { readonly pending?: { readonly approval_id: string } }
  }
  return { status: response.status, data, source: error?.details?.source_code, metadata }
}

const echo = (headers = {}): Sent => ({ method: 'POST', body: { text: 'hello' }, headers })

describe('a page of this server', () => {
  test('uses the session of the person who is signed in, for reads and for calls', async () => {
    const cookie = await signIn(server.tokens.ann)
    expect(await sendAs(cookie, '/v1/session')).toMatchObject({
      status: 200,
      data: { tenant: 'home', principal: 'ann', actor: 'user', is_administrator: false },
    })
    expect(await sendAs(cookie, '/v1/tools/demo.echo/call', echo())).toMatchObject({
      status: 200,
      data: { text: 'hello', principal: 'home/ann' },
    })
  })

  test('finds what waits for the person, and whether they may decide it', async () => {
    const cookie = await signIn(server.tokens.ann)
    await server.send(
      'POST',
      '/v1/tools/bank.transfer/call',
      { amount: '5 EUR', recipient: 'the landlord' },
      { token: server.tokens.bot, headers: { 'idempotency-key': 'inbox-1' } },
    )
    const { data } = await sendAs(cookie, '/v1/inbox')
    expect(data.items).toMatchObject([
      {
        kind: 'approval',
        may_decide: true,
        approval: { asks: 'Send 5 EUR to the landlord?', state: 'pending' },
      },
    ])
  })
})

describe('the cookie of a session', () => {
  test('opens nothing without the header that only pages of this server send', async () => {
    const cookie = await signIn(server.tokens.ann)
    for (const path of ['/v1/session', '/v1/inbox', '/v1/tools'])
      expect((await fetch(server.url + path, { headers: { cookie } })).status).toBe(401)
    const called = await fetch(`${server.url}/v1/tools/demo.echo/call`, {
      method: 'POST',
      headers: { cookie, origin: server.url, 'content-type': 'application/json' },
      body: '{"text":"hello"}',
    })
    expect(called.status).toBe(401)
  })

  test('opens nothing for a page of another site, nor where the origin of a write is unknown', async () => {
    const cookie = await signIn(server.tokens.ann)
    const foreign = { status: 403, source: 'foreign_origin' }
    const elsewhere = { 'sec-fetch-site': 'same-site' }
    expect(await sendAs(cookie, '/v1/inbox', { headers: elsewhere })).toMatchObject(foreign)
    expect(
      await sendAs(cookie, '/v1/tools/demo.echo/call', echo({ origin: 'null' })),
    ).toMatchObject(foreign)
    const { status } = await fetch(`${server.url}/v1/tools/demo.echo/call`, {
      method: 'POST',
      headers: { cookie, 'surehand-page': 'console', 'content-type': 'application/json' },
      body: '{"text":"hello"}',
    })
    expect(status).toBe(403)
  })

  test('is not given for the token of an agent', async () => {
    expect(await signIn(server.tokens.bot)).toBe('')
    expect(await sendAs('', '/v1/session')).toMatchObject({ status: 401 })
  })
})
