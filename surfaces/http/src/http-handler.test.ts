import { connect } from 'node:net'
import { createEdge } from '@surehand/edge'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({
    corsOrigins: ['https://app.example'],
    bodyTimeoutMs: 300,
    files: {
      find: async ({ principal }, id) =>
        principal === 'ann' && id === 'abc'
          ? { bytes: Buffer.from('<script>'), mediaType: 'text/html' }
          : undefined,
    },
    extend: (app) =>
      app
        .get('/extra', (context) => context.text(context.get('request').requestId()))
        .get('/down', () => new Response('Down.', { status: 503 })),
  })
})
afterAll(() => server.close())

type Case = {
  readonly headers?: readonly string[]
  readonly body?: string
  readonly tool?: string
  readonly token?: string
}

/**
 * The same call by both ways: in its plain form, and with the whole address in its first line,
 * which only the app reads.
 */
async function bothWays({
  headers = [],
  body = '{"text":"hi"}',
  tool = 'demo.echo',
  token = server.tokens.ann,
}: Case) {
  const path = `/v1/tools/${tool}/call`
  const send = async (target: string) =>
    comparable(
      await server.raw(
        [
          `POST ${target} HTTP/1.1`,
          `Host: 127.0.0.1:${server.port}`,
          `Authorization: Bearer ${token}`,
          'Content-Type: application/json',
          `Content-Length: ${Buffer.byteLength(body)}`,
          'Connection: close',
          ...headers,
          '',
          body,
        ].join('\r\n'),
      ),
    )
  return [await send(path), await send(`http://127.0.0.1:${server.port}${path}`)] as const
}

/** Status, headers and envelope, without what differs from call to call. */
function comparable(answer: string) {
  const [head = '', text = ''] = answer
    .replace(/(req|call|appr)_[0-9a-z]{26}/g, 'ID')
    .split('\r\n\r\n')
  const [line, ...fields] = head.split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => field.toLowerCase().split(': ') as [string, string]),
  )
  const varying = [
    'date',
    'content-length',
    'ratelimit-remaining',
    'ratelimit-reset',
    'retry-after',
  ]
  const named = text.replace(/"(execution_time|validation_time)":[\d.e-]+/g, '"$1":0')
  return {
    line,
    headers: Object.fromEntries(
      Object.entries(headers)
        .map(([name, value]) => [name, varying.includes(name) ? 'some' : value])
        .sort(),
    ),
    envelope: JSON.parse(
      named.replace(/"retry_after_ms":\d+|Wait \d+ s/g, (match) => match.replace(/\d+/, '0')),
    ) as unknown,
  }
}

describe('a plain call on Node and the same through the app', () => {
  const cases: Readonly<Record<string, Case>> = {
    'that is done': {},
    'of a listed origin': { headers: ['Origin: https://app.example'] },
    'of another origin': { headers: ['Origin: https://evil.example'] },
    'without a good token': { token: 'nobody' },
    'with two tokens': { headers: ['Authorization: Bearer other'] },
    'with two content types': { headers: ['Content-Type: text/plain'] },
    'of a compressed body': { headers: ['Content-Encoding: gzip'] },
    'of input that is no JSON': { body: '{' },
    'of input that is refused': { body: '{}' },
    'of input that is refused, for a client that accepts problem details': {
      body: '{}',
      headers: ['Accept: application/problem+json'],
    },
    'of no tool': { tool: 'demo.none' },
    'of a tool that requires approval': {
      tool: 'bank.transfer',
      body: '{"amount":"1","recipient":"x"}',
      headers: ['Idempotency-Key: both-1'],
    },
    'of a tool over its limit': { tool: 'demo.seldom', body: '{}' },
    'with a wish to wait': { headers: ['Prefer: wait=2'] },
  }
  beforeAll(() => server.send('POST', '/v1/tools/demo.seldom/call', {}))

  test.each(Object.entries(cases))('%s are answered alike', async (_, given) => {
    const [plain, app] = await bothWays(given)
    expect(plain).toEqual(app)
  })
})

