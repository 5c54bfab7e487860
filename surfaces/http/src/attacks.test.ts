import { connect } from 'node:net'
import { createEdge } from '@surehand/edge'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({
    bodyTimeoutMs: 300,
    corsOrigins: ['https://app.example:8443'],
  })
})
afterAll(() => server.close())

/** A request written by hand; the status and the code of its answer. */
async function raw(headers: readonly string[], body = '{"text":"hi"}'): Promise<string> {
  const lines = [
    'POST /v1/tools/demo.echo/call HTTP/1.1',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ]
  const answer = await server.raw(lines.join('\r\n'))
  return `${answer.slice(9, 12)} ${/"source_code":"(\w+)"/.exec(answer)?.[1] ?? ''}`.trim()
}

const bearer = () => `Authorization: Bearer ${server.tokens.bob}`
const host = () => `Host: 127.0.0.1:${server.port}`
const json = 'Content-Type: application/json'

describe('a request for another host', () => {
  test.each([
    ['another name', () => ['Host: evil.example']],
    ['the right name with another port', () => ['Host: 127.0.0.1:1']],
    ['the right name without its port', () => ['Host: 127.0.0.1']],
  ])('(%s) is turned away', async (_, hosts) => {
    expect(await raw([...hosts(), bearer(), json])).toBe('421 foreign_host')
  })

  test('with two Host headers is turned away, whichever comes first', async () => {
    expect((await raw([host(), 'Host: evil.example', bearer(), json])).slice(0, 3)).toBe('400')
    expect((await raw(['Host: evil.example', host(), bearer(), json])).slice(0, 3)).toBe('400')
    expect((await raw([host(), host(), bearer(), json])).slice(0, 3)).toBe('400')
  })

  test('with none is turned away', async () => {
    expect((await raw([bearer(), json])).slice(0, 3)).toBe('400')
  })
})

describe('a page of another origin', () => {
  test.each([
    'https://evil.example',
    'http://127.0.0.1:1',
    'http://127.0.0.1',
    'null',
    'https://app.example',
  ])('(%s) is turned away', async (origin) => {
    expect(await raw([host(), `Origin: ${origin}`, bearer(), json])).toBe('403 foreign_origin')
  })

  test('that is on the list is served with CORS headers; others get none', async () => {
    const ask = (origin: string) =>
      fetch(`${server.url}/v1/tools/demo.echo/call`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const [listed, foreign] = [
      await ask('https://app.example:8443'),
      await ask('https://evil.example'),
    ]
    expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example:8443',
    ])
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([
      403,
      null,
    ])
    expect(await raw([host(), 'Origin: https://app.example:8443', bearer(), json])).toBe('200')
  })
})

describe('a body', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/jsonp',
    '',
  ])('of the type "%s" is refused', async (type) => {
    expect(await raw([host(), bearer(), ...(type === '' ? [] : [`Content-Type: ${type}`])])).toBe(
      '415 media_type',
    )
  })

  test('that is compressed is refused', async () => {
    expect(await raw([host(), bearer(), json, 'Content-Encoding: gzip'])).toBe('415 media_type')
  })

  test('that is too large is refused by its length, before it comes', async () => {
    const answer = await server.raw(
      [
        'POST /v1/tools/demo.echo/call HTTP/1.1',
        host(),
        bearer(),
        json,
        'Content-Length: 99999999',
        '',
        '{',
      ].join('\r\n'),
    )
    expect(answer.slice(9, 12)).toBe('413')
  })

  test('that is too large is refused while it arrives, where it has no length', async () => {
    const sent = { bytes: 0 }
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(server.port, '127.0.0.1')
      const chunk = `${(65_536).toString(16)}\r\n${'a'.repeat(65_536)}\r\n`
      socket.write(
        [
          'POST /v1/tools/demo.echo/call HTTP/1.1',
          host(),
          bearer(),
          json,
          'Transfer-Encoding: chunked',
          '',
          '',
        ].join('\r\n'),
      )
      const pump = (): void => {
        if (socket.destroyed || sent.bytes > 40_000_000 || text !== '') return
        sent.bytes += 65_536
        socket.write(chunk, () => setImmediate(pump))
      }
      pump()
      socket.on('data', (data) => {
        text += data
        socket.destroy()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(text))
    })
    expect(answer.slice(9, 12)).toBe('413')
    expect(sent.bytes).toBeLessThan(40_000_000)
  })

  test('that dribbles is given up on', async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(server.port, '127.0.0.1')
      socket.write(
        [
          'POST /v1/tools/demo.echo/call HTTP/1.1',
          host(),
          bearer(),
          json,
          'Content-Length: 1000',
          '',
          '{',
        ].join('\r\n'),
      )
      const dribble = setInterval(() => socket.write(' '), 50)
      socket.on('data', (data) => {
        text += data
        socket.destroy()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearInterval(dribble)
        resolve(text)
      })
    })
    expect(answer.slice(9, 12)).toBe('408')
  })
})

