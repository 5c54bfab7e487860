import { Buffer } from 'node:buffer'
import { createRuntime, definePack, defineTool, memoryStores } from '@surehand/core'
import { createEdge, type TurnOptions } from '@surehand/edge'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Served, serve } from './fixtures/serve.ts'
import { ann } from './fixtures/shop.ts'
import { parseLargeMessage, parseMessage } from './parse-message.ts'

let served: Served | undefined
afterEach(() => served?.close())

const MEBIBYTE = 1024 * 1024
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

function callOf(input: unknown, rest: object = {}): string {
  const params = { name: 'notes__count', arguments: input, _meta: meta }
  return JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params, ...rest })
}

// The slowest JSON there is to parse: 100,000 lists in lists.
const nested = Array.from({ length: 50_000 }, () => [[]])

/** Calls a tool by the way of 2026. */
function post(url: string | URL, tool: string, body: string): Promise<Response> {
  const headers = {
    authorization: 'Bearer ann',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': tool,
  }
  return fetch(url, { method: 'POST', headers, body })
}

test('a large message is parsed in many turns of the event loop', async () => {
  const count = defineTool({
    id: 'notes.count',
    title: 'Count notes',
    category: 'custom',
    description: 'Counts notes.',
    input: z.object({ notes: z.array(z.unknown()) }),
    output: z.object({ count: z.number() }),
    contract: { effect: 'read' },
    execute: async ({ input }) => ({ count: input.notes.length }),
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'notes', tools: [count] })],
    stores: memoryStores(),
  })
  const edge = createEdge()
  let turns = 0
  const next = (name: string, options?: TurnOptions): Promise<void> => {
    turns++
    return edge.listings.next(name, options)
  }
  served = await serve(runtime, { ann }, { edge: { ...edge, listings: { next } } })
  const response = await post(served.url, 'notes__count', callOf({ notes: nested }))
  expect(await response.json()).toMatchObject({
    result: { content: [{ type: 'text', text: '{"count":50000}' }] },
  })
  expect(turns).toBeGreaterThan(2)
})

const numbers = Array.from({ length: 200_000 }, () => 1)

/** Serves a tool that returns its numbers, and counts the turns while they are compared. */
async function serveEcho(): Promise<Served & { readonly turns: () => number }> {
  let compared = 0
  let turns = 0
  const list = z.array(z.number().refine(() => ++compared > 0))
  const echo = defineTool({
    id: 'numbers.echo',
    title: 'Echo',
    category: 'custom',
    description: 'Returns numbers.',
    input: z.object({ list }),
    output: z.object({ list }),
    contract: { effect: 'read' },
    execute: async ({ input }) => input,
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'numbers', tools: [echo] })],
    stores: memoryStores(),
  })
  const edge = createEdge()
  const next = (name: string, options?: TurnOptions): Promise<void> => {
    if (compared > 0 && compared < 2 * numbers.length) turns++
    return edge.listings.next(name, options)
  }
  served = await serve(runtime, { ann }, { edge: { ...edge, listings: { next } } })
  return { ...served, turns: () => turns }
}

test('a large input and output are compared with their schemas in many turns', async () => {
  const { url, turns } = await serveEcho()
  const params = { name: 'numbers__echo', arguments: { list: numbers }, _meta: meta }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })
  const response = await post(url, 'numbers__echo', body)
  expect(await response.json()).toMatchObject({
    result: { content: [{ type: 'text', text: JSON.stringify({ list: numbers }) }] },
  })
  // A turn is used up after half a millisecond; the work takes 20 and more.
  expect(turns()).toBeGreaterThan(4)
})

test('and so they are in a session of 2025', async () => {
  const { connect, turns } = await serveEcho()
  const client = await connect('2025', 'ann')
  const call = { name: 'numbers__echo', arguments: { list: numbers } }
  const { content } = await client.callTool(call)
  expect(content).toEqual([{ type: 'text', text: JSON.stringify({ list: numbers }) }])
  expect(turns()).toBeGreaterThan(4)
  await client.close()
})

describe('a message that is parsed in parts is judged as one that is parsed at once', () => {
  const padding = 'x'.repeat(40_000)
  const messages: Readonly<Record<string, string>> = {
    'a call': callOf({ notes: [1, padding] }),
    'a call with half a character': callOf({ notes: [padding, '\ud800'] }),
    'a call with too many keys': callOf(
      Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`key${index}`, 0])),
    ),
    'another message with half a character': callOf({}, { method: 'ping', extra: '\ud800' }),
    'half a character outside of the arguments': callOf({ notes: [] }, { extra: '\ud800' }),
    'a repeated key': callOf({ text: padding }).replace('"id":7', '"id":7,"id":8'),
  }

  test.each(Object.entries(messages))('%s', async (_, text) => {
    const bytes = Buffer.from(text)
    const atOnce = parseMessage(bytes, MEBIBYTE)
    expect(await parseLargeMessage(bytes, MEBIBYTE, () => undefined)).toEqual(atOnce)
  })

  test('and its bytes are given back', async () => {
    const bytes = Buffer.from(callOf({ text: padding }))
    await parseLargeMessage(bytes, MEBIBYTE, () => undefined)
    expect(bytes).toHaveLength(0)
  })

  test('bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('"'), Buffer.from([0xff, 0xfe]), Buffer.from('"')])
    const inParts = await parseLargeMessage(bytes, MEBIBYTE, () => undefined)
    expect(inParts).toEqual(parseMessage(bytes, MEBIBYTE))
  })
})
