import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type {
  FastPathAnswer,
  FastPathRequest,
  FastPathResponse,
  FastPathStream,
} from './fast-path.ts'
import { type OpenFastPath, openFastPath } from './open-fast-path.ts'
import { MAX_BODY_BYTES } from './read-request-head.ts'

let server: Server | undefined
let fastPath: OpenFastPath | undefined
afterEach(() => {
  fastPath?.closeAll()
  server?.closeAllConnections()
  server?.close()
})

type Answering = (
  request: FastPathRequest,
) => FastPathAnswer | undefined | Promise<FastPathAnswer | undefined>

/**
 * A server with a fast path under /fast, and the bodies that arrived there and at Node's server.
 */
async function openServer(
  answering: Answering,
  keepAliveTimeout = 5_000,
): Promise<{
  readonly port: number
  readonly fast: string[]
  readonly node: string[]
  readonly errors: unknown[]
}> {
  const fast: string[] = []
  const node: string[] = []
  const errors: unknown[] = []
  const made = createServer({ keepAliveTimeout }, (request, response) => {
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => node.push(chunk))
    request.on('end', () => response.end('node'))
  })
  server = made
  fastPath = openFastPath(made, {
    accepts: ({ path }) => path === '/fast',
    respond(request) {
      fast.push(request.body.toString())
      return answering(request)
    },
    onError: (thrown) => errors.push(thrown),
  })
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return { port: (made.address() as AddressInfo).port, fast, node, errors }
}

