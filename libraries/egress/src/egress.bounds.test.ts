import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  brotliCompressSync,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { fakeClock } from '@surehand/conformance'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEgress, type Egress } from './egress.ts'
import { told } from './fixtures/told.ts'
import { type RawWeb, startRawWeb, startWeb, type Web } from './fixtures/web.ts'
import { DEFAULT_LIMITS } from './limits.ts'

const MEBI = 1024 * 1024
const stops: (() => Promise<void>)[] = []
let egress: Egress

beforeEach(() => {
  egress = createEgress()
  stops.push(egress.close)
})

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function web(answer: Parameters<typeof startWeb>[0]): Promise<Web> {
  const started = await startWeb(answer)
  stops.push(started.stop)
  return started
}

async function raw(onRequest: Parameters<typeof startRawWeb>[0]): Promise<RawWeb> {
  const started = await startRawWeb(onRequest)
  stops.push(started.stop)
  return started
}

const get = (
  { url, port }: Pick<Web, 'url' | 'port'>,
  more: Partial<Parameters<Egress['fetch']>[0]> = {},
) => egress.fetch({ tenant: 'a', url, allow: [{ host: '127.0.0.1', port }], ...more })

const endlessZeros = () => Readable.from(zeros(), { objectMode: false })
function* zeros() {
  const block = Buffer.alloc(64 * 1024)
  while (true) yield block
}

