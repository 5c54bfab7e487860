import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { ToolError } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serve } from './fixtures/serve.ts'
import { ann, bob, openShop, type Shop } from './fixtures/shop.ts'

let shop: Shop
let served: Served
beforeAll(async () => {
  shop = openShop()
  served = await serve(
    shop.runtime,
    { ann, bob },
    { authorizationServers: ['https://id.example.com'], maxBodyBytes: 10_000 },
  )
})
afterAll(() => served.close())

type Answered = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}
type Sent = {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

function send({
  method = 'POST',
  path = '/mcp',
  headers = {},
  body = '',
}: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      served.url,
      { method, path, headers: { ...usual(), ...headers } },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

function usual(): Record<string, string> {
  return {
    authorization: 'Bearer ann',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'shop__order',
  }
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const order = JSON.stringify({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'shop__order', arguments: { product: 'tea' }, _meta: meta },
})

describe('the HTTP endpoint', () => {
  test('refuses a request without a token, and says where to get one', async () => {
    const answer = await send({ body: order, headers: { authorization: 'Basic YW5uOmFubg==' } })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer resource_metadata="http://${served.host}/.well-known/oauth-protected-resource/mcp"`,
    )
    const metadata = await send({
      method: 'GET',
      path: '/.well-known/oauth-protected-resource/mcp',
      headers: { authorization: '' },
    })
    expect(JSON.parse(metadata.text)).toEqual({
      resource: served.url,
      authorization_servers: ['https://id.example.com'],
      bearer_methods_supported: ['header'],
    })
  })

  test('does not know a forged token', async () => {
    const answer = await send({ body: order, headers: { authorization: 'Bearer eve' } })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
  })

  test.each([
    ['a foreign host', { host: 'evil.example.com' }],
    ['the right host with another port', { host: '127.0.0.1:1' }],
    ['a foreign origin', { origin: 'https://evil.example.com' }],
    ['the right origin with another port', { origin: 'http://127.0.0.1:1' }],
    ['an origin that hides itself', { origin: 'null' }],
  ])('refuses %s', async (_, headers: Record<string, string>) => {
    expect((await send({ body: order, headers })).status).toBe(403)
  })

  test('refuses two Host headers', async () => {
    const [name = '', port = ''] = served.host.split(':')
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), name, () => {
        socket.write(
          `POST /mcp HTTP/1.1\r\nHost: ${served.host}\r\nHost: evil.example.com\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        )
      })
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('reads nothing but JSON as JSON', async () => {
    expect((await send({ body: order, headers: { 'content-type': 'text/plain' } })).status).toBe(
      415,
    )
  })

  test('refuses a body that is not JSON, or is ambiguous', async () => {
    const broken = await send({ body: '{' })
    expect([broken.status, JSON.parse(broken.text).error.code]).toEqual([400, -32700])
    const twice = await send({
      body: order.replace('"product":"tea"', '"product":"tea","product":"gold"'),
    })
    expect([twice.status, JSON.parse(twice.text).error.code]).toEqual([400, -32700])
  })

  test('refuses a body that is too large', async () => {
    expect((await send({ body: order.replace('tea', 'x'.repeat(20_000)) })).status).toBe(413)
  })

  test.each([
    ['another method', { 'mcp-method': 'tools/list' }],
    ['another tool', { 'mcp-name': 'shop__price' }],
    ['another revision', { 'mcp-protocol-version': '2025-11-25' }],
  ])(
    'refuses headers that speak of %s than the body',
    async (_, headers: Record<string, string>) => {
      const answer = await send({ body: order, headers })
      expect([
        answer.status,
        JSON.parse(answer.text).error.code,
        JSON.parse(answer.text).id,
      ]).toEqual([400, -32020, 7])
    },
  )

  test('refuses a call without the header Mcp-Name without handing it to the SDK', async () => {
    const answer = await send({ body: order, headers: { 'mcp-name': '' } })
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        id: 7,
        error: {
          code: -32020,
          message: 'The header Mcp-Name is missing. It must repeat "name" of the body.',
        },
      },
    ])
  })

  test('has executed nothing for these requests', () => {
    expect(shop.orders).toEqual([])
  })

  test('a session is not a credential: with another token it does not exist', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    }
    const legacy = { 'mcp-protocol-version': '2025-11-25', 'mcp-method': '', 'mcp-name': '' }
    const opened = await send({ body: JSON.stringify(initialize), headers: legacy })
    const session = { ...legacy, 'mcp-session-id': String(opened.headers['mcp-session-id']) }
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
    expect((await send({ body: list, headers: session })).status).toBe(200)
    expect(
      (await send({ body: list, headers: { ...session, authorization: 'Bearer bob' } })).status,
    ).toBe(404)
  })
})

test('a store that cannot be reached is a 503 that says when to try again', async () => {
  const broken = await serve(shop.runtime, () => {
    throw new ToolError('TOOL_STORAGE_ERROR', 'The database could not do it.')
  })
  const response = await fetch(broken.url, {
    method: 'POST',
    headers: { authorization: 'Bearer ann', 'content-type': 'application/json' },
    body: '{}',
  })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  await broken.close()
})
