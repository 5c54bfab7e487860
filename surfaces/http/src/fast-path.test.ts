import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createEdge } from '@surehand/edge'
import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'

// Each server has its own edge, as two processes have: calls of one must not delay the other's.
const createOptions = () => ({
  bodyTimeoutMs: 400,
  edge: createEdge({
    perToken: { perSecond: 1_000_000, burst: 1_000_000 },
    authFailures: { perSecond: 1_000_000, burst: 1_000_000 },
  }),
})

// longer than a body is waited for on either way
const PATIENCE_MS = 4_000

let fast: TestServer
let node: TestServer
// Opened first, because a silent connection is kept for seconds; the other tests run meanwhile.
let lastWords: Promise<string>
beforeAll(async () => {
  fast = await openTestServer(createOptions(), true)
  node = await openTestServer(createOptions(), false)
  lastWords = readToEnd(connect(fast.port, '127.0.0.1'))
})
afterAll(async () => {
  await fast.close()
  await node.close()
})

/** A request, written for one of the two servers. */
type Written = (server: TestServer) => string

const body = '{"to":"ann"}'
let keys = 0

function letter(
  lines: readonly string[] = [],
  text = body,
  first = 'POST /v1/tools/mail.letter/call HTTP/1.1',
): Written {
  const key = `key-${keys++}`
  return (server) => {
    const own = [
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${server.tokens.ann}`,
      'Content-Type: application/json',
    ]
    const length = lines.some((line) => /^(?:content-length|transfer-encoding)/i.test(line))
      ? []
      : [`Content-Length: ${text.length}`]
    return [first, ...own, `Idempotency-Key: ${key}`, ...length, ...lines, '', text].join('\r\n')
  }
}

async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

/** Everything that comes back until the other side is done, or silent for a while. */
async function sentTo(server: TestServer, pieces: readonly Buffer[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  socket.setNoDelay(true)
  let text = ''
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  for (const piece of pieces) {
    socket.write(piece)
    if (pieces.length > 1) await pause(1)
  }
  const answered = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  await Promise.race([answered, closed, pause(PATIENCE_MS)])
  // shows where the next request is believed to begin
  socket.write('GET /last HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n')
  await Promise.race([closed, pause(PATIENCE_MS)])
  socket.destroy()
  return text
}

const BROKEN_OFF = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'

/** What a client learns, without what is another in every answer. */
function summarize(text: string): readonly string[] {
  // where Node breaks a connection off, it is a matter of moments whether an answer that was under
  // way still came
  if (text.endsWith(BROKEN_OFF)) return ['broken off']
  const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? '')
  const codes = [...text.matchAll(/"(?:source_code|code)":"(\w+)"/g)].map(([, code]) => code ?? '')
  const names = [...text.matchAll(/\r\n([A-Za-z-]+): /g)]
    .map(([, name]) => (name ?? '').toLowerCase())
    .toSorted()
  return [...heads, ...codes, ...names]
}

async function compare(
  written: Written,
  cut: (text: string) => readonly string[] = whole,
): Promise<void> {
  await compareAnswers(written, cut)
  expect(fast.sent.length).toBe(node.sent.length)
}

async function compareAnswers(
  written: Written,
  cut: (text: string) => readonly string[] = whole,
): Promise<void> {
  const [one, other] = await Promise.all(
    [fast, node].map((server) => sentTo(server, bytesOf(cut(written(server))))),
  )
  expect(summarize(one ?? ''), written(fast)).toEqual(summarize(other ?? ''))
}

function whole(text: string): readonly string[] {
  return [text]
}

function bytesOf(pieces: readonly string[]): readonly Buffer[] {
  return pieces.map((piece) => Buffer.from(piece, 'latin1'))
}

describe('on the fast path', () => {
  test('a plain call never comes to Node, and its answer has all that Node would say', async () => {
    const before = fast.throughNode()
    const text = await fast.raw(letter(['Connection: close'])(fast))
    expect(fast.throughNode()).toBe(before)
    const through = await node.raw(letter(['Connection: close'])(node))
    expect(summarize(text)).toEqual(summarize(through))
    expect(text.split('\r\n\r\n')[0]?.split('\r\n').slice(0, 2)).toEqual(
      through.split('\r\n\r\n')[0]?.split('\r\n').slice(0, 2),
    )
  })

  const first = (line: string): Written => letter([], body, line)
  const old = 'POST /v1/tools/mail.letter/call HTTP/1.0'
  const inChunks = (...chunks: readonly string[]): Written =>
    letter(
      ['Transfer-Encoding: chunked'],
      [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join(''),
    )

  // The last request of `sentTo` reaches Node's server unless the connection was closed before.
  test.each<[string, Written, number]>([
    ['with a query', first('POST /v1/tools/mail.letter/call?x=1&y HTTP/1.1'), 1],
    ['in one chunk', inChunks(body), 1],
    ['in three chunks', inChunks(body.slice(0, 1), body.slice(1, 7), body.slice(7)), 1],
    ['of HTTP/1.0, as nginx sends it', letter(['Connection: close'], body, old), 0],
    ['of HTTP/1.0 that keeps its connection', letter(['Connection: keep-alive'], body, old), 1],
    ['with TE', letter(['TE: trailers', 'Connection: TE']), 1],
  ])('a call %s never comes to Node, and is answered as by Node', async (_, written, last) => {
    const before = fast.throughNode()
    await compare(written)
    expect(fast.throughNode()).toBe(before + last)
    expect(fast.sent.length).toBeGreaterThan(0)
  })

  test('a call in chunks cut anywhere is the same call', async () => {
    const chunks = inChunks(body.slice(0, 5), body.slice(5))(fast).length
    for (let from = 250; from < chunks; from += 40) {
      const cuts = Array.from({ length: Math.min(40, chunks - from) }, (_, index) => from + index)
      await Promise.all(
        cuts.map((at) =>
          compareAnswers(inChunks(body.slice(0, 5), body.slice(5)), (text) => [
            text.slice(0, at),
            text.slice(at),
          ]),
        ),
      )
    }
    expect(fast.sent.length).toBe(node.sent.length)
  })

  test('calls in chunks that come at once are answered in turn', async () => {
    const several = [inChunks(body), letter(), inChunks('{"to":', '1}'), inChunks(body)]
    await compare((server) => several.map((written) => written(server)).join(''))
  })

  test.each<[string, Written]>([
    ['a plain call', letter()],
    ['HTTP/1.0', first('POST /v1/tools/mail.letter/call HTTP/1.0')],
    [
      'HTTP/1.0 in chunks',
      letter(['Transfer-Encoding: chunked'], `c\r\n${body}\r\n0\r\n\r\n`, old),
    ],
    [
      'chunks with an extension',
      letter(['Transfer-Encoding: chunked'], `c;a\r\n${body}\r\n0\r\n\r\n`),
    ],
    [
      'chunks with a trailer',
      letter(['Transfer-Encoding: chunked'], `c\r\n${body}\r\n0\r\nX: y\r\n\r\n`),
    ],
    [
      'a chunk that is too long',
      letter(['Transfer-Encoding: chunked'], `b\r\n${body}\r\n0\r\n\r\n`),
    ],
    ['a chunk of no size', letter(['Transfer-Encoding: chunked'], `g\r\n${body}\r\n0\r\n\r\n`)],
    ['a query with a fragment', first('POST /v1/tools/mail.letter/call?x#y HTTP/1.1')],
    ['HTTP/1.2', first('POST /v1/tools/mail.letter/call HTTP/1.2')],
    ['a method in small letters', first('post /v1/tools/mail.letter/call HTTP/1.1')],
    ['an absolute address', first('POST http://127.0.0.1/v1/tools/mail.letter/call HTTP/1.1')],
    ['a query', first('POST /v1/tools/mail.letter/call?x=1 HTTP/1.1')],
    ['an encoded name', first('POST /v1/tools/mail%2eletter/call HTTP/1.1')],
    ['a tool that is not there', first('POST /v1/tools/mail.nothing/call HTTP/1.1')],
    ['dots in the path', first('POST /v1/tools/../tools/mail.letter/call HTTP/1.1')],
    ['a tab in the first line', first('POST\t/v1/tools/mail.letter/call HTTP/1.1')],
    ['another path', first('POST /v1/nothing HTTP/1.1')],
    ['a GET with a body', first('GET /v1/tools/mail.letter/call HTTP/1.1')],
    ['an OPTIONS', first('OPTIONS /v1/tools/mail.letter/call HTTP/1.1')],
    ['a second Host', letter(['Host: evil.example'])],
    ['a second Authorization', letter(['Authorization: Bearer x'])],
    ['a second Content-Type', letter(['Content-Type: text/plain'])],
    ['a header twice that may come twice', letter(['X-Request-Id: a', 'X-Request-Id: b'])],
    ['two lengths', letter([`Content-Length: ${body.length}`, 'Content-Length: 1'])],
    [
      'two equal lengths',
      letter([`Content-Length: ${body.length}`, `Content-Length: ${body.length}`]),
    ],
    ['a length with a sign', letter([`Content-Length: +${body.length}`])],
    ['a length in hexadecimal', letter([`Content-Length: 0x${body.length.toString(16)}`])],
    ['a list of lengths', letter([`Content-Length: ${body.length}, ${body.length}`])],
    ['a length that is short', letter(['Content-Length: 5'])],
    ['no length', letter(['X-Length: none', 'Content-Length:'])],
    [
      'a length and chunks',
      letter([`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked']),
    ],
    [
      'chunks',
      letter(['Transfer-Encoding: chunked'], `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`),
    ],
    [
      'chunks under another name',
      letter(
        ['Transfer-Encoding: xchunked'],
        `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ),
    ],
    [
      'chunks behind a tab',
      letter(
        ['Transfer-Encoding:\tchunked'],
        `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ),
    ],
    ['a space before the colon', letter(['X-Request-Id : a'])],
    ['a folded line', letter(['X-Request-Id: a', ' b'])],
    ['a NUL', letter(['X-Request-Id: a\0b'])],
    ['a bare carriage return', letter(['X-Request-Id: a\rb'])],
    ['letters beyond ASCII', letter(['X-Request-Id: \xe4\xf6'])],
    ['an empty value', letter(['X-Request-Id:'])],
    ['spaces around a value', letter(['X-Request-Id:   a  '])],
    ['an expectation', letter(['Expect: 100-continue'])],
    ['another expectation', letter(['Expect: a miracle'])],
    ['an upgrade', letter(['Connection: Upgrade', 'Upgrade: h2c'])],
    ['a connection that ends', letter(['Connection: close'])],
    ['a connection with wishes', letter(['Connection: close, te'])],
    ['a wish for events', letter(['Accept: text/event-stream'])],
    [
      'a wish for events over HTTP/1.0',
      letter(
        ['Accept: text/event-stream', 'Connection: keep-alive'],
        body,
        'POST /v1/tools/mail.letter/call HTTP/1.0',
      ),
    ],
    ['a wish for events of no tool', letter(['Accept: text/event-stream'], '{"to":1}')],
    ['a wish for problems', letter(['Accept: application/problem+json'], '{"to":1}')],
    ['a foreign origin', letter(['Origin: https://evil.example'])],
    ['a wait', letter(['Prefer: wait=1'])],
    ['a compressed body', letter(['Content-Encoding: gzip'])],
    ['a body that is no JSON', letter([], '{"to":')],
    ['a body that is no UTF-8', letter([], '{"to":"\xff"}')],
    ['a body with a key twice', letter([], '{"to":"a","to":"b"}')],
    ['no body', letter([], '')],
    ['a large head', letter([`X-Large: ${'a'.repeat(9_000)}`])],
    ['a head that is too large', letter([`X-Large: ${'a'.repeat(20_000)}`])],
    ['a large body', letter([], JSON.stringify({ to: 'a'.repeat(70_000) }))],
  ])('%s is answered as by Node, and done as often', async (_, written) => {
    await compare(written)
  })

  test('bare line feeds are answered as by Node', async () => {
    const written = letter()
    await compare((server) => written(server).replaceAll('\r\n', '\n'))
  })

  test('requests that come at once are answered in turn', async () => {
    const several = [
      letter(),
      letter([], '{"to":1}'),
      letter(),
      letter(['Accept: text/event-stream']),
      letter(),
      letter(['X : a']),
      letter(),
    ]
    await compare((server) => several.map((written) => written(server)).join(''))
  })

  test('bytes after the last request of a connection are not a request', async () => {
    const [last, behind] = [letter(['Connection: close']), letter()]
    await compare((server) => last(server) + behind(server))
  })

  test('a request cut anywhere is the same request', async () => {
    const length = letter()(fast).length
    for (let from = 1; from < length; from += 40) {
      const cuts = Array.from({ length: Math.min(40, length - from) }, (_, index) => from + index)
      await Promise.all(
        cuts.map((at) => compareAnswers(letter(), (text) => [text.slice(0, at), text.slice(at)])),
      )
    }
    expect(fast.sent.length).toBe(node.sent.length)
  })

  test('a request byte by byte is the same request', async () => {
    await compare(letter(), (text) => text.split(''))
  })

  test('a body that never ends is given up on as by Node', async () => {
    const server = fast
    const text = await new Promise<string>((resolve) => {
      let answer = ''
      const socket = connect(server.port, '127.0.0.1')
      socket.write(letter(['Content-Length: 50'])(server))
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('close', () => resolve(answer))
    })
    expect(summarize(text).slice(0, 1)).toEqual(['408'])
  })
})

