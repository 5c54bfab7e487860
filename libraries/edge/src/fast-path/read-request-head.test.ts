import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRequestBody } from './read-request-body.ts'
import { readRequestHead } from './read-request-head.ts'

const usual = [
  'Host: 127.0.0.1:4114',
  'Authorization: Bearer t0ken',
  'Content-Type: application/json',
  'Content-Length: 2',
]

function request(
  lines: readonly string[] = usual,
  first = 'POST /v1/tools/demo.echo/call HTTP/1.1',
): string {
  return [first, ...lines, '', '{}'].join('\r\n')
}

const lines = usual.slice(0, -1)

function formatChunked(body: string): string {
  return [
    'POST /v1/tools/demo.echo/call HTTP/1.1',
    ...lines,
    'Transfer-Encoding: chunked',
    '',
    body,
  ].join('\r\n')
}

function read(text: string): ReturnType<typeof readRequestHead> {
  return readRequestHead(Buffer.from(text, 'latin1'))
}

describe('the narrow language', () => {
  test('has a path, headers by their small names, and the place of the body', () => {
    expect(read(request())).toEqual({
      path: '/v1/tools/demo.echo/call',
      query: '',
      takesChunks: true,
      headers: {
        __proto__: null,
        host: '127.0.0.1:4114',
        authorization: 'Bearer t0ken',
        'content-type': 'application/json',
        'content-length': '2',
      },
      bodyAt: request().length - 2,
      bodyBytes: 2,
      isLast: false,
    })
  })

  test.each(['keep-alive', 'Keep-Alive', 'close'])('may say Connection: %s', (value) => {
    expect(read(request([...usual, `Connection: ${value}`]))?.isLast).toBe(value === 'close')
  })

  test.each([
    ['TE', 'TE'],
    ['te, close', 'close'],
    ['close, TE', 'close'],
    ['keep-alive, te', 'keep-alive'],
  ])('may say Connection: %s with TE', (value, meant) => {
    const head = read(request([...usual, `Connection: ${value}`, 'TE: trailers, deflate;q=0.5']))
    expect(head?.isLast).toBe(meant === 'close')
  })

  test('may have a query, which is no part of the path', () => {
    expect(read(request(usual, 'POST /mcp?a=b%20c&d=/?e HTTP/1.1'))).toMatchObject({
      path: '/mcp',
      query: '?a=b%20c&d=/?e',
    })
  })

  test.each([
    ['ends its connection', [], true],
    ['may keep it', ['Connection: keep-alive'], false],
    ['may close it, as nginx does', ['Connection: close'], true],
  ])('HTTP/1.0 %s', (_, lines, isLast) => {
    const head = read(request([...usual, ...lines], 'POST /mcp HTTP/1.0'))
    expect(head).toMatchObject({ path: '/mcp', isLast })
  })

  test('may say that the body comes in chunks', () => {
    expect(read(formatChunked('2\r\n{}\r\n0\r\n\r\n'))?.bodyBytes).toBe('chunked')
  })

  test('knows no header that every object has', () => {
    expect(read(request())?.headers.constructor).toBeUndefined()
    expect(read(request([...usual, '__proto__: x']))?.headers.host).toBe('127.0.0.1:4114')
  })

  const without = (name: string): readonly string[] =>
    usual.filter((line) => !line.startsWith(name))
  const length = (value: string): string =>
    request([...without('Content-Length'), `Content-Length: ${value}`])
  test.each([
    ['another method', request(usual, 'GET /mcp HTTP/1.1')],
    ['a method in small letters', request(usual, 'post /mcp HTTP/1.1')],
    ['HTTP/1.2', request(usual, 'POST /mcp HTTP/1.2')],
    ['HTTP/2.0', request(usual, 'POST /mcp HTTP/2.0')],
    ['no version', request(usual, 'POST /mcp')],
    ['an address in absolute form', request(usual, 'POST http://127.0.0.1:4114/mcp HTTP/1.1')],
    ['a fragment', request(usual, 'POST /mcp?a#b HTTP/1.1')],
    ['a quote in the query', request(usual, 'POST /mcp?a="b" HTTP/1.1')],
    ['something encoded', request(usual, 'POST /m%63p HTTP/1.1')],
    ['two spaces', request(usual, 'POST  /mcp HTTP/1.1')],
    ['a tab for a space', request(usual, 'POST\t/mcp HTTP/1.1')],
    ['an empty line in front', `\r\n${request()}`],
    ['bare line feeds', request().replaceAll('\r\n', '\n')],
    ['one bare line feed', request().replace('t0ken\r\n', 't0ken\n')],
    ['one bare carriage return', request([...usual, 'X: a\rb'])],
    ['a folded line', request([...usual, 'X: a', ' b'])],
    ['a folded line with a tab', request([...usual, 'X: a', '\tb'])],
    ['a space before the colon', request([...usual, 'X : a'])],
    ['a space before the name', request([' X: a', ...usual])],
    ['a line without a colon', request([...usual, 'X'])],
    ['a header without a name', request([...usual, ': a'])],
    ['a header without a value', request([...usual, 'X:'])],
    ['a tab in front of a value', request([...usual, 'X:\ta'])],
    ['two spaces in front of a value', request([...usual, 'X:  a'])],
    ['a space behind a value', request([...usual, 'X: a '])],
    ['a NUL', request([...usual, 'X: a\0b'])],
    ['a letter beyond ASCII', request([...usual, 'X: \xe4'])],
    ['no Host', request(without('Host'))],
    ['two Hosts', request(['Host: a', ...usual])],
    ['two of any header', request(['X: a', ...usual, 'x: b'])],
    ['no Content-Length', request(without('Content-Length'))],
    ['two Content-Lengths', request([...usual, 'Content-Length: 2'])],
    ['a list of lengths', length('2, 2')],
    ['a length with a sign', length('+2')],
    ['a negative length', length('-2')],
    ['a length in hexadecimal', length('0x2')],
    ['a length with a point', length('2.0')],
    ['a length with an exponent', length('2e0')],
    ['a length of six digits', length('000002')],
    ['a large body', length('65537')],
    ['a length and chunks', request([...usual, 'Transfer-Encoding: chunked'])],
    ['chunks in another coding', request([...lines, 'Transfer-Encoding: gzip, chunked'])],
    ['chunks twice', request([...lines, 'Transfer-Encoding: chunked, chunked'])],
    ['chunks in capitals', request([...lines, 'Transfer-Encoding: Chunked'])],
    ['chunks in HTTP/1.0', request([...lines, 'Transfer-Encoding: chunked'], 'POST /mcp HTTP/1.0')],
    ['a trailer', request([...lines, 'Transfer-Encoding: chunked', 'Trailer: X'])],
    ['Expect', request([...usual, 'Expect: 100-continue'])],
    ['Upgrade', request([...usual, 'Connection: Upgrade', 'Upgrade: websocket'])],
    ['a connection with other wishes', request([...usual, 'Connection: keep-alive, x'])],
    ['a connection with both wishes', request([...usual, 'Connection: keep-alive, close'])],
    ['Proxy-Connection', request([...usual, 'Proxy-Connection: keep-alive'])],
    ['a large head', request([...usual, `X: ${'a'.repeat(9_000)}`])],
    ['no end', request().slice(0, -4)],
    ['nothing', ''],
  ])('has no word for %s', (_, text) => {
    expect(read(text)).toBeUndefined()
  })
})

