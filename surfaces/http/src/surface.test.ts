import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const call = (tool: string, input: unknown, more = {}) =>
  server.send('POST', `/v1/tools/${tool}/call`, input, more)

type Body = Awaited<ReturnType<typeof bodyOf>>
async function bodyOf(response: Response) {
  return (await response.json()) as {
    readonly status: string
    readonly command: string
    readonly data: never
    readonly error?: {
      readonly code: string
      readonly message: string
      readonly details: never
      readonly recovery_suggestions: readonly string[]
    }
    readonly metadata: {
      readonly call_id: string
      readonly pending?: { readonly approval_id: string; readonly url: string }
      readonly job?: object
    }
  }
}

/** A question of Ann's, with the answer that told of it. */
async function requestApproval(
  key: string,
  input: object = { amount: '5', recipient: 'eve' },
): Promise<Body['metadata'] & { readonly id: string; readonly digest: string }> {
  const { metadata } = await bodyOf(
    await call('bank.transfer', input, { headers: { 'idempotency-key': key } }),
  )
  const id = metadata.pending?.approval_id ?? ''
  const { data } = await bodyOf(await server.get(`/v1/approvals/${id}`))
  return { ...metadata, id, digest: (data as { readonly digest: string }).digest }
}

describe('a call', () => {
  test('is answered with the envelope, as the caller of the token', async () => {
    const response = await call('demo.echo', { text: 'hello', principal: 'root' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await bodyOf(response)).toMatchObject({
      status: 'success',
      command: 'demo.echo',
      data: { text: 'hello', principal: 'home/ann' },
    })
  })

  test('with the same key is done once, quoted or not', async () => {
    const before = server.sent.length
    const keys = ['letter-1', '"letter-1"', 'letter-1']
    const answers = []
    for (const key of keys)
      answers.push(
        await bodyOf(
          await call('mail.letter', { to: 'bob' }, { headers: { 'idempotency-key': key } }),
        ),
      )
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    expect(server.sent.length - before).toBe(1)
  })

  test('that requires approval is 202, with the address of its answer and of its decision page', async () => {
    const response = await call(
      'bank.transfer',
      { amount: '1', recipient: 'x' },
      { headers: { 'idempotency-key': 'wait-1' } },
    )
    const body = await bodyOf(response)
    expect(response.status).toBe(202)
    expect(response.headers.get('location')).toBe(`/v1/calls/${body.metadata.call_id}`)
    expect(body.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
    // An HTTP client has no tool that fetches answers.
    expect(body.error?.recovery_suggestions).toContain(
      `Fetch the answer later with GET /v1/calls/${body.metadata.call_id}.`,
    )
    expect(body.metadata.pending?.url).toBe(
      `${server.url}/approvals/${body.metadata.pending?.approval_id}`,
    )
  })

  test('of a job is 202; its answer is fetched by its id, also by waiting for it', async () => {
    const response = await call(
      'mail.bulk',
      { to: 'all' },
      { headers: { 'idempotency-key': 'bulk-1' } },
    )
    const location = response.headers.get('location') ?? ''
    expect([response.status, (await server.get(location)).status]).toEqual([202, 202])
    const waited = server.get(location, server.tokens.ann, { prefer: 'respond-async, wait=30' })
    server.runtime.start()
    const answer = await waited
    await server.runtime.stop()
    expect(answer.status).toBe(200)
    expect((await bodyOf(answer)).data).toMatchObject({ receipt: expect.any(String) })
  })

  test('that has not started is cancelled once; one that has ended is not', async () => {
    const { call_id } = await requestApproval('cancel-1')
    expect((await server.send('DELETE', `/v1/calls/${call_id}`, undefined)).status).toBe(200)
    expect((await server.send('DELETE', `/v1/calls/${call_id}`, undefined)).status).toBe(409)
    expect((await server.send('DELETE', '/v1/calls/call_none', undefined)).status).toBe(404)
  })

  test('reports its progress as events, the envelope last', async () => {
    const response = await call('demo.steps', {}, { headers: { accept: 'text/event-stream' } })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = (await response.text()).trim().split('\n\n')
    expect(events.map((event) => event.split('\n')[0])).toEqual([
      'event: progress',
      'event: progress',
      'event: envelope',
    ])
    expect(JSON.parse(events[2]?.split('\ndata: ')[1] ?? '')).toMatchObject({
      status: 'success',
      data: { steps: 2 },
    })
  })

  test('over its limit is 429, with when to come back', async () => {
    await call('demo.seldom', {})
    const response = await call('demo.seldom', {})
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect([
      response.headers.get('ratelimit-limit'),
      response.headers.get('ratelimit-remaining'),
    ]).toEqual(['1', '0'])
  })

  test('that fails is reported as problem details to clients that accept them', async () => {
    const response = await call(
      'demo.echo',
      {},
      { headers: { accept: 'application/problem+json' } },
    )
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({
      status: 400,
      title: 'TOOL_MISSING_REQUIRED_FIELD',
      code: 'TOOL_MISSING_REQUIRED_FIELD',
    })
  })

  test('of a tool that is not there is 404, and so is a path', async () => {
    expect((await bodyOf(await call('demo.none', {}))).error?.code).toBe('TOOL_NOT_FOUND')
    const nowhere = await server.get('/v1/nothing')
    expect([nowhere.status, (await bodyOf(nowhere)).error?.code]).toEqual([
      404,
      'TOOL_RESOURCE_NOT_FOUND',
    ])
  })

  test('under a token for other things is refused', async () => {
    const response = await call('mail.letter', { to: 'bob' }, { token: server.tokens.narrow })
    expect([response.status, (await bodyOf(response)).error?.code]).toEqual([
      403,
      'TOOL_CAPABILITY_MISSING',
    ])
  })
})

describe('input', () => {
  const refusals: readonly (readonly [string, string])[] = [
    ['that repeats a key', '{"text":"a","text":"b"}'],
    ['nested too deep', `{"text":"a","tree":${'['.repeat(80)}${']'.repeat(80)}}`],
    ['that reaches for a prototype', '{"text":"a","tree":{"__proto__":{"x":1}}}'],
    ['that is no JSON', '{"text":'],
    ['of nothing', ''],
  ]
  test.each(refusals)('%s is refused', async (_, text) => {
    const response = await call('demo.echo', text)
    expect([response.status, (await bodyOf(response)).error?.code]).toEqual([
      400,
      'TOOL_INVALID_INPUT',
    ])
  })

  test('that is no UTF-8 is refused', async () => {
    const response = await fetch(`${server.url}/v1/tools/demo.echo/call`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.tokens.ann}`, 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0x74, 0xff, 0x22, 0x7d]),
    })
    expect(response.status).toBe(400)
  })
})

describe('definitions', () => {
  test('are listed, shown and found', async () => {
    const list = (await bodyOf(await server.get('/v1/tools'))).data as {
      readonly items: readonly { readonly id: string }[]
    }
    expect(list.items.map(({ id }) => id)).toContain('bank.transfer')
    expect((await bodyOf(await server.get('/v1/tools/bank.transfer'))).data).toMatchObject({
      id: 'bank.transfer',
      name: 'Transfer money',
    })
    const found = (await bodyOf(await server.get('/v1/search?q=money'))).data as {
      readonly items: readonly object[]
    }
    expect(found.items[0]).toMatchObject({ tool: { id: 'bank.transfer' } })
  })

  test('that a caller may not use look like missing ones', async () => {
    expect((await server.get('/v1/tools/mail.letter', server.tokens.bob)).status).toBe(404)
    expect((await server.get('/v1/tools/mail.letter', server.tokens.ann)).status).toBe(200)
  })

  test('are not searched with a parameter given twice', async () => {
    expect((await server.get('/v1/search?q=a&q=b')).status).toBe(400)
  })
})

describe('a question', () => {
  test('is decided by an authorized person, runs once, and is answered by its call', async () => {
    const { id, digest, call_id } = await requestApproval('yes-1')
    const before = server.sent.length
    const decide = (token: string, more = {}) =>
      server.send(
        'POST',
        `/v1/approvals/${id}/decision`,
        { verdict: 'approve', digest, ...more },
        { token },
      )
    expect((await decide(server.tokens.bot)).status).toBe(403)
    expect((await decide(server.tokens.bob)).status).toBe(404)
    expect((await decide(server.tokens.ann, { digest: 'a'.repeat(64) })).status).toBe(400)
    const yes = await decide(server.tokens.ann)
    expect([yes.status, (await bodyOf(yes)).data]).toMatchObject([
      200,
      { id, decision: { verdict: 'approve', by: 'ann', credential: 'own' } },
    ])
    expect((await decide(server.tokens.ann)).status).toBe(409)
    expect((await server.get(`/v1/calls/${call_id}`)).status).toBe(200)
    expect(server.sent.length - before).toBe(1)
  })

  test('is changed into a new one', async () => {
    const { id } = await requestApproval('edit-1')
    const edited = await bodyOf(
      await server.send('PUT', `/v1/approvals/${id}/input`, { amount: '1', recipient: 'bob' }),
    )
    expect(edited.data).toMatchObject({
      state: 'pending',
      edited_by: 'ann',
      asks: 'Send 1 to bob?',
    })
    expect((await bodyOf(await server.get(`/v1/approvals/${id}`))).data).toMatchObject({
      state: 'replaced',
    })
  })

  test('is listed for, shown to and decided by people with a role for it', async () => {
    const { id, digest } = await requestApproval('role-1', { amount: '6', recipient: 'kim' })
    const kim = { token: server.tokens.kim }
    const { items } = (await bodyOf(await server.get('/v1/approvals?state=pending', kim.token)))
      .data as {
      readonly items: readonly { readonly id: string }[]
    }
    expect(items.map((approval) => approval.id)).toContain(id)
    expect((await server.get(`/v1/approvals/${id}`, kim.token)).status).toBe(200)
    expect(
      (await server.send('POST', `/v1/approvals/${id}/decision`, { verdict: 'deny', digest }, kim))
        .status,
    ).toBe(200)
  })

  test('is seen by the caller and by administrators', async () => {
    const { id } = await requestApproval('see-1')
    const statuses = await Promise.all(
      [
        server.tokens.ann,
        server.tokens.bot,
        server.tokens.root,
        server.tokens.bob,
        server.tokens.foreigner,
      ].map(async (token) => (await server.get(`/v1/approvals/${id}`, token)).status),
    )
    expect(statuses).toEqual([200, 200, 200, 404, 404])
    const listed = (
      await bodyOf(await server.get('/v1/approvals?state=pending', server.tokens.bob))
    ).data as {
      readonly items: readonly object[]
    }
    expect(listed.items).toEqual([])
  })
})

describe("another tenant's ids", () => {
  test('look like ids that do not exist, to the byte', async () => {
    const { id, call_id } = await requestApproval('foreign-1')
    const compareResponses = async (path: string, made: string, none: string) => {
      const [theirs, nobodys] = await Promise.all(
        [made, none].map(async (one) => {
          const response = await server.get(`${path}${one}`, server.tokens.foreigner)
          const { error, status } = await bodyOf(response)
          return {
            http: response.status,
            status,
            error: JSON.stringify(error).replaceAll(one, 'ID'),
          }
        }),
      )
      return [theirs, nobodys]
    }
    for (const [path, made, none] of [
      ['/v1/calls/', call_id, 'call_none'],
      ['/v1/approvals/', id, 'appr_none'],
    ] as const) {
      const [theirs, nobodys] = await compareResponses(path, made, none)
      expect(theirs).toEqual(nobodys)
      expect(theirs?.http).toBe(404)
    }
    const cancelled = await server.send('DELETE', `/v1/calls/${call_id}`, undefined, {
      token: server.tokens.foreigner,
    })
    const decided = await server.send(
      'POST',
      `/v1/approvals/${id}/decision`,
      { verdict: 'approve', digest: 'a'.repeat(64) },
      { token: server.tokens.foreigner },
    )
    expect([cancelled.status, decided.status]).toEqual([404, 404])
  })
})

describe('administration', () => {
  test('is for administrators of their own tenant', async () => {
    for (const path of ['/v1/tokens', '/v1/principals', '/v1/tenants', '/v1/policy', '/v1/audit'])
      expect((await server.get(path, server.tokens.ann)).status).toBe(403)
    expect((await server.get('/v1/tenants', server.tokens.foreigner)).status).toBe(403)
    expect((await server.get('/v1/tenants', server.tokens.root)).status).toBe(200)
  })

  test('makes a token that works, and takes it back', async () => {
    const made = await bodyOf(
      await server.send(
        'POST',
        '/v1/tokens',
        { principal: 'bob', name: 'ci', expiresInSeconds: 600 },
        { token: server.tokens.root },
      ),
    )
    const { id, token } = made.data as { readonly id: string; readonly token: string }
    expect((await server.get('/v1/tools', token)).status).toBe(200)
    expect(
      (await server.send('DELETE', `/v1/tokens/${id}`, undefined, { token: server.tokens.root }))
        .status,
    ).toBe(200)
    await expect.poll(async () => (await server.get('/v1/tools', token)).status).toBe(401)
  })

  test('changes people and the policy under the version that was looked at', async () => {
    const put = (body: object, version?: string) =>
      server.send('PUT', '/v1/principals/carl', body, {
        token: server.tokens.root,
        headers: version === undefined ? {} : { 'if-match': version },
      })
    expect((await put({ roles: ['user'] })).status).toBe(200)
    expect((await put({ roles: ['user'] })).status).toBe(409)
    expect((await put({ roles: ['power_user'] }, '"1"')).status).toBe(200)
    expect((await put({ rolls: [] }, '"2"')).status).toBe(400)
    const globex = { token: server.tokens.foreigner }
    expect(
      (await server.send('PUT', '/v1/policy', { disabledTools: ['demo.*'] }, globex)).status,
    ).toBe(200)
    const refused = await call('demo.echo', { text: 'x' }, globex)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(
      (
        await server.send(
          'PUT',
          '/v1/policy',
          { unknown: true },
          { ...globex, headers: { 'if-match': '1' } },
        )
      ).status,
    ).toBe(400)
  })

  test('reads, exports and verifies the audit', async () => {
    const { items } = (
      await bodyOf(await server.get('/v1/audit?tool=demo.echo&limit=1', server.tokens.root))
    ).data as {
      readonly items: readonly object[]
    }
    expect(items).toMatchObject([{ tool_name: 'demo.echo', tenant: 'home' }])
    expect(await (await server.get('/v1/audit/export', server.tokens.root)).text()).toBe(
      '{"format":"test"}\n{"end":true}\n',
    )
    expect(
      (
        await bodyOf(
          await server.send('POST', '/v1/audit/verify', undefined, { token: server.tokens.root }),
        )
      ).data,
    ).toEqual({
      verdict: { kind: 'intact', tenant: 'home', size: 0 },
    })
  })

  test('lets only an administrator resolve an unknown outcome', async () => {
    const settle = (token: string) =>
      server.send(
        'POST',
        '/v1/unknown/call_none/resolve',
        { found: 'not_done', text: 'looked' },
        { token },
      )
    expect([
      (await settle(server.tokens.root)).status,
      (await settle(server.tokens.foreigner)).status,
    ]).toEqual([404, 404])
  })
})
