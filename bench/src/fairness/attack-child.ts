import { Agent, type IncomingMessage, request } from 'node:http'
import { inputs } from '../core/inputs.ts'
import { READ_TOOL, request as rpcRequest } from '../wire/protocols.ts'
import { type AttackName, SLOW_WEBHOOKS } from './attacks.ts'
import { ASK_TOOL, DESCRIBE_TOOL, ORDER_TOOL } from './vendor-pack.ts'

const [name = '', port = '', token = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })

type Sent = {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const statuses = new Map<number, number>()

function send({ path, method = 'GET', headers = {}, body }: Sent): Promise<string> {
  return new Promise((resolve) => {
    const sending = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json, text/event-stream',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (response: IncomingMessage) => {
        const status = response.statusCode ?? 0
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('close', () => resolve(Buffer.concat(parts).toString()))
      },
    )
    // A refused message may end its connection while it is being sent.
    sending.on('error', () => resolve(''))
    sending.end(body)
  })
}

function sendRpc(method: string, params: object): Promise<string> {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
  return send({
    path: '/mcp',
    method: 'POST',
    headers,
    body: JSON.stringify(rpcRequest(1, method, params)),
  })
}

const large = { name: 'none', arguments: { text: 'x'.repeat(1_900_000) } }
const description = JSON.stringify({
  lines: Array.from({ length: 19_000 }, (_, index) => `${index} `.padEnd(97, 'word ')),
})
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  },
})

let cursor: string | undefined

const steps: Record<
  AttackName,
  { readonly atOnce: number; readonly step: (index: number) => Promise<unknown> }
> = {
  calls: {
    atOnce: 64,
    step: (index) =>
      send({
        path: `/v1/tools/${READ_TOOL}/call`,
        method: 'POST',
        body: JSON.stringify(inputs[index % inputs.length]),
      }),
  },
  listings: {
    atOnce: 16,
    step: (index) => send({ path: index % 2 === 0 ? '/v1/tools?limit=200' : '/openapi.json' }),
  },
  'mcp listings': {
    atOnce: 16,
    async step() {
      const text = await sendRpc('tools/list', cursor === undefined ? {} : { cursor })
      cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1]
    },
  },
  'large messages': { atOnce: 16, step: () => sendRpc('tools/call', large) },
  'large inputs': {
    atOnce: 16,
    step: () =>
      send({
        path: `/v1/tools/${DESCRIBE_TOOL}/call`,
        method: 'POST',
        headers: { accept: 'application/json' },
        body: description,
      }),
  },
  streams: {
    atOnce: 600,
    step: () => sendRpc('subscriptions/listen', { notifications: { toolsListChanged: true } }),
  },
  sessions: {
    atOnce: 32,
    step: () => send({ path: '/mcp', method: 'POST', body: initialize }),
  },
  breaker: {
    atOnce: 64,
    step: () =>
      send({
        path: `/v1/tools/${ASK_TOOL}/call`,
        method: 'POST',
        headers: { accept: 'application/json' },
        body: JSON.stringify({ host: 'vendor.example', hangs: true }),
      }),
  },
  webhooks: {
    atOnce: 32,
    step: (index) =>
      send({
        path: `/v1/tools/${ORDER_TOOL}/call`,
        method: 'POST',
        headers: {
          accept: 'application/json',
          'idempotency-key': `order-${process.pid}-${index}`,
          'surehand-notify': SLOW_WEBHOOKS[index % SLOW_WEBHOOKS.length] ?? '',
        },
        body: JSON.stringify({ host: 'vendor.example', hangs: false }),
      }),
  },
}

const { atOnce, step } = steps[name as AttackName]
for (let index = 0; index < atOnce; index++) void repeat(index)
process.send?.({ started: true })
// The statuses tell whether the attack arrived, and what was refused.
process.on('message', () => process.send?.({ statuses: Object.fromEntries(statuses) }))
process.on('disconnect', () => process.exit(0))

async function repeat(first: number): Promise<never> {
  for (let index = first; ; index += atOnce) await step(index)
}
