import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { wholeAnswer } from './answer.ts'
import { type Dial, systemDial } from './dial.ts'
import { createEgress, type Egress } from './egress.ts'
import { told } from './fixtures/told.ts'
import { startRawWeb, startWeb, type Web } from './fixtures/web.ts'

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

describe('an answer', () => {
  test('has its status, its headers, where it came from, and its body in three readings', async () => {
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

  test('is read in the charset it names', async () => {
    expect((await egress.fetch({ tenant: 'a', url: `${web.url}/latin` })).text()).toBe('gün')
  })

  test('is an answer whatever its status', async () => {
    const answer = await egress.fetch({ tenant: 'a', url: `${web.url}/missing` })
    expect([answer.status, answer.text()]).toEqual([404, 'not here'])
  })

  test('that is not JSON says so without quoting itself', async () => {
    const answer = await egress.fetch({ tenant: 'a', url: `${web.url}/missing` })
    expect(await told(Promise.try(answer.json))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      message: `127.0.0.1:${web.port} did not answer in JSON.`,
    })
  })

  test('that breaks off before anybody reads it is told to who does', async () => {
    const raw = await startRawWeb((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')
      setTimeout(() => socket.destroy(), 20)
    })
    const answer = await egress.stream({
      tenant: 'a',
      url: raw.url,
      allow: [{ host: '127.0.0.1', port: raw.port }],
    })
    await expect.poll(raw.open, { timeout: 60_000 }).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await told(wholeAnswer(answer))).toMatchObject({ effect: 'possible', retryable: true })
    await raw.stop()
  })

  test('can be read as it comes', async () => {
    const { status, body } = await egress.stream({ tenant: 'a', url: web.url })
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    expect([status, Buffer.concat(chunks).toString()]).toEqual([200, '{"is":"fine"}'])
  })
})

describe('a request', () => {
  test('is sent as it was given, with a few headers of ours', async () => {
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
    [{ headers: { Host: 'other.example' } }, 'The header host is not for the caller to set.'],
    [
      { headers: { 'Transfer-Encoding': 'chunked' } },
      'The header transfer-encoding is not for the caller to set.',
    ],
    [
      { headers: { 'content-length': '3' } },
      'The header content-length is not for the caller to set.',
    ],
    [{ headers: { Connection: 'upgrade' } }, 'The header connection is not for the caller to set.'],
    [
      { headers: { 'x-a': 'secret\r\nx-b: c' } },
      "The header x-a has a value with line breaks or characters that headers can't carry.",
    ],
    [
      { headers: { 'x-a': 'secret\u{1f600}' } },
      "The header x-a has a value with line breaks or characters that headers can't carry.",
    ],
    [{ headers: { 'x a': 'secret' } }, 'A header has a name that is none.'],
    [{ headers: { 'X-A': 'secret', 'x-a': 'secret' } }, 'The header x-a is given twice.'],
    [{ method: 'CONNECT' }, 'Requests are sent by'],
    [{ method: 'GET /secret HTTP/1.1\r\nx: y' }, 'Requests are sent by'],
    [{ method: 'GET', body: 'secret' }, 'A GET request has no body.'],
  ])('with %j is not sent', async (part, message) => {
    const answer = await told(egress.fetch({ tenant: 'a', url: web.url, ...part }))
    expect(answer).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      effect: 'none',
      retryable: false,
    })
    expect(answer.message).toContain(message)
    expect(answer.message).not.toContain('secret')
    expect(web.connections()).toBe(0)
  })

  test('may bring its own opening, from the settings of the house', async () => {
    const strict = createEgress()
    expect(await told(strict.fetch({ tenant: 'a', url: web.url }))).toMatchObject({
      code: 'TOOL_RESOURCE_ACCESS_DENIED',
    })
    const allow = [{ host: '127.0.0.1', port: web.port }]
    expect((await strict.fetch({ tenant: 'a', url: web.url, allow })).status).toBe(200)
    await strict.close()
  })
})

