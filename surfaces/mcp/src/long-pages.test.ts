import { connect } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { createRuntime, definePack, defineTool, memoryStores } from '@surehand/core'
import { createEdge } from '@surehand/edge'
import { miniSearchIndex } from '@surehand/discovery'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Served, serve } from './fixtures/serve.ts'
import { ann } from './fixtures/shop.ts'

const tools = Array.from({ length: 60 }, (_, index) =>
  defineTool({
    id: `many.tool${index}`,
    title: 'One of many',
    category: 'custom',
    description: 'é'.repeat(5_000),
    input: z.object({}),
    output: z.string(),
    contract: { effect: 'read' },
    examples: [{ name: 'none', input: {} }],
    execute: async () => 'done',
  }),
)
const runtime = createRuntime({
  packs: [definePack({ name: 'many', tools })],
  stores: memoryStores(),
  textIndex: miniSearchIndex(),
})

const orders: (number | undefined)[] = []
const edge = {
  ...createEdge(),
  listings: {
    async next(_: string, { order }: { readonly order?: number } = {}) {
      orders.push(order)
      await nextRound()
    },
  },
}
const fast = await serve(runtime, { ann }, { edge, fastPath: true })
const plain = await serve(runtime, { ann }, { fastPath: false })
afterAll(() => Promise.all([fast.close(), plain.close()]))
beforeEach(() => orders.splice(0))

const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})
const headers = {
  authorization: 'Bearer ann',
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/list',
}

async function list({ url }: Served): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(response.headers.get('content-type')).toBe('application/json')
  return response.text()
}

describe('a long page of tools', () => {
  test('is the same on the fast path, where it is sent in parts, as on Node’s server', async () => {
    const page = await list(fast)
    expect(fast.throughNode()).toBe(0)
    expect(page).toBe(await list(plain))
    expect(JSON.parse(page).result.tools.length).toBe(tools.length + 1)
  })

  test('takes a turn for each part, before those of pages that are asked for later', async () => {
    await list(fast)
    expect(orders.length).toBeGreaterThanOrEqual(5)
    expect(new Set(orders).size).toBe(1)
  })

  test('is sent whole to a client of HTTP/1.0, which takes no parts', async () => {
    const [name = '', port = ''] = fast.host.split(':')
    const lines = { host: fast.host, ...headers, 'content-length': String(body.length) }
    const head = Object.entries(lines).map(([key, value]) => `${key}: ${value}\r\n`)
    const answer = await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect(Number(port), name, () =>
        socket.write(`POST /mcp HTTP/1.0\r\n${head.join('')}\r\n${body}`),
      )
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    expect(answer).toContain('content-length: ')
    expect(answer.slice(answer.indexOf('{'))).toBe(await list(fast))
  })
})
