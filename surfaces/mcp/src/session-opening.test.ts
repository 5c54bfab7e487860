import {
  LATEST_PROTOCOL_VERSION,
  type McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { createEdge } from '@surehand/edge'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Served, serve } from './fixtures/serve.ts'
import { ann, bob, openShop } from './fixtures/shop.ts'

// The SDK answers a message with `_meta` itself, and any other `initialize` is answered without it.
type Way = 'without the SDK' | 'through the SDK'
const WAYS: readonly Way[] = ['without the SDK', 'through the SDK']

const shop = openShop()
const opened: McpServer[] = []
const ready = new Set<McpServer | undefined>()
let served: Served
let openedBefore = 0

const server = await serve(
  shop.runtime,
  { ann, bob },
  {
    extend(sdk) {
      opened.push(sdk)
      sdk.server.oninitialized = () => ready.add(sdk)
    },
  },
)
afterAll(() => server.close())
beforeEach(() => {
  served = server
  openedBefore = opened.length
})

type Sent = {
  readonly message?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly token?: string
}

function post({ message, headers = {}, method = 'POST', token = 'ann' }: Sent): Promise<Response> {
  return fetch(served.url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(message === undefined ? {} : { body: JSON.stringify(message) }),
  })
}

type Answered = { readonly status: number; readonly headers: object; readonly text: string }

// How the body is sent, and what differs between two sessions in any case.
const OF_EVERY_RESPONSE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

async function read(response: Response): Promise<Answered> {
  const headers = [...response.headers]
    .filter(([name]) => !OF_EVERY_RESPONSE.has(name) && name !== 'content-length')
    .map(([name, value]) => [name, name === 'mcp-session-id' ? 'an id' : value])
  const text = (await response.text())
    .replace(/call_[0-9a-z]{22,}/g, 'an id')
    .replace(/(?<="execution_time":)[^,]+/, '"short"')
  return { status: response.status, headers: Object.fromEntries(headers), text }
}

function initialize(params: object, id: string | number = 1): object {
  const clientInfo = { name: 'tests', version: '1' }
  const usual = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  return { jsonrpc: '2.0', id, method: 'initialize', params: { ...usual, ...params } }
}

const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }

/** The message so that it goes this way. */
function send(way: Way, message: object): object {
  if (way === 'without the SDK') return message
  const { params } = message as { readonly params?: object }
  return { ...message, params: { ...params, _meta: {} } }
}

async function open(params: object = {}, way: Way = 'without the SDK'): Promise<string> {
  const response = await post({ message: send(way, initialize(params)) })
  await response.text()
  return String(response.headers.get('mcp-session-id'))
}

function openedSince(): number {
  return opened.length - openedBefore
}

describe('initialize is answered as by the SDK', () => {
  test.each([...SUPPORTED_PROTOCOL_VERSIONS, '2026-07-28', '1999-01-01', ''])(
    'for version "%s"',
    async (protocolVersion) => {
      const message = initialize({ protocolVersion }, `id of "${protocolVersion}"`)
      const own = await read(await post({ message }))
      expect(own).toEqual(await read(await post({ message: send('through the SDK', message) })))
      const { result } = JSON.parse(own.text.slice(own.text.indexOf('{')))
      expect(result.protocolVersion).toBe(
        SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
          ? protocolVersion
          : LATEST_PROTOCOL_VERSION,
      )
    },
  )

  test.each([
    ['the id 0', initialize({}, 0)],
    ['an empty id', initialize({}, '')],
    ['a fraction as id', initialize({}, 1.5)],
    ['an id that is too large', initialize({}, 2 ** 60)],
    ['no id', { ...initialize({}), id: undefined }],
    ['null as id', { ...initialize({}), id: null }],
    ['capabilities', initialize({ capabilities: { elicitation: {}, roots: {}, other: 1 } })],
    ['wrong capabilities', initialize({ capabilities: { roots: 1 } })],
    ['no client', initialize({ clientInfo: undefined })],
    ['another client', initialize({ clientInfo: { name: 'a', version: '1', title: 't', x: 1 } })],
    ['a number as version', initialize({ protocolVersion: 1 })],
    ['unknown parameters', initialize({ other: true })],
    ['unknown fields', { ...initialize({}), other: true }],
    ['another JSON-RPC', { ...initialize({}), jsonrpc: '1.0' }],
    ['no JSON-RPC', { ...initialize({}), jsonrpc: undefined }],
  ])('with %s', async (_, message) => {
    const own = await read(await post({ message }))
    expect(own).toEqual(await read(await post({ message: send('through the SDK', message) })))
  })

  test.each([
    ['that accept no events', { accept: 'application/json' }],
    ['that accept no JSON', { accept: 'text/event-stream' }],
    ['of an unknown version', { 'mcp-protocol-version': '1999-01-01' }],
    ['of the stateless revision', { 'mcp-protocol-version': '2026-07-28' }],
    ['of its version', { 'mcp-protocol-version': '2025-06-18' }],
    ['of another method', { 'mcp-method': 'tools/call', 'mcp-name': 'x' }],
    ['of a session', { 'mcp-session-id': 'nobody' }],
  ])('with headers %s', async (_, headers: Record<string, string>) => {
    const message = initialize({})
    const own = await read(await post({ message, headers }))
    const through = { message: send('through the SDK', message), headers }
    expect(own).toEqual(await read(await post(through)))
  })
})

