import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Dial, systemDial } from './dial.ts'
import { createEgress, type Egress } from './egress.ts'
import { rejectionOf } from './fixtures/rejection-of.ts'
import { startRawWeb, startWeb, type Web } from './fixtures/web.ts'
import { readResponse } from './response.ts'

let web: Web
let egress: Egress

beforeEach(async () => {
  web = await startWeb((request, response) => {
    if (request.url === '/latin')
      response
        .setHeader('content-type', 'text/plain; charset=iso-8859-1')
        .end(Buffer.from([0x67, 0xfc, 0x6e]))
    else if (request.url === '/missing') response.writeHead(404).end('not here')
    else response.setHeader('content-type', 'application/json').end('{"is":"fine"}')
  })
  egress = createEgress({ policyOf: () => ({ allow: [{ host: '127.0.0.1', port: web.port }] }) })
})

afterEach(async () => {
  await egress.close()
  await web.stop()
})

describe('a response', () => {
  test('has a status, headers, the final URL, and its body as bytes, text and JSON', async () => {
    const answer = await egress.fetch({ tenant: 'a', url: `${web.url}/thing?x=1#part` })
    expect([answer.status, answer.url, answer.headers.get('Content-Type')]).toEqual([
      200,
      `${web.url}/thing?x=1`,
      'application/json',
    ])
    expect([answer.text(), answer.json(), answer.bytes.length]).toEqual([
      '{"is":"fine"}',
      { is: 'fine' },
      13,
    ])
  })

  test('is decoded with the charset it names', async () => {
    expect((await egress.fetch({ tenant: 'a', url: `${web.url}/latin` })).text()).toBe('gün')
  })

  test('is returned whatever its status', async () => {
    const answer = await egress.fetch({ tenant: 'a', url: `${web.url}/missing` })
    expect([answer.status, answer.text()]).toEqual([404, 'not here'])
  })

  test('that is not JSON is reported without its text', async () => {
    const answer = await egress.fetch({ tenant: 'a', url: `${web.url}/missing` })
    expect(await rejectionOf(Promise.try(answer.json))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      message: `127.0.0.1:${web.port} did not answer with JSON.`,
    })
  })

  test('that breaks off before it is read is reported to its reader', async () => {
    const raw = await startRawWeb((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')
      setTimeout(() => socket.destroy(), 20)
    })
    const answer = await egress.stream({
      tenant: 'a',
      url: raw.url,
      allow: [{ host: '127.0.0.1', port: raw.port }],
    })
    await expect.poll(raw.open).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await rejectionOf(readResponse(answer))).toMatchObject({
      effect: 'possible',
      retryable: true,
    })
    await raw.stop()
  })

  test('can be read as a stream', async () => {
    const { status, body } = await egress.stream({ tenant: 'a', url: web.url })
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    expect([status, Buffer.concat(chunks).toString()]).toEqual([200, '{"is":"fine"}'])
  })
})

describe('a request', () => {
  test('is sent as given, with a few default headers', async () => {
    await egress.fetch({
      tenant: 'a',
      url: `${web.url}/a?b=c`,
      method: 'post',
      headers: { 'Content-Type': 'text/plain', 'X-One': '1' },
      body: 'ü',
    })
    expect(web.seen).toMatchObject([
      {
        method: 'POST',
        url: '/a?b=c',
        body: 'ü',
        headers: {
          host: `127.0.0.1:${web.port}`,
          'content-type': 'text/plain',
          'content-length': '2',
          'x-one': '1',
          'accept-encoding': 'gzip, deflate, br, zstd',
          'user-agent': 'surehand',
        },
      },
    ])
  })

  test.each([
    [{ headers: { Host: 'other.example' } }, 'The header host cannot be set by the caller.'],
    [
      { headers: { 'Transfer-Encoding': 'chunked' } },
      'The header transfer-encoding cannot be set by the caller.',
    ],
    [
      { headers: { 'content-length': '3' } },
      'The header content-length cannot be set by the caller.',
    ],
    [{ headers: { Connection: 'upgrade' } }, 'The header connection cannot be set by the caller.'],
    [
      { headers: { 'x-a': 'secret\r\nx-b: c' } },
      'The value of the header x-a has line breaks or characters that headers cannot contain.',
    ],
    [
      { headers: { 'x-a': 'secret\u{1f600}' } },
      'The value of the header x-a has line breaks or characters that headers cannot contain.',
    ],
    [{ headers: { 'x a': 'secret' } }, 'A header has an invalid name.'],
    [{ headers: { 'X-A': 'secret', 'x-a': 'secret' } }, 'The header x-a is given twice.'],
    [{ method: 'CONNECT' }, 'The method must be one of'],
    [{ method: 'GET /secret HTTP/1.1\r\nx: y' }, 'The method must be one of'],
    [{ method: 'GET', body: 'secret' }, 'A GET request has no body.'],
  ])('with %j is not sent', async (part, message) => {
    const answer = await rejectionOf(egress.fetch({ tenant: 'a', url: web.url, ...part }))
    expect(answer).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      effect: 'none',
      retryable: false,
    })
    expect(answer.message).toContain(message)
    expect(answer.message).not.toContain('secret')
    expect(web.connections()).toBe(0)
  })

  test('may allow a host itself, from the settings of the server', async () => {
    const strict = createEgress()
    expect(await rejectionOf(strict.fetch({ tenant: 'a', url: web.url }))).toMatchObject({
      code: 'TOOL_RESOURCE_ACCESS_DENIED',
    })
    const allow = [{ host: '127.0.0.1', port: web.port }]
    expect((await strict.fetch({ tenant: 'a', url: web.url, allow })).status).toBe(200)
    await strict.close()
  })
})