test('a body that comes in pieces is read whole, and the connection serves the next call', async () => {
  const answers = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(server.port, '127.0.0.1')
    const head = (length: string) =>
      `POST /v1/tools/demo.echo/call HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.tokens.ann}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
    socket.write(head('Content-Length: 16'))
    setTimeout(() => socket.write('{"text":'), 20)
    setTimeout(() => socket.write('"first"}'), 40)
    setTimeout(
      () =>
        socket.write(
          `${head('Transfer-Encoding: chunked')}8\r\n{"text":\r\n9\r\n"second"}\r\n0\r\n\r\n`,
        ),
      120,
    )
    setTimeout(() => socket.end(), 240)
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
  expect([...answers.matchAll(/"data":\{"text":"(\w+)"/g)].map(([, word]) => word)).toEqual([
    'first',
    'second',
  ])
})

test('a client that goes away cancels its call', async () => {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(
    `POST /v1/tools/demo.wait/call HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.tokens.ann}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  )
  await expect.poll(() => server.waiting.length).toBe(1)
  socket.destroy()
  const codes = async () => {
    const { data } = (await (
      await server.get('/v1/audit?tool=demo.wait', server.tokens.root)
    ).json()) as {
      readonly data: { readonly items: readonly { readonly code: string }[] }
    }
    return data.items.map(({ code }) => code)
  }
  await expect.poll(codes).toEqual(['TOOL_CANCELLED'])
  expect(server.waiting.map(({ aborted }) => aborted)).toEqual([true])
})

test('two calls sent at once on one connection are answered in their order', async () => {
  const one = (text: string, more = '') => {
    const body = JSON.stringify({ text })
    return `POST /v1/tools/demo.echo/call HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.tokens.ann}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`
  }
  const answers = await server.raw(one('first') + one('second', 'Connection: close\r\n'))
  expect([...answers.matchAll(/"data":\{"text":"(\w+)"/g)].map(([, word]) => word)).toEqual([
    'first',
    'second',
  ])
})

test('a path that was added is served behind the same guards', async () => {
  expect(await (await server.get('/extra')).text()).toMatch(/^req_/)
  expect(
    await server.raw('GET /extra HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'),
  ).toMatch(/^HTTP\/1\.1 421/)
})

test('a client that guesses tokens is throttled, for calls and on the sign-in page', async () => {
  const strict = await openTestServer({
    edge: createEdge({ authFailures: { perSecond: 0.001, burst: 3 } }),
  })
  const guess = async () =>
    (await strict.send('POST', '/v1/tools/demo.echo/call', { text: 'x' }, { token: 'sh_guess' }))
      .status
  const signIn = async () =>
    (
      await fetch(`${strict.url}/sign-in`, {
        method: 'POST',
        headers: { origin: strict.url },
        body: new URLSearchParams({ token: 'sh_guess' }),
        redirect: 'manual',
      })
    ).status
  expect([await guess(), await signIn(), await guess(), await guess(), await signIn()]).toEqual([
    401, 401, 401, 429, 429,
  ])
  const refused = await strict.get('/v1/tools', 'sh_guess')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await strict.close()
})

test('behind a trusted proxy the client is counted, not the proxy', async () => {
  const behind = await openTestServer({
    edge: createEdge({ trustedProxies: 1, authFailures: { perSecond: 0.001, burst: 1 } }),
  })
  const guess = async (forwarded: string) =>
    (await behind.get('/v1/tools', 'sh_guess', { 'x-forwarded-for': forwarded })).status
  expect([
    await guess('1.1.1.1'),
    await guess('9.9.9.9, 1.1.1.1'),
    await guess('1.1.1.1, 2.2.2.2'),
  ]).toEqual([401, 429, 401])
  await behind.close()
})

test('every 503 says when to try again, also that of a page or of a pack', async () => {
  const down = await server.get('/down', server.tokens.ann)
  expect([down.status, down.headers.get('retry-after')]).toEqual([503, '2'])
})

test('a file that an answer links to is for its caller alone, and runs in no browser', async () => {
  const read = (token: string) =>
    fetch(`http://127.0.0.1:${server.port}/v1/artifacts/abc`, {
      headers: { authorization: `Bearer ${token}` },
    })
  const answer = await read(server.tokens.ann)
  expect([answer.status, await answer.text()]).toEqual([200, '<script>'])
  expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  expect(answer.headers.get('content-disposition')).toBe('attachment')
  expect((await read(server.tokens.root)).status).toBe(404)
  expect((await read('nobody')).status).toBe(401)
})
