import type { Validates } from '../harness/contender.ts'
import type { Speech } from './speech.ts'

/** A server under load. */
export type Served = {
  readonly port: number
  /** For those who ask who is calling; the others are sent one as well, and pay for reading it. */
  readonly token?: string
  /** The same work without the wire, by so many callers, for as long. */
  readonly inProcess?: (callers: number, timedMs: number) => Promise<InProcess>
}

export type InProcess = { readonly rate: number; readonly p50Ms: number; readonly p99Ms: number }

/** `place`: a file that is not there yet, for those who keep something. */
export type StartServer = (place: string) => Promise<Served>

/** One row. The parent reads this alone; `load` brings the peer's packages into the child that runs it. */
export type Contender = {
  readonly id: string
  readonly label: string
  readonly does: string
  readonly validates: Validates
  readonly speaks: Speech
  readonly load: () => Promise<StartServer>
}

export const contenders: readonly Contender[] = [
  {
    id: 'node-http',
    label: 'node:http, constant answer',
    does: 'reads the body and answers always the same: the ceiling',
    validates: 'nothing',
    speaks: 'constant',
    load: async () => (await import('./servers/node-http.ts')).startNodeHttp,
  },
  {
    id: 'fastify',
    label: 'Fastify 5.12 with schemas',
    does: 'parse, ajv, a compiled serializer; bare: nobody is asked who they are',
    validates: 'input',
    speaks: 'json',
    load: async () => (await import('./servers/fastify.ts')).startFastify,
  },
  {
    id: 'surehand-http',
    label: 'Surehand, governed HTTP call',
    does: 'Host, Origin, token, edge limit, all stages of a read, audit in batches, envelope; memory stores',
    validates: 'input, output',
    speaks: 'envelope',
    load: async () => (await import('./servers/surehand-http.ts')).startSurehandHttp,
  },
  {
    id: 'mcp-floor',
    label: 'MCP tools/call by hand on node:http',
    does: 'JSON-RPC, ajv, both contents: the floor; bare',
    validates: 'input, output',
    speaks: 'mcp',
    load: async () => (await import('./servers/mcp-floor.ts')).startMcpFloor,
  },
  {
    id: 'mcp-sdk',
    label: 'MCP SDK 2.4, 2026-07-28',
    does: 'createMcpHandler with one tool; bare',
    validates: 'input, output',
    speaks: 'mcp',
    load: async () => (await import('./servers/mcp-sdk.ts')).startMcpSdk,
  },
  {
    id: 'surehand-mcp',
    label: 'Surehand, governed MCP tools/call',
    does: 'Host, Origin, token, all stages of a read, audit in batches; memory stores',
    validates: 'input, output',
    speaks: 'mcp',
    load: async () => (await import('./servers/surehand-mcp.ts')).startSurehandMcp,
  },
]

/** Beside the table: a write that is on the disk before it is answered, over HTTP and without the wire. */
export const durable: Contender = {
  id: 'surehand-durable',
  label: 'Surehand, durable write',
  does: 'a keyed write with its effect, record and answer in one commit; SQLite',
  validates: 'input, output',
  speaks: 'keyed envelope',
  load: async () => (await import('./servers/surehand-durable.ts')).startSurehandDurable,
}
