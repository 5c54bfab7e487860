import { randomBytes } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
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
import { rejectionOf } from './fixtures/rejection-of.ts'
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

describe('an endless body is abandoned while it arrives', () => {
  test.each([
    ['gzip', createGzip],
    ['deflate', createDeflate],
    ['deflate', createDeflateRaw],
    ['br', createBrotliCompress],
    ['zstd', createZstdCompress],
  ])('in %s', async (coding, pack) => {
    const server = await web((_, response) => {
      response.writeHead(200, { 'content-encoding': coding })
      // Not `pipe`: without its reader the packing would go on, until the process ends.
      pipeline(endlessZeros(), pack(), response, () => undefined)
    })
    expect(await rejectionOf(get(server))).toMatchObject({
      code: 'TOOL_INVALID_OUTPUT',
      message: `127.0.0.1:${server.port} answered with a body compressed more than 100 to 1. The rest was not read.`,
      effect: 'possible',
      retryable: false,
    })
  })

  test('without compression', async () => {
    const server = await web((_, response) => endlessZeros().pipe(response))
    expect((await rejectionOf(get(server))).message).toContain(
      `answered with more than ${5 * MEBI} bytes. The rest was not read.`,
    )
  })

  test('in gzip members that decompress to nothing', async () => {
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
    expect((await rejectionOf(get(server))).message).toContain(
      `answered with more than ${5 * MEBI} bytes.`,
    )
  })

  test('compressed so little that the size limit stops it', async () => {
    const block = Buffer.concat([randomBytes(6_000), Buffer.alloc(58_000)])
    const body = gzipSync(Buffer.concat(Array.from({ length: 48 }, () => block)), { level: 1 })
    expect(body.length).toBeLessThan(MEBI / 2)
    const server = await web((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
    )
    expect((await rejectionOf(get(server, { maxBytes: MEBI }))).message).toContain(
      `answered with more than ${MEBI} bytes.`,
    )
    expect((await get(server, { maxBytes: 4 * MEBI })).bytes.length).toBe(48 * 64_000)
  })
})

describe('a compressed body', () => {
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
  ])('in %s is decompressed', async (coding, body) => {
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
    ['gzip, gzip', gzipSync(gzipSync(text)), 'an unknown content encoding, or with several'],
    ['compress', Buffer.from(text), 'an unknown content encoding, or with several'],
    ['constructor', Buffer.from(text), 'an unknown content encoding, or with several'],
    ['gzip', Buffer.from(text), 'with invalid gzip'],
    ['gzip', gzipSync(text).subarray(0, 40), 'with invalid gzip'],
    ['br', Buffer.from(text), 'with invalid br'],
    ['zstd', Buffer.from(text), 'with invalid zstd'],
    ['deflate', Buffer.from(text), 'with invalid deflate'],
  ])('that names %s wrongly, or twice, is refused', async (coding, body, why) => {
    const server = await web((_, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(body),
    )
    const answer = await rejectionOf(get(server))
    expect(answer).toMatchObject({ code: 'TOOL_INVALID_OUTPUT', retryable: false })
    expect(answer.message).toContain(why)
  })

  test('may be compressed more than 100 to 1 while it is small', async () => {
    const server = await web((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(' '.repeat(64 * 1024))),
    )
    expect((await get(server)).bytes.length).toBe(64 * 1024)
  })

  test('of length zero stays empty', async () => {
    const server = await web((_, response) =>
      response.writeHead(200, { 'content-encoding': 'br' }).end(),
    )
    expect((await get(server)).bytes.length).toBe(0)
    expect((await get(server, { method: 'HEAD' })).bytes.length).toBe(0)
  })
})

describe('the content length', () => {
  test('is used to refuse a body that is too large without reading it', async () => {
    const server = await raw((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${6 * MEBI}\r\n\r\nx`),
    )
    expect((await rejectionOf(get(server))).message).toContain(
      `answered with more than ${5 * MEBI} bytes.`,
    )
  })

  test('may be anything where no body follows', async () => {
    const server = await raw((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${600 * MEBI}\r\n\r\n`),
    )
    const answer = await get(server, { method: 'HEAD' })
    expect([answer.bytes.length, answer.headers.get('content-length')]).toEqual([
      0,
      String(600 * MEBI),
    ])
  })

  test('that is too long makes the response invalid, not short', async () => {
    const server = await raw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort'),
    )
    expect(await rejectionOf(get(server))).toMatchObject({ effect: 'possible', retryable: true })
  })

  test('that is too short cuts the body, and the rest is not taken for another response', async () => {
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
    [
      'together with chunked encoding',
      'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['in letters', 'content-length: four\r\n\r\nfine'],
    ['below zero', 'content-length: -1\r\n\r\n'],
    ['behind a broken chunk', 'transfer-encoding: chunked\r\n\r\nzz\r\nfine\r\n0\r\n\r\n'],
  ])('%s makes the response invalid', async (_, rest) => {
    const server = await raw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))
    expect(await rejectionOf(get(server))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })
})