describe('a token', () => {
  test.each([
    ['none', () => undefined],
    ['another scheme', () => `Basic ${server.tokens.bob}`],
    ['a forged secret', () => `Bearer ${server.tokens.bob.slice(0, -4)}AAAA`],
    [
      'an unsigned JWT',
      () =>
        `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"root"}').toString('base64url')}.`,
    ],
    ['two of them', () => `Bearer ${server.tokens.bob}, Bearer ${server.tokens.root}`],
  ])('(%s) that is not valid gets the same answer as any other', async (_, authorization) => {
    const value = authorization()
    const response = await fetch(`${server.url}/v1/tools`, {
      headers: value === undefined ? {} : { authorization: value },
    })
    const { error } = (await response.json()) as { readonly error: { readonly message: string } }
    expect([response.status, error.message]).toEqual([
      401,
      'Send a valid token: Authorization: Bearer …',
    ])
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  test('in a cookie or in the address is none', async () => {
    const token = server.tokens.bob
    expect(
      (
        await fetch(`${server.url}/v1/tools?access_token=${token}`, {
          headers: { cookie: `token=${token}` },
        })
      ).status,
    ).toBe(401)
  })

  test('used too often is refused for a while, and other tokens are served', async () => {
    // So slowly refilled that it does not matter how long the requests take.
    const strict = await openTestServer({
      edge: createEdge({ perToken: { perSecond: 0.001, burst: 30 } }),
    })
    const get = (token: string) => strict.get('/v1/tools', token)
    for (let turn = 0; turn < 30; turn++) expect((await get(strict.tokens.narrow)).status).toBe(200)
    const over = await get(strict.tokens.narrow)
    expect([over.status, over.headers.get('ratelimit-remaining')]).toEqual([429, '0'])
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await get(strict.tokens.root)).status).toBe(200)
    await strict.close()
  })

  test.each(['with the fast path', 'without'])(
    'counts a call whose end is sent to a webhook as four requests, %s',
    async (way) => {
      const strict = await openTestServer(
        { edge: createEdge({ perToken: { perSecond: 0.001, burst: 30 } }) },
        way === 'with the fast path',
      )
      const countLeft = async (headers: Readonly<Record<string, string>>) => {
        const sending = { token: strict.tokens.root, headers }
        const path = '/v1/tools/demo.echo/call'
        const response = await strict.send('POST', path, { text: 'x' }, sending)
        return Number(response.headers.get('ratelimit-remaining'))
      }
      const first = await countLeft({})
      await countLeft({ 'surehand-notify': 'ops' })
      expect(first - (await countLeft({}))).toBe(5)
      await strict.close()
    },
  )
})

test('every answer forbids guessing its type, keeping it and framing it', async () => {
  for (const response of [
    await server.get('/v1/tools', server.tokens.root),
    await server.get('/nothing'),
    await server.get('/sign-in'),
  ]) {
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
})

test('an unexpected exception is not shown to the client, but reported to the log', async () => {
  const heard: unknown[] = []
  const broken = await openTestServer({
    onError: (thrown) => heard.push(thrown),
    audit: {
      figures: () => ({ slots: [], complete: true }),
      list: () => {
        throw new Error('password=hunter2')
      },
    },
  })
  const response = await broken.get('/v1/audit', broken.tokens.root)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('hunter2')
  expect(heard).toMatchObject([{ message: 'password=hunter2' }])
  await broken.close()
})