describe('a body in chunks', () => {
  const bodyOf = (body: string): string | undefined => {
    const bytes = Buffer.from(`head${body}`, 'latin1')
    const found = readRequestBody({ bodyAt: 4, bodyBytes: 'chunked' }, bytes)
    return typeof found === 'object' ? `${found.body.toString()} until ${found.end - 4}` : found
  }

  test.each([
    ['one chunk', '2\r\n{}\r\n0\r\n\r\n', '{} until 12'],
    ['several chunks', '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n', '{} until 17'],
    ['a size in hexadecimal', 'a\r\n0123456789\r\n0\r\n\r\n', '0123456789 until 20'],
    ['zeros in front of a size', '0002\r\n{}\r\n00\r\n\r\n', '{} until 16'],
    ['no body', '0\r\n\r\n', ' until 5'],
    ['the next request behind it', '2\r\n{}\r\n0\r\n\r\nPOST', '{} until 12'],
  ])('%s is read', (_, body, expected) => {
    expect(bodyOf(body)).toBe(expected)
  })

  test('is incomplete wherever it is cut', () => {
    const body = '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'
    for (let at = 0; at < body.length; at++)
      expect(bodyOf(body.slice(0, at)), `cut at ${at}`).toBe('incomplete')
  })

  test.each([
    ['an extension', '2;a=b\r\n{}\r\n0\r\n\r\n'],
    ['a trailer', '2\r\n{}\r\n0\r\nX: a\r\n\r\n'],
    ['a space behind the size', '2 \r\n{}\r\n0\r\n\r\n'],
    ['a sign', '+2\r\n{}\r\n0\r\n\r\n'],
    ['a prefix', '0x2\r\n{}\r\n0\r\n\r\n'],
    ['a size of six digits', '000002\r\n{}\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', '1\r\n{}\r\n0\r\n\r\n'],
    ['bare line feeds', '2\n{}\n0\n\n'],
    ['no size', '\r\n{}\r\n'],
    ['too large a body', `fffff\r\n`],
    ['too many chunks', `${'1\r\n \r\n'.repeat(40)}0\r\n\r\n`],
  ])('%s is for Node', (_, body) => {
    expect(bodyOf(body)).toBeUndefined()
  })
})

