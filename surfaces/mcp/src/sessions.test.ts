import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serve } from './fixtures/serve.ts'
import { ann, bob, openShop, type Shop } from './fixtures/shop.ts'

let shop: Shop
let nodes: readonly [Served, Served]
let balancer: Awaited<ReturnType<typeof balance>>
beforeAll(async () => {
  shop = openShop()
  const sessions = { perPrincipal: 3, perTenant: 4, total: 100 }
  nodes = [
    await serve(shop.runtime, { ann, bob }, { sessions }),
    await serve(shop.runtime, { ann, bob }, { sessions }),
  ]
  balancer = await balance(nodes)
})
afterAll(async () => {
  balancer.close()
  await Promise.all(nodes.map((node) => node.close()))
})

/** Sends every request to the other node than the one before, as a load balancer does. */
async function balance(served: readonly Served[]): Promise<{ url: URL; close: () => void }> {
  let count = 0
  const server = createServer((incoming, outgoing) => {
    const node = served[count++ % served.length] as Served
    const { method = 'GET', headers } = incoming
    const onward = httpRequest(
      node.url,
      { method, headers: { ...headers, host: node.host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), close }
}

async function connect(url: URL, token: string): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  return client
}

describe('a client of 2025', () => {
  test('is served by two nodes in turn', async () => {
    const client = await connect(balancer.url, 'ann')
    for (let round = 0; round < 4; round++)
      expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    await client.close()
  })

  test('keeps its session when others of its principal push it out', async () => {
    const url = new URL(nodes[0].url)
    const clients = []
    for (let count = 0; count < 6; count++) clients.push(await connect(url, 'ann'))
    for (const client of clients) expect((await client.listTools()).tools).not.toEqual([])
    await Promise.all(clients.map((client) => client.close()))
  })
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'tests', version: '1' },
  },
}

async function send(
  { url }: Pick<Served, 'url'>,
  message: object | undefined,
  session: string | undefined,
  { token = 'ann', method = 'POST' } = {},
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    ...(message === undefined ? {} : { body: JSON.stringify(message) }),
  })
  await response.text()
  return response
}

async function open(node: Served, token = 'ann'): Promise<string> {
  const opened = await send(node, initialize, undefined, { token })
  return String(opened.headers.get('mcp-session-id'))
}

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

describe('a session id', () => {
  test('is good at every node, for its principal only', async () => {
    const session = await open(nodes[0])
    expect((await send(nodes[1], list, session)).status).toBe(200)
    expect((await send(nodes[1], list, session, { token: 'bob' })).status).toBe(404)
    expect((await send(nodes[0], list, session, { token: 'bob' })).status).toBe(404)
  })

  test('that was changed, made up, or ended does not exist', async () => {
    const session = await open(nodes[0])
    for (const forged of [`A${session}`, `${session}A`, `${session}.x`, 'nobody', '.'])
      expect([forged, (await send(nodes[1], list, forged)).status]).toEqual([forged, 404])
    expect((await send(nodes[0], undefined, session, { method: 'DELETE' })).status).toBe(200)
    expect((await send(nodes[0], list, session)).status).toBe(404)
  })

  test('survives the capabilities of any client', async () => {
    const capabilities = { experimental: { large: { text: 'x'.repeat(8_000) } } }
    const params = { ...initialize.params, capabilities }
    const opened = await send(nodes[0], { ...initialize, params }, undefined)
    const session = String(opened.headers.get('mcp-session-id'))
    expect(session.length).toBeLessThan(4_000)
    expect((await send(nodes[1], list, session)).status).toBe(200)
  })
})

test('a principal who opens many sessions closes only sessions of its own', async () => {
  const client = await connect(new URL(nodes[1].url), 'bob')
  let closed = 0
  client.onclose = () => {
    closed++
  }
  for (let count = 0; count < 10; count++) await open(nodes[1])
  expect((await client.listTools()).tools).not.toEqual([])
  expect(closed).toBe(0)
  await client.close()
})
