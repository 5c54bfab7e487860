import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, root, type TestServer } from '../fixtures/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

type Question = { readonly id: string; readonly callId: string }

async function ask(key: string, input: object): Promise<Question> {
  const response = await server.send('POST', '/v1/tools/bank.transfer/call', input, {
    token: server.tokens.bot,
    headers: { 'idempotency-key': key },
  })
  const { metadata } = (await response.json()) as {
    readonly metadata: {
      readonly call_id: string
      readonly pending: { readonly approval_id: string }
    }
  }
  return { id: metadata.pending.approval_id, callId: metadata.call_id }
}

function post(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: server.url, ...headers },
    redirect: 'manual',
  })
}

async function signIn(token: string): Promise<string> {
  const response = await post('/sign-in', { token, next: '/approvals' })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/approvals'])
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function open(
  id: string,
  cookie: string,
): Promise<{
  readonly status: number
  readonly text: string
  readonly fields: Record<string, string>
  readonly headers: Headers
}> {
  const response = await fetch(`${server.url}/approvals/${id}`, { headers: { cookie } })
  const text = await response.text()
  const fields = Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
      ([, name, value]) => [name, value],
    ),
  )
  return { status: response.status, text, fields, headers: response.headers }
}

/** What a person reads: markup gone, entities back. */
function readable(page: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return page
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
}

const PLAIN = { amount: '5 EUR', recipient: 'eve' }

describe('the decision page', () => {
  test('shows who asks for what, with which tool, until when, and the digest', async () => {
    const { id, callId } = await ask('page-1', { ...PLAIN, pin: 'secret-pin-4711' })
    const page = await open(id, await signIn(server.tokens.ann))
    const approval = await server.runtime.approvals.get('home', id)
    const text = readable(page.text)
    for (const part of [
      'Send 5 EUR to eve?',
      "ann's agent",
      'Transfer money',
      'bank.transfer',
      'writes.payment',
      'This cannot be undone.',
      'a confirmation',
      new Date(approval.expiresAt).toISOString().slice(0, 10),
      approval.digest,
      callId,
      'amount',
      'recipient',
    ])
      expect(text).toContain(part)
    expect(page.text).not.toContain('secret-pin')
    expect(text).toContain('4711')
  })

  test('contains no script, cannot be framed and sends its form only to this server', async () => {
    const { id } = await ask('page-2', PLAIN)
    const { headers, text } = await open(id, await signIn(server.tokens.ann))
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    )
    expect([
      headers.get('x-frame-options'),
      headers.get('cache-control'),
      headers.get('referrer-policy'),
    ]).toEqual(['DENY', 'no-store', 'same-origin'])
    expect(text).not.toMatch(/<script|javascript:|\son\w+=/i)
    expect(text).toContain('name="viewport" content="width=device-width')
  })

  test('accepts an approval once, and says what happens next', async () => {
    const { id, callId } = await ask('page-yes', { ...PLAIN, recipient: 'yes' })
    const cookie = await signIn(server.tokens.ann)
    const { fields } = await open(id, cookie)
    const before = server.sent.length
    const decided = await post(
      `/approvals/${id}`,
      { ...fields, verdict: 'approve', reason: 'fine by me' },
      { cookie },
    )
    expect([decided.status, decided.headers.get('location')]).toEqual([303, `/approvals/${id}`])
    const after = readable((await open(id, cookie)).text)
    for (const part of [
      'Approved by ann',
      'The call runs once, by itself',
      'Reason: fine by me',
      'The call is done.',
    ])
      expect(after).toContain(part)
    expect(
      (await post(`/approvals/${id}`, { ...fields, verdict: 'approve' }, { cookie })).status,
    ).toBe(409)
    expect(server.sent.length - before).toBe(1)
    expect((await server.get(`/v1/calls/${callId}`)).status).toBe(200)
  })

  test('accepts a denial, and nothing is done', async () => {
    const { id } = await ask('page-no', { ...PLAIN, recipient: 'no' })
    const cookie = await signIn(server.tokens.ann)
    const { fields } = await open(id, cookie)
    const before = server.sent.length
    expect(
      (await post(`/approvals/${id}`, { ...fields, verdict: 'deny', reason: '' }, { cookie }))
        .status,
    ).toBe(303)
    expect(readable((await open(id, cookie)).text)).toContain('Denied by ann')
    expect(server.sent.length).toBe(before)
  })

  test('says who changed what was asked', async () => {
    const { id } = await ask('page-edit', { ...PLAIN, recipient: 'first' })
    const edited = await server.runtime.approvals.edit(root, id, {
      amount: '1 EUR',
      recipient: 'second',
    })
    const text = readable((await open(edited.id, await signIn(server.tokens.ann))).text)
    expect(text).toMatch(/changed by root/)
    expect(readable((await open(id, await signIn(server.tokens.ann))).text)).toContain('Replaced')
  })
})