/** What Node's own server reads out of these bytes; undefined where it refuses them. */
function byNode(
  bytes: Buffer,
): Promise<{ path: string; headers: object; body: string } | undefined> {
  return new Promise((resolve) => {
    const server = createServer((incoming: IncomingMessage) => {
      let body = ''
      incoming.setEncoding('latin1')
      incoming.on('data', (chunk: string) => {
        body += chunk
      })
      incoming.on('end', () =>
        resolve({ path: incoming.url ?? '', headers: incoming.headers, body }),
      )
    })
    server.on('clientError', () => resolve(undefined))
    const wire = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
    server.emit('connection', wire)
    wire.push(bytes)
    wire.push(null)
  })
}

// what parsers disagree about, and a few harmless letters
const hostile = constantFrom(
  ...'\r\n \t:;,\0\x0b\x7f\x80\xff"\\%/?#+-_aZ09'.split(''),
  '\r\n',
  '\r\n\r\n',
  '\n\n',
  '\r\n ',
  'Host: x\r\n',
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Connection: close\r\n',
  '__proto__: 1\r\n',
)
const change = record({ at: nat({ max: 200 }), drop: nat({ max: 3 }), put: hostile })

test.each([
  ['with a length', request()],
  ['in chunks', formatChunked('1\r\n{\r\n1\r\n}\r\n0\r\n\r\n')],
  ['of HTTP/1.0, with a query', request(usual, 'POST /v1/tools/demo.echo/call?a=b HTTP/1.0')],
])(
  'whatever is of the narrow language, Node reads alike, to the byte: a request %s',
  async (_, plain) => {
    let taken = 0
    await assert(
      asyncProperty(array(change, { maxLength: 3 }), async (changes) => {
        const text = changes.reduce(
          (so, { at, drop, put }) => so.slice(0, at) + put + so.slice(at + drop),
          plain,
        )
        const bytes = Buffer.from(text, 'latin1')
        const head = readRequestHead(bytes)
        const found = head === undefined ? undefined : readRequestBody(head, bytes)
        if (head === undefined || typeof found !== 'object') return
        taken++
        const { path, headers, body } = (await byNode(bytes.subarray(0, found.end))) ?? {}
        expect({ path, headers: { ...headers }, body }).toEqual({
          path: head.path + head.query,
          headers: { ...head.headers },
          body: found.body.toString('latin1'),
        })
        // One byte less is no whole request to Node either.
        expect(await byNode(bytes.subarray(0, found.end - 1))).toBeUndefined()
      }),
      { numRuns: 2_000 },
    )
    // else nothing was compared
    expect(taken).toBeGreaterThan(50)
  },
)
