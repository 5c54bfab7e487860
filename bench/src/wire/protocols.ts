import { structuredContent } from '../core/peers/structured-content.ts'

/** The requests that a contender understands. */
export type Protocol =
  | 'constant'
  | 'json'
  | 'envelope'
  | 'envelope, limited'
  | 'envelope, proxied'
  | 'envelope, off the path'
  | 'keyed envelope'
  | 'mcp'

export type Reply = { readonly status: number; readonly type: string; readonly text: string }

type ProtocolRules = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: (input: object) => unknown
  /** The tool's output in the answer. Throws where the answer is a refusal. */
  readonly output: (reply: Reply) => unknown
}

export const READ_TOOL = 'add_to_cart'
export const LIMITED_TOOL = 'add_to_cart_limited'
export const WRITE_TOOL = 'shop.addLine'
/** The load generator replaces these digits with a new number in each request, so that every write has its own key. */
export const KEY_DIGITS = '0000000000'
export const KEY_PREFIX = 'cart-key-'
export const REVISION = '2026-07-28'

const plain = { headers: {}, body: (input: object): unknown => input }

const ENVELOPE: ProtocolRules = {
  ...plain,
  path: `/v1/tools/${READ_TOOL}/call`,
  output: (reply) => (parseOk(reply) as { readonly data: unknown }).data,
}

export const PROTOCOLS: Readonly<Record<Protocol, ProtocolRules>> = {
  constant: { ...plain, path: '/', output: ({ text }) => JSON.parse(text) },
  json: { ...plain, path: `/${READ_TOOL}`, output: (reply) => parseOk(reply) },
  envelope: ENVELOPE,
  'envelope, limited': { ...ENVELOPE, path: `/v1/tools/${LIMITED_TOOL}/call` },
  'envelope, proxied': ENVELOPE,
  'envelope, off the path': { ...ENVELOPE, headers: { 'proxy-connection': 'keep-alive' } },
  'keyed envelope': {
    ...plain,
    path: `/v1/tools/${WRITE_TOOL}/call`,
    headers: { 'idempotency-key': `${KEY_PREFIX}${KEY_DIGITS}` },
    output: (reply) => checkLine(parseOk(reply) as WriteAnswer),
  },
  mcp: {
    path: '/mcp',
    headers: {
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': READ_TOOL,
    },
    body: (input) => toolsCall(1, input),
    output: (reply) => structuredContent((readRpc(reply) as { readonly result: unknown }).result),
  },
}

/** A call of the tool in the stateless revision of MCP. */
export function toolsCall(id: number, input: object): object {
  return request(id, 'tools/call', { name: READ_TOOL, arguments: input })
}

export function request(id: number, method: string, params: object): object {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }
}

type WriteAnswer = {
  readonly data: { readonly lineId: string }
  readonly metadata: { readonly call_id: string }
}

/** Replaces the line's id in comparisons: a durable line has the id of its call. */
export const OWN_LINE = 'the line of this call'

function checkLine({ data, metadata }: WriteAnswer): unknown {
  if (data.lineId !== metadata.call_id)
    throw new Error(`the line of ${metadata.call_id} is ${data.lineId}`)
  return { ...data, lineId: OWN_LINE }
}

function parseOk({ status, text }: Reply): unknown {
  if (status !== 200) throw new Error(`${status} ${text}`)
  return JSON.parse(text)
}

// An answer may be a stream with a single event.
function readRpc(reply: Reply): unknown {
  if (!reply.type.startsWith('text/event-stream')) return parseOk(reply)
  const data = reply.text.split('\n').findLast((line) => line.startsWith('data: '))
  return parseOk({ ...reply, text: data?.slice('data: '.length) ?? '' })
}

type RequestForm = {
  readonly query?: string
  readonly version?: '1.0' | '1.1'
  readonly headers?: Readonly<Record<string, string>>
  readonly isChunked?: true
}

/** Forms in which proxies and clients send the same request. */
const PROXIED: readonly RequestForm[] = [
  { query: '?from=proxy' },
  { isChunked: true },
  { version: '1.0', headers: { connection: 'keep-alive' } },
  { headers: { te: 'trailers' } },
]

/** The texts of requests, with the same headers for every contender. */
export function requestTexts(
  protocol: Protocol,
  port: number,
  { token, inputs }: { readonly token: string; readonly inputs: readonly object[] },
): readonly string[] {
  const forms = protocol === 'envelope, proxied' ? PROXIED : [{}]
  return inputs.flatMap((input) =>
    forms.map((form) => requestText(protocol, port, { token, input, form })),
  )
}

function requestText(
  protocol: Protocol,
  port: number,
  {
    token,
    input,
    form: { query = '', version = '1.1', headers, isChunked },
  }: { readonly token: string; readonly input: object; readonly form: RequestForm },
): string {
  const { path } = PROTOCOLS[protocol]
  const body = JSON.stringify(PROTOCOLS[protocol].body(input))
  const bytes = Buffer.byteLength(body)
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    ...headersOf(protocol, token),
    ...headers,
    ...(isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes }),
  })
  const sent = isChunked ? `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
  return `POST ${path}${query} HTTP/${version}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${sent}`
}

export function headersOf(protocol: Protocol, token: string): Readonly<Record<string, string>> {
  return {
    'user-agent': 'bench',
    accept: protocol === 'mcp' ? 'application/json, text/event-stream' : 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    ...PROTOCOLS[protocol].headers,
  }
}
