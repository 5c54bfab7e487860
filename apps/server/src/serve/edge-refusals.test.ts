import { connect } from 'node:net'
import { createRuntime, definePack, defineTool, memoryStores } from '@surehand/core'
import { createEdge, type EdgeOptions, type RefusalKind } from '@surehand/edge'
import { httpHandler, type Listening, listen } from '@surehand/http'
import { mcpHandler } from '@surehand/mcp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

const ORIGIN = 'https://app.example'
const MAX_BODY_BYTES = 20_000
const SURFACES = ['http', 'mcp'] as const
type SurfaceName = (typeof SURFACES)[number]

type Sites = {
  readonly ports: Readonly<Record<SurfaceName, number>>
  readonly executions: () => number
  readonly close: () => Promise<void>
}

/** The same runtime and the same edge behind both surfaces. */
async function openSites(fastPath: boolean, limits: EdgeOptions = {}): Promise<Sites> {
  let executions = 0
  const count = defineTool({
    id: 'demo.count',
    title: 'Count',
    category: 'custom',
    description: 'Counts its calls.',
    input: z.object({ text: z.string() }),
    output: z.object({ calls: z.number() }),
    contract: { effect: 'none', maxInputBytes: MAX_BODY_BYTES },
    execute: async () => {
      executions++
      return { calls: executions }
    },
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'demo', tools: [count] })],
    stores: memoryStores(),
  })
  const edge = createEdge(limits)
  const caller = {
    tenant: 'home',
    principal: 'ann',
    actor: 'user',
    roles: ['user'],
    capabilities: [],
  } as const
  const authenticate = async (token: string) =>
    token === 'good' ? { caller, credential: 'token of ann' } : undefined
  const options = { port: 0, hostname: '127.0.0.1', fastPath }
  const listening: Readonly<Record<SurfaceName, Listening>> = {
    http: await listen(
      (port) =>
        httpHandler({
          runtime,
          identity: { authenticate, authenticateSession: async () => undefined },
          publicUrl: `http://127.0.0.1:${port}`,
          hosts: [`127.0.0.1:${port}`, `localhost:${port}`],
          corsOrigins: [ORIGIN],
          bodyTimeoutMs: 200,
          edge,
        }),
      options,
    ),
    mcp: await listen(
      (port) =>
        mcpHandler({
          runtime,
          authenticate,
          edge,
          options: {
            hosts: [`127.0.0.1:${port}`, `localhost:${port}`],
            origins: [ORIGIN],
            resource: `http://127.0.0.1:${port}/mcp`,
            bodyTimeoutMs: 200,
            maxBodyBytes: MAX_BODY_BYTES,
          },
        }),
      options,
    ),
  }
  return {
    ports: { http: listening.http.port, mcp: listening.mcp.port },
    executions: () => executions,
    close: async () => {
      await Promise.all(SURFACES.map((name) => listening[name].close(0)))
      await runtime.stop()
    },
  }
}

const FIRST_LINE = {
  http: 'POST /v1/tools/demo.count/call HTTP/1.1',
  mcp: 'POST /mcp HTTP/1.1',
} as const

function bodyFor(surface: SurfaceName, text: string): string {
  if (surface === 'http') return JSON.stringify({ text })
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: 'demo__count', arguments: { text }, _meta }
  return JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })
}

/**
 * How a request differs from a good one: headers replaced (undefined: left out), lines added,
 * another body.
 */
type Change = {
  readonly replace?: Readonly<Record<string, string | undefined>>
  readonly add?: readonly string[]
  readonly text?: string
  readonly frame?: (body: string) => string
}