describe('a deceptive question', () => {
  test('is read back with everything invisible spelled out and marked', async () => {
    const { id } = await ask('trick-1', {
      amount: '1\u202E000 ,1\u202C EUR',
      recipient: 'a\u200Bnn\u2066@bank\u00AD',
    })
    const { text } = await open(id, await signIn(server.tokens.ann))
    expect(text).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\u00AD\uFEFF]/)
    for (const part of [
      '1<mark>⟨U+202E⟩</mark>000 ,1<mark>⟨U+202C⟩</mark> EUR',
      'a<mark>⟨U+200B⟩</mark>nn<mark>⟨U+2066⟩</mark>@bank<mark>⟨U+00AD⟩</mark>',
    ])
      expect(text).toContain(part)
    expect(readable(text)).toContain('It contains invisible or direction-changing characters.')
  })

  test('that only writes as if something had been spelled out is not marked as such', async () => {
    const { id } = await ask('trick-2', { ...PLAIN, recipient: '⟨U+202E⟩bob' })
    expect((await open(id, await signIn(server.tokens.ann))).text).toContain(
      '<mark>⟨U+27E8⟩</mark>U+202E⟩bob',
    )
  })

  test('of 200 KB is shown to its end, with the decision below it', async () => {
    const danger = 'AND ALSO DELETE ALL BACKUPS'
    const { id } = await ask('trick-3', {
      ...PLAIN,
      note: `${'All is well. '.repeat(16_000)}${danger}`,
    })
    const { text } = await open(id, await signIn(server.tokens.ann))
    expect(text.length).toBeGreaterThan(200_000)
    expect(text).toContain(`A long text of ${13 * 16_000 + danger.length} characters.`)
    expect(text.indexOf(danger)).toBeGreaterThan(0)
    expect(text.indexOf('<form')).toBeGreaterThan(text.indexOf(danger))
  })

  test('with markup in it stays text', async () => {
    const { id } = await ask('trick-4', {
      ...PLAIN,
      recipient: '"><img src=x onerror=alert(1)></dd><form action="https://evil.example">',
    })
    const { text } = await open(id, await signIn(server.tokens.ann))
    expect(text).not.toContain('<img')
    expect(text.match(/<form/g)).toHaveLength(1)
  })
})

