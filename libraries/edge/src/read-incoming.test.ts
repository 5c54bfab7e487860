import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { fakeClock } from '@surehand/conformance'
import { afterEach, expect, test } from 'vitest'
import { type EdgeRequest, readJsonText } from './edge-request.ts'
import type { FairTurns } from './fair-turns.ts'
import { freeMemory } from './free-memory/free-memory.ts'
import { dropRestInTurns, readIncoming } from './read-incoming.ts'

const BODY_BYTES = 4_000_000
const BODY = Buffer.alloc(BODY_BYTES)
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'))
  await new Promise((resolve) => server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

/** Sends a body of four megabytes and returns what the server answers. */
async function sendBody(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  // The server is closed before it has read everything.
  socket.on('error', () => undefined)
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${BODY_BYTES}\r\n\r\n`)
  socket.write(BODY)
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  await expect.poll(() => text).toContain('the answer')
  return text
}

/** Turns that come when the test says so. */
function heldTurns() {
  const waiting: (() => void)[] = []
  const turns: FairTurns = { next: () => new Promise((resolve) => waiting.push(resolve)) }
  return { turns, waiting }
}

test('what a client sends after its answer is dropped a part in each turn', async () => {
  const { turns, waiting } = heldTurns()
  let bytesRead = (): number => 0
  const port = await listen(
    createServer((request, response) => {
      bytesRead = () => request.socket.bytesRead
      dropRestInTurns(request, response, turns)
      response.end('the answer')
    }),
  )
  expect(await sendBody(port)).toContain('the answer')
  await expect.poll(() => waiting.length).toBe(1)
  for (let rounds = 0; rounds < 100; rounds++) await turn()
  expect(bytesRead()).toBeLessThan(BODY_BYTES / 4)
  expect(waiting).toHaveLength(1)
})

test('a large body is read a part in each turn, and whole', async () => {
  let turnsTaken = 0
  const turns: FairTurns = {
    async next() {
      turnsTaken++
      await turn()
    },
  }
  const port = await listen(
    createServer(async (request, response) => {
      const body = await readIncoming(request, BODY_BYTES, turns)
      response.end(`the answer: ${body.length}`)
    }),
  )
  expect(await sendBody(port)).toContain(`the answer: ${BODY_BYTES}`)
  expect(turnsTaken).toBeGreaterThan(BODY_BYTES / 262_144)
})

test('large bodies that arrive at once take their memory in their turns', async () => {
  const { turns, waiting } = heldTurns()
  const port = await listen(
    createServer(async (request, response) => {
      const body = await readIncoming(request, BODY_BYTES, turns)
      response.end(`the answer: ${body.length}`)
    }),
  )
  const before = process.memoryUsage().arrayBuffers
  const sending = Array.from({ length: 8 }, () => sendBody(port))
  await expect.poll(() => waiting.length).toBe(8)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * BODY_BYTES)
  const goOn = setInterval(() => {
    for (const begin of waiting.splice(0)) begin()
  })
  for (const text of await Promise.all(sending)) expect(text).toContain(`answer: ${BODY_BYTES}`)
  clearInterval(goOn)
})

const atOnce: FairTurns = { next: () => turn() }

test('what a large body arrived in is given back when it has been copied', async () => {
  const chunks: Buffer[] = []
  const port = await listen(
    createServer(async (request, response) => {
      const reading = readIncoming(request, BODY_BYTES, atOnce)
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      const body = await reading
      response.end(`the answer: ${body.equals(BODY)}`)
    }),
  )
  expect(await sendBody(port)).toContain('the answer: true')
  const kept = chunks.reduce((bytes, { length }) => bytes + length, 0)
  expect(chunks.length).toBeGreaterThan(BODY_BYTES / 262_144)
  expect(kept).toBeLessThan(BODY_BYTES / 10)
})

test('a large body is given back when it was read as text', async () => {
  const body = Buffer.alloc(100_000, '1')
  const request = (readBytes: EdgeRequest['readBytes']): EdgeRequest => ({
    header: (name) => (name === 'content-type' ? 'application/json' : undefined),
    rawHeaders: undefined,
    peerAddress: () => undefined,
    readBytes,
  })
  const limits = { maxBytes: BODY_BYTES, timeoutMs: 1_000, clock: fakeClock() }
  // Of a connection, which may read it again.
  expect(
    readJsonText(
      request(() => body),
      limits,
    ),
  ).toHaveLength(100_000)
  expect(body).toHaveLength(100_000)
  expect(
    await readJsonText(
      request(() => Promise.resolve(body)),
      limits,
    ),
  ).toHaveLength(100_000)
  expect(body).toHaveLength(0)
})

test('memory that bytes share with others is never given back', () => {
  const whole = Buffer.alloc(100_000)
  freeMemory(whole.subarray(0, 50_000))
  freeMemory(whole.subarray(50_000))
  freeMemory(Buffer.from('small'))
  expect(whole).toHaveLength(100_000)
  freeMemory(whole)
  expect(whole).toHaveLength(0)
})
