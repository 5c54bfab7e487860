import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { tools as aiSdkTools } from '@surehand/ai-sdk'
import type { Caller } from '@surehand/core'
import { functionCalling } from '@surehand/function-calling'
import { tools as langChainTools } from '@surehand/langchain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDemoConfig } from './fixtures/demo-config.ts'
import { startVendor, type Vendor } from './fixtures/vendor.ts'
import { createLog } from './log/log.ts'
import { type RunningServer, serve } from './serve/serve.ts'

const KEY = 'one key for all of them'
const COMMAND = join(import.meta.dirname, 'surehand.ts')
const CONFIG = join(import.meta.dirname, 'fixtures/vendor-config.ts')

let vendor: Vendor
let serving: RunningServer
let data: string
let token: string
let ann: Caller

beforeAll(async () => {
  vendor = await startVendor()
  data = mkdtempSync(join(tmpdir(), 'surehand-all-'))
  process.env.TEST_VENDOR = vendor.url
  const config = await readDemoConfig({
    env: {
      SUREHAND_PORT: '0',
      SUREHAND_DATA: data,
      SUREHAND_LOG_LEVEL: 'silent',
    },
    folder: data,
    file: CONFIG,
  })
  serving = await serve(config, createLog(config))
  token = serving.welcome.demoTokens?.ann ?? ''
  const signedIn = await serving.app.identity.authenticate(token)
  if (signedIn === undefined) throw new Error('Ann is not known here.')
  ann = signedIn.caller
})

afterAll(async () => {
  await serving.stop()
  await vendor.close()
})

type Receipt = string

const patiently = () => ({ idempotencyKey: KEY, whenRunning: 'wait', withinMs: 60_000 }) as const

async function inProcess(): Promise<Receipt> {
  const outcome = await serving.app.runtime.call({
    tool: 'vendor.make',
    input: {},
    caller: ann,
    surface: 'process',
    ...patiently(),
  })
  return outcome.status === 'done' ? receiptIn(outcome.data) : outcome.status
}

async function overHttp(): Promise<Receipt> {
  const response = await fetch(`${serving.addresses.publicUrl}/v1/tools/vendor.make/call`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': KEY,
      prefer: 'wait=60',
    },
    body: '{}',
  })
  return receiptIn(((await response.json()) as { data: unknown }).data)
}

async function overMcp(client: Client): Promise<Receipt> {
  const _meta = {
    'surehand/idempotencyKey': KEY,
    'surehand/whenRunning': 'wait',
    'surehand/withinMs': 60_000,
    'surehand/envelope': true,
  }
  const result = await client.callTool({ name: 'vendor__make', arguments: {}, _meta })
  return receiptIn(result.structuredContent)
}

async function httpClient(era: 'new' | 'legacy'): Promise<Client> {
  const mode = era === 'new' ? { pin: '2026-07-28' } : 'legacy'
  const client = new Client({ name: era, version: '1.0.0' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${serving.addresses.publicUrl}/mcp`), {
      requestInit,
    }),
  )
  return client
}

const ENVIRONMENT = () => ({
  ...(process.env as Record<string, string>),
  TEST_VENDOR: vendor.url,
  SUREHAND_DATA: data,
  // The folder says that this is the demo, which would load every built-in pack.
  SUREHAND_DEMO: 'no',
})

async function stdioClient(): Promise<Client> {
  const client = new Client(
    { name: 'stdio', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const args = [COMMAND, 'mcp', '--as', 'ann', '--config', CONFIG]
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: ENVIRONMENT(),
      stderr: 'ignore',
    }),
  )
  return client
}

async function byCommand(): Promise<Receipt> {
  const args = [
    COMMAND,
    'call',
    'vendor.make',
    '--key',
    KEY,
    '--as',
    'ann',
    '--config',
    CONFIG,
    '--wait',
    '60s',
    '--json',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: ENVIRONMENT() })
  return receiptIn((JSON.parse(stdout) as { data: unknown }).data)
}

async function byAiSdk(): Promise<Receipt> {
  const { vendor__make: make } = await aiSdkTools(serving.app.runtime, ann, {
    request: patiently,
  })
  let last: unknown = await make?.execute?.(
    {},
    { toolCallId: 'call_1', messages: [], context: undefined as never },
  )
  // what comes before the end is progress
  if (isStream(last)) for await (const part of last) last = part
  return receiptIn((last as { data: unknown }).data)
}

function isStream(answered: unknown): answered is AsyncIterable<unknown> {
  return typeof answered === 'object' && answered !== null && Symbol.asyncIterator in answered
}

async function byLangChain(): Promise<Receipt> {
  const make = (await langChainTools(serving.app.runtime, ann, { request: patiently })).find(
    ({ name }) => name === 'vendor__make',
  )
  const results = (await make?.invoke({
    type: 'tool_call',
    id: 'call_1',
    name: 'vendor__make',
    args: {},
  })) as { content: string }
  return receiptIn(JSON.parse(results.content))
}

async function byFunctionCalling(): Promise<Receipt> {
  const calling = functionCalling(serving.app.runtime, ann, {
    provider: 'openai-chat',
    request: patiently,
  })
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'vendor__make', arguments: '{}' },
  }
  const [results] = await calling.handle({
    choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: [call] } }],
  })
  return receiptIn(JSON.parse((results as { content: string }).content))
}

function receiptIn(answered: unknown): Receipt {
  return (answered as { receipt?: string } | undefined)?.receipt ?? JSON.stringify(answered)
}

test('two hundred calls under one key, by all surfaces at once, are one effect and one answer', async () => {
  const clients = await Promise.all([httpClient('new'), httpClient('legacy'), stdioClient()])
  // until all are under way, the vendor does not answer
  vendor.hold()
  const [modern, legacy, stdio] = clients
  const ways: readonly [number, () => Promise<Receipt>][] = [
    [35, inProcess],
    [35, overHttp],
    [30, () => overMcp(modern as Client)],
    [25, () => overMcp(legacy as Client)],
    [25, () => overMcp(stdio as Client)],
    [20, byAiSdk],
    [15, byLangChain],
    [12, byFunctionCalling],
    [3, byCommand],
  ]
  const calls = ways.flatMap(([count, way]) => Array.from({ length: count }, way))
  setTimeout(() => vendor.release(), 1_500)
  const receipts = await Promise.all(calls)
  await Promise.all(clients.map((client) => client.close()))
  expect([receipts.length, new Set(receipts), vendor.asked.length]).toEqual([
    200,
    new Set(['receipt-1']),
    1,
  ])
})
