import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openStraightWay } from './open-straight-way.ts'
import type { StraightAnswer, StraightRequest } from './straight-way.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type Answering = (request: StraightRequest) => StraightAnswer | undefined | Promise<StraightAnswer | undefined>

/** A server that answers straight under /hot, and the requests it was asked there and by Node. */
async function opened(
  answering: Answering,
): Promise<{ readonly port: number; readonly straight: string[]; readonly node: string[]; readonly broke: unknown[] }> {
  const straight: string[] = []
  const node: string[] = []
  const broke: unknown[] = []
  const made = createServer((request, response) => {
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => node.push(chunk))
    request.on('end', () => response.end('node'))
  })
  server = made
  openStraightWay(made, {
    takes: ({ path }) => path === '/hot',
    answer(request) {
      straight.push(request.body.toString())
      return answering(request)
    },
    onTrouble: (thrown) => broke.push(thrown),
  })
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return { port: (made.address() as AddressInfo).port, straight, node, broke }
}

function post(body: string, connection = 'keep-alive'): string {
  return `POST /hot HTTP/1.1\r\nHost: here\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function answer(text: string, headers: Readonly<Record<string, string>> = {}): StraightAnswer {
  return { status: 200, headers: { 'content-length': String(text.length), ...headers }, text }
}

async function client(port: number): Promise<{ readonly socket: Socket; readonly read: () => string }> {
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
  const { port, straight, node } = await opened(async ({ body }) => (body.toString() === 'first' ? answer('ok') : undefined))
  const { socket, read } = await client(port)
  socket.write(post('first') + post('second') + post('third'))
  await expect.poll(() => node).toEqual(['second', 'third'])
  expect(straight).toEqual(['first', 'second'])
  await expect.poll(() => read().match(/HTTP\/1\.1 200/g)?.length).toBe(3)
})

test('behind the last request of a connection none is taken, though its answer is not read yet', async () => {
  const { port, straight } = await opened(() => answer('x'.repeat(30_000_000)))
  const { socket } = await client(port)
  socket.pause()
  socket.write(post('last', 'close'))
  await expect.poll(() => straight).toEqual(['last'])
  socket.write(post('behind'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(straight).toEqual(['last'])
  socket.destroy()
})

test('whoever does not read is not answered any further', async () => {
  const { port, straight } = await opened(() => answer('x'.repeat(30_000_000)))
  const { socket } = await client(port)
  socket.pause()
  socket.write(post('one') + post('two'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(straight).toEqual(['one'])
  socket.resume()
  await expect.poll(() => straight, { timeout: 10_000 }).toEqual(['one', 'two'])
  socket.destroy()
})

test('an answer can not begin a line of its own', async () => {
  const { port, broke } = await opened(() => answer('', { location: '/a\r\nset-cookie: b' }))
  const { socket, read } = await client(port)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(post('x'))
  await closed
  expect(read()).toBe('')
  expect(broke).toHaveLength(1)
})

test('an answer that breaks ends its connection, and nothing else', async () => {
  const { port, straight, broke } = await opened(async ({ body }) => {
    if (body.toString() === 'bad') throw new Error('broke')
    return answer('ok')
  })
  const [bad, good] = [await client(port), await client(port)]
  const closed = new Promise((resolve) => bad.socket.once('close', resolve))
  bad.socket.write(post('bad'))
  await closed
  good.socket.write(post('good'))
  await expect.poll(() => good.read()).toContain('200 OK')
  expect(straight).toEqual(['bad', 'good'])
  expect(broke).toEqual([new Error('broke')])
  good.socket.destroy()
})
