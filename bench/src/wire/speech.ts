import { structuredContent } from '../core/peers/structured-content.ts'

/** How a contender is spoken to. */
export type Speech = 'constant' | 'json' | 'envelope' | 'keyed envelope' | 'mcp'

export type Reply = { readonly status: number; readonly type: string; readonly text: string }

type Spoken = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: (input: object) => unknown
  /** The tool's output in the answer. Throws where the answer is a refusal. */
  readonly output: (reply: Reply) => unknown
}

export const READ_TOOL = 'add_to_cart'
export const WRITE_TOOL = 'shop.addLine'
/** Digits that the load generator counts up: every write is another one. */
export const KEY_DIGITS = '0000000000'
export const KEY_PREFIX = 'cart-key-'
export const REVISION = '2026-07-28'

const plain = { headers: {}, body: (input: object): unknown => input }

export const SPEECHES: Readonly<Record<Speech, Spoken>> = {
  constant: { ...plain, path: '/', output: ({ text }) => JSON.parse(text) },
  json: { ...plain, path: `/${READ_TOOL}`, output: (reply) => ok(reply) },
  envelope: {
    ...plain,
    path: `/v1/tools/${READ_TOOL}/call`,
    output: (reply) => (ok(reply) as { readonly data: unknown }).data,
  },
  'keyed envelope': {
    ...plain,
    path: `/v1/tools/${WRITE_TOOL}/call`,
    headers: { 'idempotency-key': `${KEY_PREFIX}${KEY_DIGITS}` },
    output: (reply) => writtenLine(ok(reply) as Written),
  },
  mcp: {
    path: '/mcp',
    headers: {
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': READ_TOOL,
    },
    body: (input) => toolsCall(1, input),
    output: (reply) => structuredContent((rpcOf(reply) as { readonly result: unknown }).result),
  },
}

/** A call of the tool as the stateless revision has it. */
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

type Written = {
  readonly data: { readonly lineId: string }
  readonly metadata: { readonly call_id: string }
}

/** Stands for the line's id in what is compared: a durable line is named after its call. */
export const OWN_LINE = 'the line of this call'

function writtenLine({ data, metadata }: Written): unknown {
  if (data.lineId !== metadata.call_id)
    throw new Error(`the line of ${metadata.call_id} is ${data.lineId}`)
  return { ...data, lineId: OWN_LINE }
}

function ok({ status, text }: Reply): unknown {
  if (status !== 200) throw new Error(`${status} ${text}`)
  return JSON.parse(text)
}

// a stream with one event is an answer too
function rpcOf(reply: Reply): unknown {
  if (!reply.type.startsWith('text/event-stream')) return ok(reply)
  const data = reply.text.split('\n').findLast((line) => line.startsWith('data: '))
  return ok({ ...reply, text: data?.slice('data: '.length) ?? '' })
}

/** The bytes of a request, the same headers for everybody. */
export function requestText(
  speech: Speech,
  port: number,
  { token, input }: { readonly token: string; readonly input: object },
): string {
  const { path } = SPEECHES[speech]
  const body = JSON.stringify(SPEECHES[speech].body(input))
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    ...headersOf(speech, token),
    'content-length': Buffer.byteLength(body),
  })
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

export function headersOf(speech: Speech, token: string): Readonly<Record<string, string>> {
  return {
    'user-agent': 'bench',
    accept: speech === 'mcp' ? 'application/json, text/event-stream' : 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    ...SPEECHES[speech].headers,
  }
}
