import type { Validates } from '../harness/contender.ts'
import type { Protocol } from './protocols.ts'

/** A server under load. */
export type Served = {
  readonly port: number
  /** For servers that authenticate; the others are sent a token of the same length, so that they read as many bytes. */
  readonly token?: string
  /** The same work without the wire, by this many concurrent callers for this long. */
  readonly inProcess?: (callers: number, timedMs: number) => Promise<InProcessFigures>
}

export type InProcessFigures = {
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** `databaseFile`: a file that does not exist yet, for servers that store something. */
export type StartServer = (databaseFile: string) => Promise<Served>

/** One row over HTTP. The parent process reads only this; `load` imports the peer's packages in the child process that runs it. */
export type HttpContender = {
  readonly kind: 'http'
  readonly id: string
  readonly label: string
  readonly does: string
  readonly validates: Validates
  readonly protocol: Protocol
  /** Both: the system places the threads of the server and the load generator. Otherwise each has one. */
  readonly cores?: 'both'
  readonly load: () => Promise<StartServer>
}

/** One row over stdio; `servers/<id>.ts` is the server. */
export type StdioContender = { readonly kind: 'stdio'; readonly id: string; readonly label: string }

export const httpContenders: readonly HttpContender[] = [
  {
    kind: 'http',
    id: 'node-http',
    label: 'node:http, constant answer',
    does: 'reads the body and always sends the same answer: the upper bound',
    validates: 'nothing',
    protocol: 'constant',
    load: async () => (await import('./servers/node-http.ts')).startNodeHttp,
  },
  {
    kind: 'http',
    id: 'fastify',
    label: 'Fastify 5.12 with schemas',
    does: 'parse, ajv, a compiled serializer; no authentication',
    validates: 'input',
    protocol: 'json',
    load: async () => (await import('./servers/fastify.ts')).startFastify,
  },
  {
    kind: 'http',
    id: 'surehand-http',
    label: 'Surehand, governed HTTP call',
    does: 'Host, Origin, token, edge limit, all stages of a read, audit in batches, envelope; memory stores',
    validates: 'input, output',
    protocol: 'envelope',
    load: async () => (await import('./servers/surehand-http.ts')).startSurehandHttp,
  },
  {
    kind: 'http',
    id: 'serve-http',
    label: '`surehand serve`, governed HTTP call',
    does: 'the same on SQLite, with writer thread, metrics and log, as people start it',
    validates: 'input, output',
    protocol: 'envelope',
    load: async () => (await import('./servers/surehand-serve.ts')).startSurehandServe,
  },
  {
    kind: 'http',
    id: 'fastify-both',
    label: 'Fastify 5.12 with schemas, both cores',
    does: 'the same, with the load generator on two cores',
    validates: 'input',
    protocol: 'json',
    cores: 'both',
    load: async () => (await import('./servers/fastify.ts')).startFastify,
  },
  {
    kind: 'http',
    id: 'serve-http-both',
    label: '`surehand serve`, governed HTTP call, both cores',
    does: 'the same, with the load generator on two cores: its writer thread runs beside it',
    validates: 'input, output',
    protocol: 'envelope',
    cores: 'both',
    load: async () => (await import('./servers/surehand-serve.ts')).startSurehandServe,
  },
  {
    kind: 'http',
    id: 'serve-proxied',
    label: '`surehand serve`, as proxies send it',
    does: 'the same in turn with a query, in a chunk, as HTTP/1.0 and with TE',
    validates: 'input, output',
    protocol: 'envelope, proxied',
    load: async () => (await import('./servers/surehand-serve.ts')).startSurehandServe,
  },
  {
    kind: 'http',
    id: 'serve-limited',
    label: '`surehand serve`, a limited read',
    does: 'the same with a rate limit, counted durably before the call',
    validates: 'input, output',
    protocol: 'envelope, limited',
    load: async () => (await import('./servers/surehand-serve.ts')).startLimitedServe,
  },
  {
    kind: 'http',
    id: 'serve-grown',
    label: '`surehand serve`, 10,000 tools and 1 M records',
    does: 'the governed HTTP call of a server with many tools and a long audit',
    validates: 'input, output',
    protocol: 'envelope',
    load: async () => (await import('./servers/surehand-grown.ts')).startGrownServe,
  },
  {
    kind: 'http',
    id: 'serve-off-path',
    label: '`surehand serve`, off the fast path',
    does: "the same with the header Proxy-Connection: through Node's server",
    validates: 'input, output',
    protocol: 'envelope, off the path',
    load: async () => (await import('./servers/surehand-serve.ts')).startSurehandServe,
  },
  {
    kind: 'http',
    id: 'minimal-mcp',
    label: 'MCP tools/call, minimal, on node:http',
    does: 'JSON-RPC, ajv, text and structured content, nothing else: the lower bound; no authentication',
    validates: 'input, output',
    protocol: 'mcp',
    load: async () => (await import('./servers/minimal-mcp.ts')).startMinimalMcp,
  },
  {
    kind: 'http',
    id: 'mcp-sdk',
    label: 'MCP SDK 2.4, 2026-07-28',
    does: 'createMcpHandler with one tool; no authentication',
    validates: 'input, output',
    protocol: 'mcp',
    load: async () => (await import('./servers/mcp-sdk.ts')).startMcpSdk,
  },
  {
    kind: 'http',
    id: 'surehand-mcp',
    label: 'Surehand, governed MCP tools/call',
    does: 'Host, Origin, token, all stages of a read, audit in batches; memory stores',
    validates: 'input, output',
    protocol: 'mcp',
    load: async () => (await import('./servers/surehand-mcp.ts')).startSurehandMcp,
  },
  {
    kind: 'http',
    id: 'serve-mcp',
    label: '`surehand serve`, governed MCP tools/call',
    does: 'the same on SQLite, as people start it',
    validates: 'input, output',
    protocol: 'mcp',
    load: async () => (await import('./servers/surehand-serve.ts')).startSurehandServe,
  },
]

/** In a table of its own: a write that is on the disk before it is answered, over HTTP and without the wire. */
export const durable: HttpContender = {
  kind: 'http',
  id: 'surehand-durable',
  label: 'Surehand, durable write',
  does: 'a keyed write with its effect, record and answer in one commit; SQLite',
  validates: 'input, output',
  protocol: 'keyed envelope',
  load: async () => (await import('./servers/surehand-durable.ts')).startSurehandDurable,
}

export const stdioContenders: readonly StdioContender[] = [
  { kind: 'stdio', id: 'stdio-sdk', label: 'MCP SDK 2.4, serveStdio, bare tool' },
  { kind: 'stdio', id: 'stdio-surehand', label: 'Surehand, serveMcpStdio, governed' },
]