describe('a bomb that never ends is left while it runs', () => {
  test.each([
    ['gzip', createGzip],
    ['deflate', createDeflate],
    ['deflate', createDeflateRaw],
    ['br', createBrotliCompress],
    ['zstd', createZstdCompress],
  ])('in %s', async (coding, pack) => {
    const server = await web((_, response) => {
      response.writeHead(200, { 'content-encoding': coding })
      endlessZeros().pipe(pack()).pipe(response)
    })
    expect(await told(get(server))).toMatchObject({
      code: 'TOOL_INVALID_OUTPUT',
      message: `127.0.0.1:${server.port} answered in a packing of more than 100 to 1. The rest was not read.`,
      effect: 'possible',
      retryable: false,
    })
  })

  test('not packed at all', async () => {
    const server = await web((_, response) => endlessZeros().pipe(response))
    expect((await told(get(server))).message).toContain(
      `answered with more than ${5 * MEBI} bytes. The rest was not read.`,
    )
  })

  test('in gzip members that unpack to nothing', async () => {
    const empty = gzipSync('')
    const members = Buffer.concat(Array.from({ length: 4_000 }, () => empty))
    const server = await web((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      Readable.from(
        (function* () {
          while (true) yield members
        })(),
        { objectMode: false },
      ).pipe(response)
    })
    expect((await told(get(server))).message).toContain(
      `answered with more than ${5 * MEBI} bytes.`,
    )
  })

  test('in a packing so loose that the size is what stops it, long before as much has come', async () => {
    const block = Buffer.concat([randomBytes(6_000), Buffer.alloc(58_000)])
    const body = gzipSync(Buffer.concat(Array.from({ length: 48 }, () => block)), { level: 1 })
    expect(body.length).toBeLessThan(MEBI / 2)
    const server = await web((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
    )
    expect((await told(get(server, { maxBytes: MEBI }))).message).toContain(
      `answered with more than ${MEBI} bytes.`,
    )
    expect((await get(server, { maxBytes: 4 * MEBI })).bytes.length).toBe(48 * 64_000)
  })
})

describe('what is packed', () => {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(1_000)

  test.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['gzip, identity', gzipSync(text)],
  ])('in %s is unpacked', async (coding, body) => {
    const server = await web((_, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(body),
    )
    const answer = await get(server)
    expect(answer.text()).toBe(text)
    expect([answer.headers.get('content-encoding'), answer.headers.get('content-length')]).toEqual([
      null,
      null,
    ])
  })

  test.each([
    ['gzip, gzip', gzipSync(gzipSync(text)), 'a packing that is not known, or in several at once'],
    ['compress', Buffer.from(text), 'a packing that is not known, or in several at once'],
    ['constructor', Buffer.from(text), 'a packing that is not known, or in several at once'],
    ['gzip', Buffer.from(text), 'in broken gzip'],
    ['gzip', gzipSync(text).subarray(0, 40), 'in broken gzip'],
    ['br', Buffer.from(text), 'in broken br'],
    ['zstd', Buffer.from(text), 'in broken zstd'],
    ['deflate', Buffer.from(text), 'in broken deflate'],
  ])('in %s, and is not that or is that twice, is refused', async (coding, body, why) => {
    const server = await web((_, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(body),
    )
    const answer = await told(get(server))
    expect(answer).toMatchObject({ code: 'TOOL_INVALID_OUTPUT', retryable: false })
    expect(answer.message).toContain(why)
  })

  test('may be packed tighter than 100 to 1 while it is small', async () => {
    const server = await web((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(' '.repeat(64 * 1024))),
    )
    expect((await get(server)).bytes.length).toBe(64 * 1024)
  })

  test('and has nothing in it is nothing', async () => {
    const server = await web((_, response) =>
      response.writeHead(200, { 'content-encoding': 'br' }).end(),
    )
    expect((await get(server)).bytes.length).toBe(0)
    expect((await get(server, { method: 'HEAD' })).bytes.length).toBe(0)
  })
})

describe('the length an answer claims', () => {
  test('is believed when it is too much, and nothing is waited for', async () => {
    const server = await raw((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${6 * MEBI}\r\n\r\nx`),
    )
    expect((await told(get(server))).message).toContain(
      `answered with more than ${5 * MEBI} bytes.`,
    )
  })

  test('may be anything where no body comes', async () => {
    const server = await raw((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${600 * MEBI}\r\n\r\n`),
    )
    const answer = await get(server, { method: 'HEAD' })
    expect([answer.bytes.length, answer.headers.get('content-length')]).toEqual([
      0,
      String(600 * MEBI),
    ])
  })

  test('that is too long is a broken answer, not a short one', async () => {
    const server = await raw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort'),
    )
    expect(await told(get(server))).toMatchObject({ effect: 'possible', retryable: true })
  })

  test("that is too short cuts the answer, and the rest is nobody's answer", async () => {
    const poison = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison'
    const server = await raw((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine${poison}`),
    )
    const answers = [await get(server), await get(server), await get(server)]
    expect(answers.map((answer) => answer.text())).toEqual(['fine', 'fine', 'fine'])
    expect(server.connections()).toBe(3)
  })

  test.each([
    ['twice, and different', 'content-length: 4\r\ncontent-length: 5\r\n\r\nfine!'],
    ['beside chunks', 'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['in letters', 'content-length: four\r\n\r\nfine'],
    ['below zero', 'content-length: -1\r\n\r\n'],
    ['behind a broken chunk', 'transfer-encoding: chunked\r\n\r\nzz\r\nfine\r\n0\r\n\r\n'],
  ])('%s is a broken answer', async (_, rest) => {
    const server = await raw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))
    expect(await told(get(server))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })
})

describe('a head that is too much is left while it comes', () => {
  test.each([
    ['one header without end', 'x: ', 'x'],
    ['headers without end', '', 'x: y\r\n'],
  ])('%s', async (_, start, more) => {
    const server = await raw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${start}`)
      Readable.from(
        (function* () {
          while (true) yield more.repeat(1_000)
        })(),
        { objectMode: false },
      ).pipe(socket)
    })
    expect(await told(get(server))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })

  test('interim answers without end', async () => {
    const server = await raw((socket) => {
      Readable.from(
        (function* () {
          while (true) yield 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(10)
        })(),
        { objectMode: false },
      ).pipe(socket)
    })
    expect(await told(get(server))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })

  test('trailers without end', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n')
      Readable.from(
        (function* () {
          while (true) yield 'x: y\r\n'.repeat(1_000)
        })(),
        { objectMode: false },
      ).pipe(socket)
    })
    expect(await told(get(server))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })

  test('what is no HTTP at all', async () => {
    const server = await raw((socket) => socket.end('220 smtp.example.com ESMTP\r\n'))
    expect(await told(get(server))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })
})