describe('signing in', () => {
  test('is asked for before anything is shown, and leads back', async () => {
    const { id } = await ask('sign-1', { ...PLAIN, recipient: 'veiled' })
    const page = await open(id, '')
    expect(page.status).toBe(401)
    expect(page.text).not.toContain('veiled')
    expect(page.fields).toEqual({ next: `/approvals/${id}` })
  })

  test('is for people: an agent with a good token is sent away, and so is a bad token', async () => {
    for (const token of [server.tokens.bot, 'sh_bad', '']) {
      const response = await post('/sign-in', { token, next: '/approvals' })
      expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null])
    }
  })

  test('redirects to no other site', async () => {
    for (const next of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/approvals/../../x',
      '/approvals/%0d%0a',
    ])
      expect(
        (await post('/sign-in', { token: server.tokens.ann, next })).headers.get('location'),
      ).toBe('/approvals')
  })

  test('from a page of another origin, or of none, is refused', async () => {
    expect(
      (await post('/sign-in', { token: server.tokens.ann }, { origin: 'https://evil.example' }))
        .status,
    ).toBe(403)
    const bare = await fetch(`${server.url}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ token: server.tokens.ann }),
    })
    expect(bare.status).toBe(403)
  })

  test('by a link takes a press of a button, and works once', async () => {
    const link = await server.identityApi.links.create(root, {
      principal: 'newcomer',
      roles: ['admin'],
      lifeSeconds: 60,
    })
    for (let look = 0; look < 3; look++)
      expect((await fetch(`${server.url}/sign-in/${link}`)).status).toBe(200)
    const first = await post(`/sign-in/${link}`, {})
    expect([first.status, first.headers.get('set-cookie')]).toEqual([
      303,
      expect.stringContaining('SameSite=Strict'),
    ])
    expect((await post(`/sign-in/${link}`, {})).status).toBe(401)
  })

  test('ends with the token it was done with', async () => {
    const made = await server.identityApi.tokens.create(root, { principal: 'ann', name: 'phone' })
    const cookie = await signIn(made.token)
    const look = async () =>
      (await fetch(`${server.url}/approvals`, { headers: { cookie } })).status
    expect(await look()).toBe(200)
    await server.identityApi.tokens.revoke(root, made.id)
    await expect.poll(look).toBe(401)
  })
})

describe('a forged decision', () => {
  test("without the session's CSRF token, with another's, or that of another request decides nothing", async () => {
    const [mine, other] = [
      await ask('forge-1', { ...PLAIN, recipient: 'f1' }),
      await ask('forge-2', { ...PLAIN, recipient: 'f2' }),
    ]
    const [ann, admin] = [await signIn(server.tokens.ann), await signIn(server.tokens.root)]
    const { fields } = await open(mine.id, ann)
    const stolen = (await open(other.id, ann)).fields
    const tries = [
      post(
        `/approvals/${mine.id}`,
        { digest: fields.digest ?? '', verdict: 'approve' },
        { cookie: ann },
      ),
      post(`/approvals/${mine.id}`, { ...fields, verdict: 'approve' }, { cookie: admin }),
      post(`/approvals/${mine.id}`, { ...stolen, verdict: 'approve' }, { cookie: ann }),
      post(
        `/approvals/${mine.id}`,
        { ...fields, digest: stolen.digest ?? '', verdict: 'approve' },
        { cookie: ann },
      ),
      post(
        `/approvals/${mine.id}`,
        { ...fields, verdict: 'approve' },
        { cookie: ann, origin: 'https://evil.example' },
      ),
    ]
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([
      403, 403, 403, 403, 403,
    ])
    expect((await post(`/approvals/${mine.id}`, { ...fields, verdict: 'approve' })).status).toBe(
      401,
    )
    expect((await server.runtime.approvals.get('home', mine.id)).state).toBe('pending')
  })

  test('on an approval request that was edited meanwhile decides neither the old nor the new one', async () => {
    const { id } = await ask('forge-3', { ...PLAIN, recipient: 'f3' })
    const cookie = await signIn(server.tokens.ann)
    const { fields } = await open(id, cookie)
    const edited = await server.runtime.approvals.edit(root, id, {
      amount: '9999 EUR',
      recipient: 'f3',
    })
    expect(
      (await post(`/approvals/${id}`, { ...fields, verdict: 'approve' }, { cookie })).status,
    ).toBe(409)
    expect(
      (await post(`/approvals/${edited.id}`, { ...fields, verdict: 'approve' }, { cookie })).status,
    ).toBe(403)
  })

  test("for another person's request, or from another tenant, finds nothing", async () => {
    const { id } = await ask('forge-4', { ...PLAIN, recipient: 'f4' })
    for (const token of [server.tokens.bob, server.tokens.foreigner])
      expect((await open(id, await signIn(token))).status).toBe(404)
  })
})

test('the list shows what is waiting for this person', async () => {
  const { id } = await ask('list-1', { ...PLAIN, recipient: 'listed' })
  const look = async (token: string) =>
    (await fetch(`${server.url}/approvals`, { headers: { cookie: await signIn(token) } })).text()
  for (const token of [server.tokens.ann, server.tokens.root, server.tokens.kim])
    expect(await look(token)).toContain(`/approvals/${id}`)
  expect(await look(server.tokens.bob)).not.toContain(id)
})