describe('the effect of a failed request', () => {
  test('that the policy refuses: nothing was sent, and a retry is pointless', async () => {
    expect(
      await rejectionOf(egress.fetch({ tenant: 'a', url: 'http://10.0.0.1/?key=secret' })),
    ).toEqual({
      code: 'TOOL_RESOURCE_ACCESS_DENIED',
      message:
        '10.0.0.1:80 was not contacted: it is a private network. ' +
        'If the request is intended, an administrator can allow { host: "10.0.0.1", port: 80 } in the tenant\'s egress policy.',
      effect: 'none',
      retryable: false,
    })
  })

  test('whose policy cannot be read: refused, and nothing was sent', async () => {
    const shut = createEgress({
      policyOf: () => Promise.reject(new Error('the store is unavailable')),
    })
    expect(await rejectionOf(shut.fetch({ tenant: 'a', url: web.url }))).toMatchObject({
      code: 'TOOL_RESOURCE_UNAVAILABLE',
      effect: 'none',
    })
  })

  test('whose name does not resolve, or has no address: nothing was sent', async () => {
    const lost = createEgress({
      resolve: async (name) =>
        name === 'empty.example.com'
          ? []
          : Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    })
    expect(
      await rejectionOf(lost.fetch({ tenant: 'a', url: 'http://lost.example.com' })),
    ).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      message: 'lost.example.com:80 could not be reached (ENOTFOUND).',
      effect: 'none',
      retryable: true,
    })
    expect(
      await rejectionOf(lost.fetch({ tenant: 'a', url: 'http://empty.example.com' })),
    ).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      effect: 'none',
    })
  })

  test('to a port without a listener: nothing was sent', async () => {
    const { port } = web
    await web.stop()
    expect(
      await rejectionOf(
        egress.fetch({ tenant: 'a', url: `http://127.0.0.1:${port}`, method: 'POST', body: 'x' }),
      ),
    ).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      message: `127.0.0.1:${port} could not be reached (ECONNREFUSED).`,
      effect: 'none',
    })
    web = await startWeb((_, response) => response.end())
  })

  test('whose connection breaks after it was sent: there may be an effect', async () => {
    const raw = await startRawWeb((socket) => socket.destroy())
    const allow = [{ host: '127.0.0.1', port: raw.port }]
    expect(
      await rejectionOf(
        egress.fetch({ tenant: 'a', url: raw.url, method: 'POST', body: 'x', allow }),
      ),
    ).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      effect: 'possible',
    })
    await raw.stop()
  })

  test('whose POST is redirected to a forbidden address: there may be an effect', async () => {
    const raw = await startRawWeb((socket) =>
      socket.end(
        'HTTP/1.1 307 Elsewhere\r\nlocation: http://10.0.0.1/\r\ncontent-length: 0\r\n\r\n',
      ),
    )
    const allow = [{ host: '127.0.0.1', port: raw.port }]
    const answer = await rejectionOf(
      egress.fetch({ tenant: 'a', url: raw.url, method: 'POST', body: 'x', allow }),
    )
    expect(answer).toMatchObject({
      code: 'TOOL_RESOURCE_ACCESS_DENIED',
      effect: 'possible',
      retryable: false,
    })
    expect(answer.message).toContain(`10.0.0.1:80 was not contacted: it is a private network.`)
    expect(answer.message).toContain(`It was reached by a redirect of 127.0.0.1:${raw.port}.`)
    await raw.stop()
  })

  test('cancelled before it started: nothing was sent, and no connection was opened', async () => {
    const signal = AbortSignal.abort(new Error('secret reason'))
    expect(await rejectionOf(egress.fetch({ tenant: 'a', url: web.url, signal }))).toMatchObject({
      code: 'TOOL_CANCELLED',
      effect: 'none',
    })
    expect(web.connections()).toBe(0)
  })

  test('cancelled during the DNS lookup: nothing was sent', async () => {
    const controller = new AbortController()
    const never = new Promise<readonly string[]>(() => undefined)
    const slow = createEgress({
      resolve() {
        controller.abort()
        return never
      },
    })
    expect(
      await rejectionOf(
        slow.fetch({ tenant: 'a', url: 'http://slow.example.com', signal: controller.signal }),
      ),
    ).toMatchObject({
      code: 'TOOL_CANCELLED',
      effect: 'none',
    })
  })

  test('cancelled while it waits for a connection: nothing is sent then or later', async () => {
    const controller = new AbortController()
    const dial: Dial = (to) =>
      systemDial(to).prependOnceListener('connect', () => controller.abort())
    const late = createEgress({
      dial,
      policyOf: () => ({ allow: [{ host: '127.0.0.1', port: web.port }] }),
    })
    expect(
      await rejectionOf(
        late.fetch({ tenant: 'a', url: `${web.url}/first`, signal: controller.signal }),
      ),
    ).toMatchObject({
      code: 'TOOL_CANCELLED',
      effect: 'none',
    })
    await late.fetch({ tenant: 'a', url: `${web.url}/second` })
    expect(web.seen.map(({ url }) => url)).toEqual(['/second'])
    await late.close()
  })

  test('cancelled while it waits for the response: there may be an effect', async () => {
    const controller = new AbortController()
    const silent = await startRawWeb(() => controller.abort())
    const allow = [{ host: '127.0.0.1', port: silent.port }]
    expect(
      await rejectionOf(
        egress.fetch({ tenant: 'a', url: silent.url, allow, signal: controller.signal }),
      ),
    ).toMatchObject({
      code: 'TOOL_CANCELLED',
      effect: 'possible',
    })
    await silent.stop()
  })

  test('after egress was closed: nothing was sent', async () => {
    await egress.close()
    expect(await rejectionOf(egress.fetch({ tenant: 'a', url: web.url }))).toMatchObject({
      code: 'TOOL_RESOURCE_UNAVAILABLE',
      effect: 'none',
    })
  })
})