const hostile = constantFrom(
  ...'\r\n \t:,\0\xff"{}+-a0'.split(''),
  '\r\n',
  '\r\n\r\n',
  'Host: x\r\n',
  'Content-Length: 3\r\n',
  'Connection: close\r\n',
)

test('whatever is done to a request, both ways learn the same', async () => {
  const change = record({ at: nat({ max: 330 }), drop: nat({ max: 3 }), put: hostile })
  const changed = array(change, { minLength: 1, maxLength: 3 })
  await assert(
    asyncProperty(array(changed, { minLength: 20, maxLength: 20 }), async (requests) => {
      await Promise.all(
        requests.map((changes) => {
          const written = letter()
          // Tokens and ports have the same length on both servers.
          return compareAnswers((server) =>
            changes.reduce(
              (so, { at, drop, put }) => so.slice(0, at) + put + so.slice(at + drop),
              written(server),
            ),
          )
        }),
      )
    }),
    { numRuns: 6, endOnFailure: true },
  )
})

describe('a connection on the fast path', () => {
  const call = (server: TestServer, tool: string): string =>
    letter([], '{}', `POST /v1/tools/${tool}/call HTTP/1.1`)(server)

  async function openConnection(server: TestServer, text: string): Promise<Socket> {
    const socket = connect(server.port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    if (text !== '') socket.write(text)
    return socket
  }

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'cancels its call when the client leaves (%s)',
    async (leave) => {
      const before = fast.waiting.length
      const socket = await openConnection(fast, call(fast, 'demo.wait'))
      await expect.poll(() => fast.waiting.length).toBe(before + 1)
      socket[leave]()
      await expect.poll(() => fast.waiting[before]?.aborted).toBe(true)
    },
  )

  test('cancels its call when the client leaves, though more was sent behind it', async () => {
    const before = fast.waiting.length
    const socket = await openConnection(fast, call(fast, 'demo.wait') + call(fast, 'demo.wait'))
    await expect.poll(() => fast.waiting.length).toBe(before + 1)
    socket.destroy()
    await expect.poll(() => fast.waiting[before]?.aborted).toBe(true)
    await pause(50)
    expect(fast.waiting.length).toBe(before + 1)
  })

  test('answers a client that reads late, all of it and in order', async () => {
    const server = fast
    const socket = await openConnection(server, '')
    socket.pause()
    const many = Array.from({ length: 300 }, (_, index) => ({
      text: `${index} ${'x'.repeat(20_000)}`,
    }))
    for (const input of many)
      socket.write(
        letter([], JSON.stringify(input), 'POST /v1/tools/demo.echo/call HTTP/1.1')(server),
      )
    await pause(300)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.resume()
    await expect.poll(() => [...text.matchAll(/"text":"(\d+) /g)].length).toBe(many.length)
    expect([...text.matchAll(/"text":"(\d+) /g)].map(([, index]) => Number(index))).toEqual(
      many.map((_, index) => index),
    )
    socket.destroy()
  })

  test('that is silent from the start is shown out with Node’s own words', async () => {
    expect((await lastWords).slice(0, 12)).toBe('HTTP/1.1 408')
  })

  test('is closed with the server: at once where nothing runs, with its last answer where something does', async () => {
    const server = await openTestServer(createOptions(), true)
    const idle = await openConnection(server, call(server, 'demo.echo'))
    await new Promise((resolve) => idle.once('data', resolve))
    const idleClosed = new Promise((resolve) => idle.once('close', resolve))
    // nobody does the job, so that its answer is waited for; it is under way when the one in front
    // of it is answered
    const job = letter(['Prefer: wait=1'], body, 'POST /v1/tools/mail.bulk/call HTTP/1.1')(server)
    const echo = letter([], '{"text":"hi"}', 'POST /v1/tools/demo.echo/call HTTP/1.1')(server)
    const running = await openConnection(server, echo + job)
    let text = ''
    running.on('data', (chunk) => {
      text += chunk
    })
    const runningClosed = new Promise((resolve) => running.once('close', resolve))
    await expect.poll(() => text).toContain('HTTP/1.1')
    const closed = server.close(60_000)
    await idleClosed
    await runningClosed
    await closed
    expect(
      [...text.matchAll(/HTTP\/1\.1 (\d+)|\r\n(connection: [a-z-]+)/gi)].map(
        ([, status, then]) => status ?? then,
      ),
    ).toEqual(['200', 'Connection: keep-alive', '202', 'Connection: close'])
    expect(server.throughNode()).toBe(0)
  })

  test('is closed with the server where its call does not end in time', async () => {
    const server = await openTestServer(createOptions(), true)
    const running = await openConnection(server, call(server, 'demo.wait'))
    await expect.poll(() => server.waiting.length).toBe(1)
    const cut = new Promise((resolve) => running.once('close', resolve))
    await server.close(50)
    await cut
    await expect.poll(() => server.waiting[0]?.aborted).toBe(true)
  })
})