type Step = {
  readonly message?: object
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string
}

function call(method: string, params?: object): Step {
  return { message: { jsonrpc: '2.0', id: method, method, ...(params && { params }) } }
}

const SCRIPTS: Readonly<Record<string, readonly Step[]>> = {
  'a whole session': [
    { message: INITIALIZED },
    call('ping'),
    call('tools/list'),
    call('logging/setLevel', { level: 'error' }),
    call('tools/call', { name: 'shop__price', arguments: { product: 'tea' } }),
    call('tools/call', { name: 'shop__nothing', arguments: {} }),
    call('resources/templates/list'),
    call('tasks/get', { taskId: 'none' }),
    call('none/such'),
    { method: 'DELETE' },
    call('ping'),
    { message: INITIALIZED },
  ],
  'a client that does not say that it is ready': [call('tools/list'), { message: INITIALIZED }],
  'a client that says it again and again': [
    { message: INITIALIZED },
    { message: INITIALIZED },
    { message: { ...INITIALIZED, params: {} } },
    { message: { ...INITIALIZED, params: { some: 1 } } },
    { message: { ...INITIALIZED, other: 1 } },
    { message: { ...INITIALIZED, jsonrpc: '1.0' } },
    { message: { ...INITIALIZED, id: 1 } },
    call('ping'),
    { message: INITIALIZED },
  ],
  'a session that is opened twice': [{ message: initialize({}) }, call('ping')],
  'a session that is ended at once': [{ method: 'DELETE' }, { method: 'DELETE' }],
  'wrong headers': [
    { message: INITIALIZED, headers: { 'mcp-protocol-version': '1999-01-01' } },
    { message: INITIALIZED, headers: { 'mcp-protocol-version': '2025-11-25' } },
    { message: INITIALIZED, headers: { accept: 'application/json' } },
    { ...call('ping'), headers: { 'mcp-protocol-version': '1999-01-01' } },
    { method: 'GET', headers: { accept: 'application/json' } },
    { method: 'PUT', message: {} },
  ],
  'several messages at once': [
    { message: [INITIALIZED, { jsonrpc: '2.0', id: 1, method: 'ping' }] },
    { message: [INITIALIZED] },
  ],
  'another principal': [
    { message: INITIALIZED, token: 'bob' },
    { ...call('ping'), token: 'bob' },
    { method: 'DELETE', token: 'bob' },
    call('ping'),
  ],
  'answers and notifications that nothing waits for': [
    { message: { jsonrpc: '2.0', id: 5, result: {} } },
    { message: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } } },
    { message: { jsonrpc: '2.0', method: 'notifications/roots/list_changed' } },
  ],
}

describe('what follows is answered as in a session of the SDK', () => {
  test.each(Object.keys(SCRIPTS))('%s', async (name) => {
    const transcripts = []
    for (const way of WAYS) {
      const session = await open({ capabilities: { elicitation: {} } }, way)
      const answers = []
      for (const { headers, ...step } of SCRIPTS[name] ?? []) {
        const response = await post({ ...step, headers: { 'mcp-session-id': session, ...headers } })
        answers.push(await read(response))
      }
      transcripts.push(answers)
    }
    expect(transcripts[0]).toEqual(transcripts[1])
  })
})