describe('what is known about the effect', () => {
  test('a policy refusal: nothing left, and trying again changes nothing', async () => {
    expect(await told(egress.fetch({ tenant: 'a', url: 'http://10.0.0.1/?key=secret' }))).toEqual({
      code: 'TOOL_RESOURCE_ACCESS_DENIED',
      message:
        '10.0.0.1:80 is not reached: it is a private network. ' +
        'If it is meant, an administrator allows { host: "10.0.0.1", port: 80 } in the tenant\'s egress policy.',
      effect: 'none',
      retryable: false,
    })
  })

  test('a policy that can not be read: closed, and nothing left', async () => {
    const shut = createEgress({ policyOf: () => Promise.reject(new Error('the store is away')) })
    expect(await told(shut.fetch({ tenant: 'a', url: web.url }))).toMatchObject({
      code: 'TOOL_RESOURCE_UNAVAILABLE',
      effect: 'none',
    })
  })

  test('a name that is not found, or has no address: nothing left', async () => {
    const lost = createEgress({
      resolve: async (name) =>
        name === 'empty.example.com'
          ? []
          : Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    })
    expect(await told(lost.fetch({ tenant: 'a', url: 'http://lost.example.com' }))).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      message: 'lost.example.com:80 could not be reached (ENOTFOUND).',
      effect: 'none',
      retryable: true,
    })
    expect(await told(lost.fetch({ tenant: 'a', url: 'http://empty.example.com' }))).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      effect: 'none',
    })
  })

  test('nobody listens: nothing left', async () => {
    const { port } = web
    await web.stop()
    expect(
      await told(
        egress.fetch({ tenant: 'a', url: `http://127.0.0.1:${port}`, method: 'POST', body: 'x' }),
      ),
    ).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      message: `127.0.0.1:${port} could not be reached (ECONNREFUSED).`,
      effect: 'none',
    })
    web = await startWeb((_, response) => response.end())
  })

  test('the connection breaks after the request was sent: it may have happened', async () => {
    const raw = await startRawWeb((socket) => socket.destroy())
    const allow = [{ host: '127.0.0.1', port: raw.port }]
    expect(
      await told(egress.fetch({ tenant: 'a', url: raw.url, method: 'POST', body: 'x', allow })),
    ).toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      effect: 'possible',
    })
    await raw.stop()
  })

  test('a redirect of what was posted leads where it may not: it may have happened', async () => {
    const raw = await startRawWeb((socket) =>
      socket.end(
        'HTTP/1.1 307 Elsewhere\r\nlocation: http://10.0.0.1/\r\ncontent-length: 0\r\n\r\n',
      ),
    )
    const allow = [{ host: '127.0.0.1', port: raw.port }]
    const answer = await told(
      egress.fetch({ tenant: 'a', url: raw.url, method: 'POST', body: 'x', allow }),
    )
    expect(answer).toMatchObject({
      code: 'TOOL_RESOURCE_ACCESS_DENIED',
      effect: 'possible',
      retryable: false,
    })
    expect(answer.message).toContain(`10.0.0.1:80 is not reached: it is a private network.`)
    expect(answer.message).toContain(`A redirect of 127.0.0.1:${raw.port} leads there.`)
    await raw.stop()
  })

  test('given up before it began: nothing left, not even a connection', async () => {
    const signal = AbortSignal.abort(new Error('secret reason'))
    expect(await told(egress.fetch({ tenant: 'a', url: web.url, signal }))).toMatchObject({
      code: 'TOOL_CANCELLED',
      effect: 'none',
    })
    expect(web.connections()).toBe(0)
  })

  test('given up while the name is looked up: nothing left', async () => {
    const controller = new AbortController()
    const never = new Promise<readonly string[]>(() => undefined)
    const slow = createEgress({
      resolve() {
        controller.abort()
        return never
      },
    })
    expect(
      await told(
        slow.fetch({ tenant: 'a', url: 'http://slow.example.com', signal: controller.signal }),
      ),
    ).toMatchObject({
      code: 'TOOL_CANCELLED',
      effect: 'none',
    })
  })

  test('given up while it waits for a connection: nothing left, then or later', async () => {
    const controller = new AbortController()
    const dial: Dial = (to) =>
      systemDial(to).prependOnceListener('connect', () => controller.abort())
    const late = createEgress({
      dial,
      policyOf: () => ({ allow: [{ host: '127.0.0.1', port: web.port }] }),
    })
    expect(
      await told(late.fetch({ tenant: 'a', url: `${web.url}/first`, signal: controller.signal })),
    ).toMatchObject({
      code: 'TOOL_CANCELLED',
      effect: 'none',
    })
    await late.fetch({ tenant: 'a', url: `${web.url}/second` })
    expect(web.seen.map(({ url }) => url)).toEqual(['/second'])
    await late.close()
  })

  test('given up while the answer is awaited: it may have happened', async () => {
    const controller = new AbortController()
    const silent = await startRawWeb(() => controller.abort())
    const allow = [{ host: '127.0.0.1', port: silent.port }]
    expect(
      await told(egress.fetch({ tenant: 'a', url: silent.url, allow, signal: controller.signal })),
    ).toMatchObject({
      code: 'TOOL_CANCELLED',
      effect: 'possible',
    })
    await silent.stop()
  })

  test('after it was closed: nothing left', async () => {
    await egress.close()
    expect(await told(egress.fetch({ tenant: 'a', url: web.url }))).toMatchObject({
      code: 'TOOL_RESOURCE_UNAVAILABLE',
      effect: 'none',
    })
  })
})

test('no secret of a request is in what a failure says, nor in what caused it', async () => {
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
    'https://nobody.example.com/hush-path?key=hush-query',
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
  test('a hundred requests to one origin, one after the other, use one', async () => {
    for (let index = 0; index < 100; index++)
      await egress.fetch({ tenant: 'a', url: `${web.url}/${index}` })
    expect([web.seen.length, web.connections()]).toEqual([100, 1])
  })

  test('redirects within an origin use the same one', async () => {
    const turning = await startWeb((request, response) => {
      if (request.url === '/5') response.end('there')
      else {
        response
          .writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` })
          .flushHeaders()
        setTimeout(() => response.end('a body nobody reads'), 20)
      }
    })
    const allow = [{ host: '127.0.0.1', port: turning.port }]
    expect((await egress.fetch({ tenant: 'a', url: `${turning.url}/0`, allow })).text()).toBe(
      'there',
    )
    expect([turning.seen.length, turning.connections()]).toEqual([6, 1])
    await turning.stop()
  })

  test('no two tenants share one', async () => {
    for (const tenant of ['a', 'b', 'a', 'b']) await egress.fetch({ tenant, url: web.url })
    expect([web.seen.length, web.connections()]).toEqual([4, 2])
  })

  test('an answer that is discarded gives up its own, and nothing else', async () => {
    const endless = await startRawWeb((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n'),
    )
    const allow = [{ host: '127.0.0.1', port: endless.port }]
    const answer = await egress.stream({ tenant: 'a', url: endless.url, allow })
    expect(endless.open()).toBe(1)
    answer.discard()
    await expect.poll(endless.open, { timeout: 60_000 }).toBe(0)
    expect((await egress.fetch({ tenant: 'a', url: web.url })).status).toBe(200)
    await endless.stop()
  })
})