describe('who is slow', () => {
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
  const { connectMs, headersMs, wholeMs } = DEFAULT_LIMITS

  function slowly(options: Parameters<typeof createEgress>[0] = {}) {
    const clock = fakeClock(undefined, pause)
    egress = createEgress({ clock, ...options })
    stops.push(egress.close)
    return clock
  }

  /** A server that drips, and says when it has begun to. */
  async function dripping(head: string, drop: string) {
    const begun = Promise.withResolvers<void>()
    const server = await raw((socket) => {
      socket.write(head)
      const timer = setInterval(() => socket.write(drop), 1)
      socket.on('close', () => clearInterval(timer))
      begun.resolve()
    })
    return { ...server, begun: begun.promise }
  }

  test('with the head is left when its time is up', async () => {
    const clock = slowly()
    const server = await dripping('HTTP/1.1 200 OK\r\nx: ', 'x')
    const answer = told(get(server))
    await server.begun
    await clock.advance(headersMs)
    expect(await answer).toEqual({
      code: 'TOOL_EXECUTION_TIMEOUT',
      message: `127.0.0.1:${server.port} did not answer within ${headersMs} ms.`,
      effect: 'possible',
      retryable: true,
    })
  })

  test('with the body is left when the time for all is up', async () => {
    const clock = slowly()
    const server = await dripping(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      '1\r\nx\r\n',
    )
    const answer = told(get(server))
    await server.begun
    await clock.advance(wholeMs)
    expect(await answer).toMatchObject({
      code: 'TOOL_EXECUTION_TIMEOUT',
      message: `127.0.0.1:${server.port} did not finish within ${wholeMs} ms.`,
      effect: 'possible',
    })
  })

  test('with redirects is left when the time for all is up, not for each', async () => {
    const clock = slowly()
    const begun = Promise.withResolvers<void>()
    const server = await web((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/slow' }).end()
      else begun.resolve()
    })
    const answer = told(get(server, { limits: { headersMs: wholeMs * 10 } }))
    await begun.promise
    await clock.advance(wholeMs)
    expect((await answer).message).toContain(`did not finish within ${wholeMs} ms`)
  })

  test('with the body of a redirect is left when the time for all is up', async () => {
    const clock = slowly()
    const server = await dripping(
      'HTTP/1.1 302 Found\r\nlocation: /\r\ntransfer-encoding: chunked\r\n\r\n',
      '1\r\nx\r\n',
    )
    const answer = told(get(server))
    await server.begun
    await clock.advance(wholeMs)
    expect((await answer).code).toBe('TOOL_EXECUTION_TIMEOUT')
  })

  test('to be found is left: nothing has left', async () => {
    const asked = Promise.withResolvers<void>()
    const clock = slowly({
      resolve() {
        asked.resolve()
        return new Promise(() => undefined)
      },
    })
    const answer = told(egress.fetch({ tenant: 'a', url: 'http://slow.example.com' }))
    await asked.promise
    await clock.advance(connectMs)
    expect(await answer).toMatchObject({
      code: 'TOOL_EXECUTION_TIMEOUT',
      message: `slow.example.com:80 could not be looked up within ${connectMs} ms.`,
      effect: 'none',
    })
  })

  test('to take the handshake is left: nothing has left', async () => {
    const clock = slowly()
    const taken = Promise.withResolvers<void>()
    const server = await raw(() => undefined)
    const answer = told(get({ url: `https://127.0.0.1:${server.port}`, port: server.port }))
    const waiting = setInterval(() => server.received() !== '' && taken.resolve(), 5)
    await taken.promise
    clearInterval(waiting)
    await clock.advance(connectMs)
    expect(await answer).toMatchObject({
      code: 'TOOL_EXECUTION_TIMEOUT',
      message: `127.0.0.1:${server.port} did not take the connection within ${connectMs} ms.`,
      effect: 'none',
    })
  })
})