describe('a server of the SDK', () => {
  test('is opened by the first request that needs it, once', async () => {
    await open()
    openedBefore = opened.length
    const session = await open()
    const headers = { 'mcp-session-id': session }
    for (let count = 0; count < 3; count++)
      expect((await post({ message: INITIALIZED, headers })).status).toBe(202)
    expect(openedSince()).toBe(0)
    const { message } = call('ping')
    const together = Array.from({ length: 5 }, () => post({ message, headers }))
    expect((await Promise.all(together)).map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect((await post({ message: INITIALIZED, headers })).status).toBe(202)
    expect(openedSince()).toBe(1)
  })

  test('knows what the client has declared and said before', async () => {
    const capabilities = { elicitation: { url: {} }, roots: { listChanged: true } }
    const session = await open({ capabilities, protocolVersion: '2025-03-26' })
    const headers = { 'mcp-session-id': session }
    await post({ message: INITIALIZED, headers })
    await (await post({ ...call('ping'), headers })).text()
    const sdk = opened.at(-1)?.server
    expect(sdk?.getClientCapabilities()).toEqual(capabilities)
    expect(sdk?.getClientVersion()).toEqual({ name: 'tests', version: '1' })
    expect(sdk?.getNegotiatedProtocolVersion()).toBe('2025-03-26')
  })

  test('is told that the client is ready only if the client has said so', async () => {
    for (const isReady of [true, false]) {
      const headers = { 'mcp-session-id': await open() }
      if (isReady) await post({ message: INITIALIZED, headers })
      await (await post({ ...call('ping'), headers })).text()
      expect(ready.has(opened.at(-1))).toBe(isReady)
    }
  })

  test('is opened when it is the turn of the client, and not for one that has left', async () => {
    const edge = createEdge()
    let begin = (): void => undefined
    const turn = new Promise<void>((resolve) => {
      begin = resolve
    })
    let waiting = 0
    const next = async () => (++waiting === 1 ? undefined : turn)
    const node = await serve(shop.runtime, { ann }, { edge: { ...edge, listings: { next } } })
    served = node
    const headers = { 'mcp-session-id': await open() }
    const order = call('tools/call', { name: 'shop__order', arguments: { product: 'tea' } })
    const leaving = new AbortController()
    const left = fetch(node.url, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        authorization: 'Bearer ann',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(order.message),
    })
    await expect.poll(() => waiting).toBe(2)
    leaving.abort()
    await expect(left).rejects.toThrow()
    // Until the server has noticed it.
    await new Promise((resolve) => setTimeout(resolve, 100))
    begin()
    const ping = await post({ ...call('ping'), headers })
    expect([ping.status, shop.orders]).toEqual([200, []])
    await node.close()
  })

  test('is asked again for its capabilities when its tools or prompts have changed', async () => {
    let names = ['one']
    const node = await serve(
      shop.runtime,
      { ann },
      {
        extend: (sdk) => {
          for (const name of names) sdk.registerPrompt(name, {}, () => ({ messages: [] }))
        },
      },
    )
    served = node
    const readCapabilities = async () => {
      const { text } = await read(await post({ message: initialize({}) }))
      return Object.keys(JSON.parse(text.slice(text.indexOf('{'))).result.capabilities)
    }
    expect(await readCapabilities()).toContain('prompts')
    names = []
    node.handler.promptsChanged()
    expect(await readCapabilities()).not.toContain('prompts')
    await node.close()
  })
})

test('opening a session counts as four requests, whichever way it is answered', async () => {
  for (const way of WAYS) {
    const edge = createEdge({ perToken: { perSecond: 0.001, burst: 12 } })
    const node = await serve(shop.runtime, { ann }, { edge })
    served = node
    const statuses = []
    for (let count = 0; count < 4; count++)
      statuses.push((await post({ message: send(way, initialize({})) })).status)
    expect([way, statuses]).toEqual([way, [200, 200, 200, 429]])
    await node.close()
  }
})
