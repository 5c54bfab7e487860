import { connect } from 'node:net'
import { createEdge } from '@surehand/edge'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve } from './fixtures/serve.ts'
import { ann, openShop, type Shop } from './fixtures/shop.ts'
import { useOnceInMemory } from './fixtures/use-once-in-memory.ts'
import { mcpHandler } from './mcp-handler.ts'

let shop: Shop
let served: Served
beforeAll(async () => {
  shop = openShop()
  served = await serve(shop.runtime, { ann }, { fastPath: true })
})
afterAll(() => served.close())

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Sent = {
  readonly tool: string
  readonly input: object
  readonly more?: object
  readonly headers?: Readonly<Record<string, string>>
}

function request({ tool, input, more = {}, headers = {} }: Sent): string {
  const params = { name: tool, arguments: input, _meta: { ...meta, ...more } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })
  const lines = {
    host: served.host,
    authorization: 'Bearer ann',
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': tool,
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /mcp HTTP/1.1\r\n${head.join('')}\r\n${body}`
}

/** The answer, and how many of its requests came to Node. */
async function sendRequest(
  what: Sent,
): Promise<{ readonly text: string; readonly throughNode: number }> {
  const before = served.throughNode()
  const [name = '', port = ''] = served.host.split(':')
  const text = await new Promise<string>((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), name, () =>
      socket.write(request({ ...what, headers: { connection: 'close', ...what.headers } })),
    )
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
  return { text, throughNode: served.throughNode() - before }
}

const tea = { tool: 'shop__order', input: { product: 'tea' } }

test('a plain call does not reach Node’s server, and runs once', async () => {
  const before = shop.orders.length
  const { text, throughNode } = await sendRequest(tea)
  expect([text.slice(0, 15), throughNode, shop.orders.length - before]).toEqual([
    'HTTP/1.1 200 OK',
    0,
    1,
  ])
  expect(text).toContain('content-type: application/json')
})

test.each([
  ['asks for progress', { ...tea, more: { progressToken: 1 } }],
  ['asks for log messages', { ...tea, more: { 'io.modelcontextprotocol/logLevel': 'info' } }],
])('a call that %s is passed on before it runs, and runs once', async (_, what) => {
  const before = shop.orders.length
  const { text, throughNode } = await sendRequest(what)
  expect([text.slice(0, 15), throughNode, shop.orders.length - before]).toEqual([
    'HTTP/1.1 200 OK',
    1,
    1,
  ])
})

test.each([
  ['no token that holds', { ...tea, headers: { authorization: 'Bearer eve' } }, 401],
  ['a foreign host', { ...tea, headers: { host: 'evil.example' } }, 403],
  ['a foreign origin', { ...tea, headers: { origin: 'https://evil.example' } }, 403],
  ['another name in its headers', { ...tea, headers: { 'mcp-name': 'shop__price' } }, 400],
  ['a body of another type', { ...tea, headers: { 'content-type': 'text/plain' } }, 415],
])(
  'a request with %s is refused by Node’s server, and nothing is done',
  async (_, what, status) => {
    const before = shop.orders.length
    const { text, throughNode } = await sendRequest(what)
    expect([Number(text.slice(9, 12)), throughNode, shop.orders.length - before]).toEqual([
      status,
      1,
      0,
    ])
  },
)

test.each([
  ['throws', () => raise()],
  ['rejects', async () => raise()],
])(
  'a request whose caller cannot be looked up (it %s) is passed on to Node’s server',
  async (_, authenticate) => {
    const resource = 'http://here/mcp'
    const requestState = { key: 'a key for tests', useOnce: useOnceInMemory() }
    const handler = mcpHandler({
      runtime: shop.runtime,
      authenticate,
      options: { hosts: ['here'], resource, requestState },
    })
    const headers = {
      host: 'here',
      authorization: 'Bearer ann',
      'content-type': 'application/json',
    }
    const leaving = (): AbortSignal => new AbortController().signal
    const answer = handler.fastPath.respond({
      takesChunks: true,
      path: '/mcp',
      headers,
      body: Buffer.from('{}'),
      peerAddress: () => undefined,
      disconnectSignal: leaving,
    })
    expect(await answer).toBeUndefined()
    await handler.close()
  },
)

const ABOUT_CONNECTION = new Set(['date', 'connection', 'keep-alive'])

test.each([
  ['more requests than its token may send', { perToken: { perSecond: 0.001, burst: 1 } }],
  ['more streams than it may open', { streams: { perPrincipal: 1, perTenant: 9, total: 9 } }],
])('a client that asks for %s is refused as by Node’s server', async (_, limits) => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: meta },
  })
  const refusals: unknown[] = []
  for (const fastPath of [true, false]) {
    const limited = await serve(shop.runtime, { ann }, { fastPath, edge: createEdge(limits) })
    const listen = () =>
      fetch(`http://${limited.host}/mcp`, {
        method: 'POST',
        body,
        headers: {
          authorization: 'Bearer ann',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
        },
      })
    const first = await listen()
    expect(first.headers.get('content-type')).toContain('text/event-stream')
    const before = limited.throughNode()
    const refused = await listen()
    const names = [...refused.headers.keys()].filter((name) => !ABOUT_CONNECTION.has(name))
    // The next request of this client is read in front of Node's server again.
    expect(refused.headers.get('connection')).toBe(fastPath ? 'keep-alive' : 'close')
    refusals.push([refused.status, names.toSorted(), await refused.json()])
    expect(limited.throughNode() - before).toBe(fastPath ? 0 : 1)
    await first.body?.cancel()
    await limited.close()
  }
  expect(refusals[0]).toMatchObject([429, expect.arrayContaining(['retry-after']), { id: null }])
  expect(refusals[0]).toEqual(refusals[1])
})

test.each([true, false])(
  'a call whose end is sent to a webhook counts as four requests, fast path: %s',
  async (fastPath) => {
    const edge = createEdge({ perToken: { perSecond: 0.001, burst: 6 } })
    const limited = await serve(shop.runtime, { ann }, { fastPath, edge })
    const callWith = async (more: object) => {
      const params = { name: 'shop__none', arguments: {}, _meta: { ...meta, ...more } }
      const response = await fetch(`http://${limited.host}/mcp`, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        headers: {
          authorization: 'Bearer ann',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'shop__none',
        },
      })
      return response.status
    }
    const statuses = [
      await callWith({}),
      await callWith({ 'surehand/notify': 'ops' }),
      await callWith({}),
      await callWith({}),
    ]
    expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true])
    await limited.close()
  },
)

function raise(): never {
  throw new Error('no store')
}

test('a client that disconnects cancels its call', async () => {
  const [name = '', port = ''] = served.host.split(':')
  const through = served.throughNode()
  const socket = connect(Number(port), name, () =>
    socket.write(request({ tool: 'shop__wait', input: {} })),
  )
  await expect.poll(() => shop.begun).toEqual(['shop.wait'])
  socket.destroy()
  await expect.poll(() => shop.aborted).toEqual(['shop.wait'])
  expect(served.throughNode()).toBe(through)
})