function write(surface: SurfaceName, port: number, change: Change): string {
  const body = bodyFor(surface, change.text ?? 'hello')
  const headers = {
    Host: `127.0.0.1:${port}`,
    Authorization: 'Bearer good',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...(surface === 'mcp'
      ? {
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': 'tools/call',
          'Mcp-Name': 'demo__count',
        }
      : {}),
    Connection: 'close',
    ...change.replace,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value.replace('PORT', String(port))}`],
  )
  const added = (change.add ?? []).map((line) => line.replace('PORT', String(port)))
  const framed = change.frame === undefined ? body : change.frame(body)
  return [FIRST_LINE[surface], ...lines, ...added, '', framed].join('\r\n')
}

type Response = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

function send(surface: SurfaceName, { ports }: Sites, change: Change): Promise<Response> {
  const port = ports[surface]
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(Buffer.from(write(surface, port, change), 'latin1')),
    )
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const [line = '', ...fields] = head.split('\r\n')
      const headers = fields.map((field): [string, string] => {
        const colon = field.indexOf(':')
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
      })
      resolve({
        status: Number(line.slice(9, 12)),
        headers: Object.fromEntries(headers),
        body: body.startsWith('{') ? JSON.parse(body) : body,
      })
    })
  })
}

/** Status and kind of a refusal, out of each surface's own envelope. */
function refusalIn(surface: SurfaceName, { status, body }: Response): unknown {
  if (surface === 'http') {
    const { error } = body as {
      readonly error?: { code: string; details: { source_code: string } }
    }
    return { status, code: error?.code, kind: error?.details.source_code }
  }
  const { error, id } = body as {
    readonly id: unknown
    readonly error?: { code: number; data?: { code: string; source_code: string } }
  }
  expect([id, error?.code]).toEqual([null, -32_000])
  return { status, code: error?.data?.code, kind: error?.data?.source_code }
}

const CODES: Readonly<Partial<Record<RefusalKind, readonly [number, string]>>> = {
  malformed: [400, 'TOOL_INVALID_INPUT'],
  not_signed_in: [401, 'TOOL_INSUFFICIENT_PERMISSIONS'],
  foreign_host: [421, 'TOOL_INSUFFICIENT_PERMISSIONS'],
  foreign_origin: [403, 'TOOL_INSUFFICIENT_PERMISSIONS'],
  slow_body: [408, 'TOOL_INVALID_INPUT'],
  body_too_large: [413, 'TOOL_INPUT_TOO_LARGE'],
  media_type: [415, 'TOOL_INVALID_INPUT'],
  too_many_requests: [429, 'TOOL_RATE_LIMIT_EXCEEDED'],
}

function expectedRefusal(surface: SurfaceName, kind: RefusalKind): unknown {
  const [status, code] = CODES[kind] ?? []
  // MCP clients know 403 for a foreign host.
  return { status: surface === 'mcp' && status === 421 ? 403 : status, code, kind }
}

const CHUNKED = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }
const inChunks = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

const REFUSED: readonly (readonly [string, RefusalKind, Change])[] = [
  ['for another host', 'foreign_host', { replace: { Host: 'evil.example' } }],
  ['for the right host with another port', 'foreign_host', { replace: { Host: '127.0.0.1:1' } }],
  ['with a second Host header', 'malformed', { add: ['Host: 127.0.0.1:PORT'] }],
  ['with a second Authorization header', 'malformed', { add: ['Authorization: Bearer good'] }],
  ['with a second Content-Type header', 'malformed', { add: ['Content-Type: application/json'] }],
  ['with two Origin headers', 'malformed', { add: [`Origin: ${ORIGIN}`, `Origin: ${ORIGIN}`] }],
  [
    'with two Idempotency-Key headers',
    'malformed',
    { add: ['Idempotency-Key: a', 'Idempotency-Key: b'] },
  ],
  [
    'with the same Idempotency-Key twice',
    'malformed',
    { add: ['Idempotency-Key: a', 'idempotency-key: a'] },
  ],
  ['with an unfinished quoted key', 'malformed', { add: ['Idempotency-Key: "a'] }],
  ['with a quote inside a quoted key', 'malformed', { add: ['Idempotency-Key: "a"b"'] }],
  ['with an escape in a quoted key', 'malformed', { add: ['Idempotency-Key: "a\\"b"'] }],
  ['with a key beyond ASCII', 'malformed', { add: ['Idempotency-Key: schl\xfcssel'] }],
  ['of a page of another origin', 'foreign_origin', { add: ['Origin: https://evil.example'] }],
  ['of a page of the origin null', 'foreign_origin', { add: ['Origin: null'] }],
  ['without a token', 'not_signed_in', { replace: { Authorization: undefined } }],
  ['with another scheme', 'not_signed_in', { replace: { Authorization: 'Basic good' } }],
  ['with an unknown token', 'not_signed_in', { replace: { Authorization: 'Bearer bad' } }],
  [
    'with two tokens in one header',
    'not_signed_in',
    { replace: { Authorization: 'Bearer good, Bearer good' } },
  ],
  ['with a token beyond ASCII', 'not_signed_in', { replace: { Authorization: 'Bearer g\xf6od' } }],
  ['with a text body', 'media_type', { replace: { 'Content-Type': 'text/plain' } }],
  ['without a content type', 'media_type', { replace: { 'Content-Type': undefined } }],
  [
    'in another charset',
    'media_type',
    { replace: { 'Content-Type': 'application/json; charset=utf-16' } },
  ],
  [
    'with another parameter of the type',
    'media_type',
    { replace: { 'Content-Type': 'application/json; profile=x' } },
  ],
  ['with a compressed body', 'media_type', { add: ['Content-Encoding: gzip'] }],
  ['with a body that is too large', 'body_too_large', { text: 'x'.repeat(MAX_BODY_BYTES) }],
  [
    'with a length that is too large',
    'body_too_large',
    { replace: { 'Content-Length': '99999999' } },
  ],
  [
    'with chunks that are too large',
    'body_too_large',
    { replace: CHUNKED, text: 'x'.repeat(MAX_BODY_BYTES), frame: inChunks },
  ],
  ['with a body that does not arrive', 'slow_body', { replace: { 'Content-Length': '5000' } }],
]

const ACCEPTED: readonly (readonly [string, Change])[] = [
  ['in order', {}],
  ['for the host in other letters', { replace: { Host: 'LocalHost:PORT' } }],
  ['of a page of a listed origin', { add: [`Origin: ${ORIGIN}`] }],
  ['with its charset', { replace: { 'Content-Type': 'application/json; charset=UTF-8' } }],
  ['in chunks', { replace: CHUNKED, frame: inChunks }],
]

describe.each([
  ['with the fast path', true],
  ['without the fast path', false],
])('%s, both surfaces', (_, fastPath) => {
  let sites: Sites
  beforeAll(async () => {
    sites = await openSites(fastPath, { authFailures: { perSecond: 1_000, burst: 1_000 } })
  })
  afterAll(() => sites.close())

  test.each(REFUSED)('refuse a request %s as %s', async (_name, kind, change) => {
    const before = sites.executions()
    for (const surface of SURFACES) {
      const response = await send(surface, sites, change)
      expect(refusalIn(surface, response), surface).toEqual(expectedRefusal(surface, kind))
      expect('www-authenticate' in response.headers, surface).toBe(kind === 'not_signed_in')
      expect(response.headers.connection, surface).toBe('close')
    }
    expect(sites.executions()).toBe(before)
  })

  test.each(ACCEPTED)('accept a request %s', async (_name, change) => {
    const before = sites.executions()
    for (const surface of SURFACES)
      expect((await send(surface, sites, change)).status, surface).toBe(200)
    expect(sites.executions()).toBe(before + SURFACES.length)
  })

  test('refuse a body that is not UTF-8, MCP as a parse error', async () => {
    const change = {
      replace: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
      text: 'hi',
      frame: (body: string) => inChunks(body.replace('hi', '\xff')),
    }
    expect(refusalIn('http', await send('http', sites, change))).toEqual(
      expectedRefusal('http', 'malformed'),
    )
    const { status, body } = await send('mcp', sites, change)
    expect([status, (body as { readonly error: { readonly code: number } }).error.code]).toEqual([
      400, -32_700,
    ])
  })

  test('count the requests of a token together, and say when to retry', async () => {
    const limited = await openSites(fastPath, { perToken: { perSecond: 0.01, burst: 4 } })
    const statuses = []
    for (const surface of ['http', 'mcp', 'mcp', 'http'] as const)
      statuses.push((await send(surface, limited, {})).status)
    expect(statuses).toEqual([200, 200, 200, 200])
    for (const surface of SURFACES) {
      const response = await send(surface, limited, {})
      expect(refusalIn(surface, response)).toEqual(expectedRefusal(surface, 'too_many_requests'))
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
      expect(response.headers['ratelimit-remaining']).toBe('0')
      expect(response.headers['ratelimit-limit']).toBe('4')
    }
    expect(limited.executions()).toBe(4)
    await limited.close()
  })

  test('count failed authentications of an address together', async () => {
    const limited = await openSites(fastPath, { authFailures: { perSecond: 0.01, burst: 3 } })
    const guess = { replace: { Authorization: 'Bearer bad' } }
    for (const surface of ['http', 'mcp', 'mcp'] as const)
      expect((await send(surface, limited, guess)).status).toBe(401)
    for (const surface of SURFACES) {
      const response = await send(surface, limited, guess)
      expect(refusalIn(surface, response)).toEqual(expectedRefusal(surface, 'too_many_requests'))
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    }
    await limited.close()
  })
})

test('MCP refuses an Idempotency-Key header that the message does not repeat', async () => {
  const sites = await openSites(true)
  const { status, body } = await send('mcp', sites, { add: ['Idempotency-Key: a'] })
  expect([status, (body as { readonly error: { readonly code: number } }).error.code]).toEqual([
    400, -32_020,
  ])
  expect(sites.executions()).toBe(0)
  await sites.close()
})