test('no secret of a request appears in an error or its cause', async () => {
  const raw = await startRawWeb((socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n'),
  )
  const headers = {
    authorization: 'Bearer hush-header',
    cookie: 'session=hush-cookie',
    'x-api-key': 'hush-key',
  }
  const body = 'hush-body'
  const urls = [
    `${raw.url}/hush-path?key=hush-query`,
    'http://hush-user:hush-password@example.com/',
    'http://10.0.0.1/?key=hush-query',
    'ftp://hush-user:hush-password@example.com/hush-path',
    'http://hush query/',
    'http://:hush-password@[bad',
    'https://unknown.example.com/hush-path?key=hush-query',
    'http://localhost/hush-path#hush-fragment',
  ]
  const quiet = createEgress({
    resolve: () => Promise.reject(new Error('not found')),
    policyOf: () => ({ allow: [{ host: '127.0.0.1', port: raw.port }] }),
  })
  const failures = await Promise.all(
    urls.map((url) =>
      quiet
        .fetch({
          tenant: 'a',
          url,
          method: 'POST',
          headers,
          body,
          credentialHeaders: ['X-Api-Key'],
        })
        .catch((error: unknown) => error),
    ),
  )
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(Error)
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain('hush')
  }
  await raw.stop()
})

describe('connections', () => {
  test('are reused: a hundred sequential requests to one origin use one', async () => {
    for (let index = 0; index < 100; index++)
      await egress.fetch({ tenant: 'a', url: `${web.url}/${index}` })
    expect([web.seen.length, web.connections()]).toEqual([100, 1])
  })

  test('are reused for redirects within an origin', async () => {
    const turning = await startWeb((request, response) => {
      if (request.url === '/5') response.end('there')
      else {
        response
          .writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` })
          .flushHeaders()
        setTimeout(() => response.end('an unread body'), 20)
      }
    })
    const allow = [{ host: '127.0.0.1', port: turning.port }]
    expect((await egress.fetch({ tenant: 'a', url: `${turning.url}/0`, allow })).text()).toBe(
      'there',
    )
    expect([turning.seen.length, turning.connections()]).toEqual([6, 1])
    await turning.stop()
  })

  test('are not shared between tenants', async () => {
    for (const tenant of ['a', 'b', 'a', 'b']) await egress.fetch({ tenant, url: web.url })
    expect([web.seen.length, web.connections()]).toEqual([4, 2])
  })

  test('of a discarded response are closed, and no other', async () => {
    const endless = await startRawWeb((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n'),
    )
    const allow = [{ host: '127.0.0.1', port: endless.port }]
    const answer = await egress.stream({ tenant: 'a', url: endless.url, allow })
    expect(endless.open()).toBe(1)
    answer.discard()
    await expect.poll(endless.open).toBe(0)
    expect((await egress.fetch({ tenant: 'a', url: web.url })).status).toBe(200)
    await endless.stop()
  })
})