describe('response headers beyond the limit are abandoned while they arrive', () => {
  test.each([
    ['one endless header', 'x: ', 'x'],
    ['endless headers', '', 'x: y\r\n'],
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
    expect(await rejectionOf(get(server))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })

  test('endless interim responses', async () => {
    const server = await raw((socket) => {
      Readable.from(
        (function* () {
          while (true) yield 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(10)
        })(),
        { objectMode: false },
      ).pipe(socket)
    })
    expect(await rejectionOf(get(server))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })

  test('endless trailers', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n')
      Readable.from(
        (function* () {
          while (true) yield 'x: y\r\n'.repeat(1_000)
        })(),
        { objectMode: false },
      ).pipe(socket)
    })
    expect(await rejectionOf(get(server))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })

  test('a response that is not HTTP', async () => {
    const server = await raw((socket) => socket.end('220 smtp.example.com ESMTP\r\n'))
    expect(await rejectionOf(get(server))).toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
      effect: 'possible',
    })
  })
})

describe('a slow server', () => {
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
  const { connectMs, headersMs, totalMs } = DEFAULT_LIMITS

  function slowly(options: Parameters<typeof createEgress>[0] = {}) {
    const clock = fakeClock(undefined, pause)
    egress = createEgress({ clock, ...options })
    stops.push(egress.close)
    return clock
  }

  /** A server that sends byte by byte, and says when it has started. */
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

  test('is abandoned when its headers take too long', async () => {
    const clock = slowly()
    const server = await dripping('HTTP/1.1 200 OK\r\nx: ', 'x')
    const answer = rejectionOf(get(server))
    await server.begun
    await clock.advance(headersMs)
    expect(await answer).toEqual({
      code: 'TOOL_EXECUTION_TIMEOUT',
      message: `127.0.0.1:${server.port} did not answer within ${headersMs} ms.`,
      effect: 'possible',
      retryable: true,
    })
  })

  test('is abandoned when its body exceeds the total time', async () => {
    const clock = slowly()
    const server = await dripping(
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      '1\r\nx\r\n',
    )
    const answer = rejectionOf(get(server))
    await server.begun
    await clock.advance(totalMs)
    expect(await answer).toMatchObject({
      code: 'TOOL_EXECUTION_TIMEOUT',
      message: `127.0.0.1:${server.port} did not finish within ${totalMs} ms.`,
      effect: 'possible',
    })
  })

  test('is abandoned when its redirects together exceed the total time', async () => {
    const clock = slowly()
    const begun = Promise.withResolvers<void>()
    const server = await web((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/slow' }).end()
      else begun.resolve()
    })
    const answer = rejectionOf(get(server, { limits: { headersMs: totalMs * 10 } }))
    await begun.promise
    await clock.advance(totalMs)
    expect((await answer).message).toContain(`did not finish within ${totalMs} ms`)
  })

  test('is abandoned when the body of a redirect exceeds the total time', async () => {
    const clock = slowly()
    const server = await dripping(
      'HTTP/1.1 302 Found\r\nlocation: /\r\ntransfer-encoding: chunked\r\n\r\n',
      '1\r\nx\r\n',
    )
    const answer = rejectionOf(get(server))
    await server.begun
    await clock.advance(totalMs)
    expect((await answer).code).toBe('TOOL_EXECUTION_TIMEOUT')
  })

  test('is abandoned when its DNS lookup takes too long, and nothing was sent', async () => {
    const asked = Promise.withResolvers<void>()
    const clock = slowly({
      resolve() {
        asked.resolve()
        return new Promise(() => undefined)
      },
    })
    const answer = rejectionOf(egress.fetch({ tenant: 'a', url: 'http://slow.example.com' }))
    await asked.promise
    await clock.advance(connectMs)
    expect(await answer).toMatchObject({
      code: 'TOOL_EXECUTION_TIMEOUT',
      message: `slow.example.com:80 could not be resolved within ${connectMs} ms.`,
      effect: 'none',
    })
  })

  test('is abandoned when its TLS handshake takes too long, and nothing was sent', async () => {
    const clock = slowly()
    const taken = Promise.withResolvers<void>()
    const server = await raw(() => undefined)
    const answer = rejectionOf(get({ url: `https://127.0.0.1:${server.port}`, port: server.port }))
    const waiting = setInterval(() => server.received() !== '' && taken.resolve(), 5)
    await taken.promise
    clearInterval(waiting)
    await clock.advance(connectMs)
    expect(await answer).toMatchObject({
      code: 'TOOL_EXECUTION_TIMEOUT',
      message: `127.0.0.1:${server.port} did not accept the connection within ${connectMs} ms.`,
      effect: 'none',
    })
  })
})