function post(body: string, connection = 'keep-alive'): string {
  return `POST /fast HTTP/1.1\r\nHost: here\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function answer(text: string, headers: Readonly<Record<string, string>> = {}): FastPathResponse {
  return { status: 200, headers: { 'content-length': String(text.length), ...headers }, text }
}

async function client(
  port: number,
): Promise<{ readonly socket: Socket; readonly read: () => string }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, read: () => text }
}

test('a request that turns out to be for Node comes there whole, with what was sent behind it', async () => {
  const { port, fast, node } = await openServer(async ({ body }) =>
    body.toString() === 'first' ? answer('ok') : undefined,
  )
  const { socket, read } = await client(port)
  socket.write(post('first') + post('second') + post('third'))
  await expect.poll(() => node).toEqual(['second', 'third'])
  expect(fast).toEqual(['first', 'second'])
  await expect.poll(() => read().match(/HTTP\/1\.1 200/g)?.length).toBe(3)
})

test('thousands of requests in one piece are answered, each at once', async () => {
  const { fast, errors } = await openServer(({ body }) => answer(body.toString()))
  // Not over a real socket: the kernel may split the bytes within a head, and such a request is for
  // Node's server.
  const { socket, read } = await injectConnection()
  socket.push(Array.from({ length: 20_000 }, (_, index) => post(`${index}`)).join(''))
  await expect.poll(() => read().match(/HTTP\/1\.1 200/g)?.length).toBe(20_000)
  expect([fast.length, fast.at(-1), errors]).toEqual([20_000, '19999', []])
})

test('behind the last request of a connection none is taken, though its answer is not read yet', async () => {
  const { port, fast } = await openServer(() => answer('x'.repeat(30_000_000)))
  const { socket } = await client(port)
  socket.pause()
  socket.write(post('last', 'close'))
  await expect.poll(() => fast).toEqual(['last'])
  socket.write(post('behind'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(fast).toEqual(['last'])
  socket.destroy()
})

test('a client that does not read gets no further responses', async () => {
  const { port, fast } = await openServer(() => answer('x'.repeat(30_000_000)))
  const { socket } = await client(port)
  socket.pause()
  socket.write(post('one') + post('two'))
  await expect.poll(() => fast).toEqual(['one'])
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(fast).toEqual(['one'])
  socket.resume()
  await expect.poll(() => fast).toEqual(['one', 'two'])
  socket.destroy()
})

test('a header value cannot start a line of its own', async () => {
  const { port, errors } = await openServer(() => answer('', { location: '/a\r\nset-cookie: b' }))
  const { socket, read } = await client(port)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(post('x'))
  await closed
  expect(read()).toBe('')
  expect(errors).toHaveLength(1)
})

test('an answer that breaks ends its connection, and nothing else', async () => {
  const { port, fast, errors } = await openServer(async ({ body }) => {
    if (body.toString() === 'bad') throw new Error('errors')
    return answer('ok')
  })
  const [bad, good] = [await client(port), await client(port)]
  const closed = new Promise((resolve) => bad.socket.once('close', resolve))
  bad.socket.write(post('bad'))
  await closed
  good.socket.write(post('good'))
  await expect.poll(() => good.read()).toContain('200 OK')
  expect(fast).toEqual(['bad', 'good'])
  expect(errors).toEqual([new Error('errors')])
  good.socket.destroy()
})

const MEGABYTE = 1_000_000
const LARGE = 30 * MEGABYTE
const REST_MS = 150

test('a large answer is not cut off while its reader takes something of it', async () => {
  const { port } = await openServer(() => answer('x'.repeat(LARGE)), 3_000)
  const takesAll = async (connection: string): Promise<void> => {
    const { socket, read } = await client(port)
    const { promise: isTaken, resolve } = Promise.withResolvers<void>()
    let [taken, rests] = [0, 0]
    // A megabyte at a time, for longer than a silent connection is kept.
    socket.on('data', (chunk: Buffer) => {
      taken += chunk.length
      if (taken >= LARGE) resolve()
      if (taken < (rests + 1) * MEGABYTE) return
      rests++
      socket.pause()
      setTimeout(() => socket.resume(), REST_MS)
    })
    socket.once('close', resolve)
    socket.write(post('one', connection))
    await isTaken
    await expect.poll(() => read().split('\r\n\r\n')[1]?.length).toBe(LARGE)
    socket.destroy()
  }
  await Promise.all(['keep-alive', 'close'].map(takesAll))
})

test('a reader who takes nothing of its answer is cut off', async () => {
  const { port } = await openServer(() => answer('x'.repeat(LARGE)), 1_000)
  const served = new Promise<Socket>((resolve) => server?.once('connection', resolve))
  const { socket } = await client(port)
  socket.pause()
  socket.write(post('one', 'close'))
  const other = await served
  await expect.poll(() => other.destroyed).toBe(true)
  socket.destroy()
})

/**
 * A client that has stopped reading; of its answers, each small enough for the next request to be
 * taken, the last still lies here.
 */
async function unread(
  port: number,
  fast: readonly string[],
): Promise<{ readonly socket: Socket; readonly read: () => string; readonly other: Socket }> {
  const served = new Promise<Socket>((resolve) => server?.once('connection', resolve))
  const { socket, read } = await client(port)
  const other = await served
  socket.pause()
  while (other.writableLength === 0) {
    const before = fast.length
    socket.write(post('more'))
    await expect.poll(() => fast.length, { interval: 1 }).toBe(before + 1)
  }
  return { socket, read, other }
}

test('an answer that is not read yet is not lost when idle connections are closed', async () => {
  const { port, fast } = await openServer(() => answer('x'.repeat(10_000)))
  const { socket, read, other } = await unread(port, fast)
  fastPath?.closeIdle()
  expect(other.destroyed).toBe(false)
  socket.resume()
  await expect.poll(() => read().match(/HTTP\/1\.1 200/g)?.length).toBe(fast.length)
  await expect.poll(() => read().match(/x/g)?.length).toBe(fast.length * 10_000)
})

test('what a client sent behind its call is not begun when it has left meanwhile', async () => {
  let finish: ((events: FastPathResponse) => void) | undefined
  const { port, fast } = await openServer(() => new Promise((resolve) => (finish = resolve)))
  const served = new Promise<Socket>((resolve) => server?.once('connection', resolve))
  const { socket } = await client(port)
  const other = await served
  socket.write(post('first'))
  await expect.poll(() => fast).toEqual(['first'])
  // So much that reading stops, and the disconnect behind the unread bytes goes unnoticed.
  socket.write(post('y'.repeat(60_000)).padEnd(MAX_BODY_BYTES + 1, 'P'))
  await expect.poll(() => other.isPaused()).toBe(true)
  socket.write('Q')
  await expect.poll(() => other.readableLength).toBe(1)
  const gone = new Promise((resolve) => other.once('close', resolve))
  socket.destroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  finish?.(answer('ok'))
  await gone
  expect(fast).toEqual(['first'])
})

test('a request that ends within its body is not handed to Node after its end', async () => {
  const { port, fast } = await openServer(() => answer('x'.repeat(10_000)))
  const { socket, read } = await unread(port, fast)
  socket.end(post('cut off').slice(0, -1))
  // longer than a body is waited for before it is Node's
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  socket.resume()
  await expect.poll(() => read().slice(-60)).toContain('400 Bad Request')
  expect(read().match(/x/g)?.length).toBe(fast.length * 10_000)
})

test('a server that keeps connections for ever does so here, and does not tell a time', async () => {
  const { port } = await openServer(() => answer('ok'), 0)
  const { socket, read } = await client(port)
  socket.write(post('one'))
  await expect.poll(read).toContain('Connection: keep-alive\r\n\r\nok')
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  socket.write(post('two'))
  await expect.poll(() => read().match(/200 OK/g)?.length).toBe(2)
})

/** A connection whose bytes and end come when the test says so. */
async function injectConnection(): Promise<{
  readonly socket: Duplex
  readonly read: () => string
}> {
  let text = ''
  const socket = new Duplex({
    read: () => undefined,
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  server?.emit(
    'connection',
    Object.assign(socket, { setTimeout: () => socket, destroySoon: () => socket.destroy() }),
  )
  await turn()
  return { socket, read: () => text }
}

test('clients that come in the same turn are begun together, and each has its own answer', async () => {
  const events: string[] = []
  await openServer(async ({ body }) => {
    events.push(`begins ${body}`)
    await undefined
    events.push(`answers ${body}`)
    return answer(body.toString())
  })
  const [one, other] = [await injectConnection(), await injectConnection()]
  one.socket.push(post('a'))
  other.socket.push(post('b'))
  await turn()
  await turn()
  expect(events).toEqual(['begins a', 'begins b', 'answers a', 'answers b'])
  expect([one.read().at(-1), other.read().at(-1)]).toEqual(['a', 'b'])
})

test('pieces that arrive within one turn are one request, and what follows is the next', async () => {
  const { fast } = await openServer(() => answer('ok'))
  const { socket, read } = await injectConnection()
  const text = post('one') + post('two')
  for (const piece of [text.slice(0, 30), text.slice(30, 100), text.slice(100)]) socket.push(piece)
  await turn()
  await turn()
  expect(fast).toEqual(['one', 'two'])
  expect(read().match(/HTTP\/1\.1 200/g)).toHaveLength(2)
})

test('of a large body no more is read than a piece before its request is begun, and then the rest', async () => {
  const { node } = await openServer(() => answer('ok'))
  const { socket, read } = await injectConnection()
  const text = post('x'.repeat(20 * MAX_BODY_BYTES))
  for (let at = 0; at < text.length; at += MAX_BODY_BYTES)
    socket.push(text.slice(at, at + MAX_BODY_BYTES))
  expect(socket.isPaused()).toBe(true)
  expect(socket.readableLength).toBeGreaterThan(17 * MAX_BODY_BYTES)
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(node.join('')).toHaveLength(20 * MAX_BODY_BYTES)
  expect(read()).toMatch(/^HTTP\/1\.1 200 /)
})

test('for a client that leaves in the same turn nothing is begun', async () => {
  const { fast, node } = await openServer(() => answer('ok'))
  const ended = await injectConnection()
  ended.socket.push(post('ended'))
  ended.socket.push(null)
  const gone = await injectConnection()
  gone.socket.push(post('gone'))
  gone.socket.destroy()
  await turn()
  await turn()
  expect({ fast, node }).toEqual({ fast: [], node: [] })
  expect(ended.read()).toMatch(/^HTTP\/1\.1 400 /)
  expect(gone.read()).toBe('')
})

test('what waits for its turn is not cut off when idle connections are closed', async () => {
  const { fast } = await openServer(() => answer('ok'))
  const { socket, read } = await injectConnection()
  socket.push(post('waiting'))
  fastPath?.closeIdle()
  await turn()
  await turn()
  expect(fast).toEqual(['waiting'])
  expect(read()).toMatch(/Connection: close/)
})

function stream(writeBody: FastPathStream['writeBody']): FastPathStream {
  return { status: 200, headers: { 'content-type': 'text/plain' }, writeBody }
}

test('a body that has ended in its first turn is sent with its length', async () => {
  const { port } = await openServer(() =>
    stream(async (write) => {
      write('one ')
      await undefined
      write('t\u00e4o')
    }),
  )
  const { socket, read } = await client(port)
  socket.write(post(''))
  await expect.poll(read).toMatch(/content-length: 8\r\n[\s\S]*\r\n\r\none täo$/)
  expect(read()).not.toContain('transfer-encoding')
})

test('a longer body is sent as it is written, and the next request is answered behind it', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { port, fast } = await openServer(({ body }) =>
    body.toString() === 'second'
      ? answer('next')
      : stream(async (write) => {
          await mayEnd
          write('täo')
          write('')
          await turn()
          write('three')
        }),
  )
  const { socket, read } = await client(port)
  socket.write(post('first'))
  await expect.poll(read).toMatch(/transfer-encoding: chunked\r\n[\s\S]*\r\n\r\n$/)
  socket.write(post('second'))
  await turn()
  expect(fast).toEqual(['first'])
  end()
  await expect
    .poll(read)
    .toMatch(/\r\n\r\n4\r\ntäo\r\n5\r\nthree\r\n0\r\n\r\nHTTP\/1\.1 200[\s\S]*next$/)
})

test('a client that disconnects aborts its stream, which writes nothing more', async () => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const { port, errors } = await openServer(({ disconnectSignal }) =>
    stream(async (write) => {
      disconnectSignal().addEventListener('abort', () => resolve())
      await aborted
      write('too late')
    }),
  )
  const { socket, read } = await client(port)
  socket.write(post(''))
  await expect.poll(read).toContain('chunked')
  socket.destroy()
  await aborted
  await turn()
  expect(errors).toEqual([])
})

test('a stream that fails ends its connection and is reported', async () => {
  const { port, errors } = await openServer(() =>
    stream(async () => {
      await turn()
      throw new Error('no more')
    }),
  )
  const { socket } = await client(port)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(post(''))
  await closed
  expect(errors).toEqual([new Error('no more')])
})
